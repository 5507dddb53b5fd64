import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { JumpToLatest } from "~/features/tickets/ui/jump-to-latest";

const linkAbove = (count: number): string => {
  const messages = Array.from({ length: count }, (_, index) => ({ id: `msg_${index + 1}` }));
  return renderToStaticMarkup(createElement(JumpToLatest, { messages }));
};

test("a conversation of more than ten messages leads to its last one", () => {
  expect(linkAbove(0)).toBe("");
  expect(linkAbove(10)).toBe("");
  expect(linkAbove(11)).toBe('<a href="#msg_11">Jump to the latest message</a>');
});
