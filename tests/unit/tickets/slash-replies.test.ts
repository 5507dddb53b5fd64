import { expect, test } from "vitest";
import { askedAt, repliesFor } from "~/features/tickets/record/slash-replies.client";

test.each([
  ["/", { start: 0, query: "" }],
  ["/remote", { start: 0, query: "remote" }],
  ["Hello Dana,\n/password re", { start: 12, query: "password re" }],
  ["Hello /re", null],
  ["see /etc/hosts", null],
  ["/ not a name", null],
  [`/${"x".repeat(41)}`, null],
  ["/re\n", null],
  ["", null],
])("the caret at the end of %j asks for a saved reply: %j", (text, asked) => {
  expect(askedAt(text, text.length)).toEqual(asked);
});

test("only what stands before the caret counts", () => {
  expect(askedAt("/remote session", 4)).toEqual({ start: 0, query: "rem" });
});

test("a reply is found by the words of its name, in any case and order", () => {
  const replies = ["Password reset", "Remote session", "Reset done (yours)"].map((label, value) => ({
    value: String(value),
    label,
  }));
  expect(repliesFor(replies, "RESET pass").map(({ label }) => label)).toEqual(["Password reset"]);
  expect(repliesFor(replies, "")).toHaveLength(3);
  expect(repliesFor(replies, "etc/hosts")).toEqual([]);
});
