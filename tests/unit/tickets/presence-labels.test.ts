import { expect, test } from "vitest";
import { presenceInWords } from "~/features/tickets/labels";

const [sam, jordan, avery] = ["Sam Ortega", "Jordan Vale", "Avery Quinn"];

test.each([
  ["nobody else is there", [], ""],
  ["one looks", [{ name: sam, writing: false }], "Sam Ortega is looking at this ticket."],
  ["one writes", [{ name: sam, writing: true }], "Sam Ortega is writing a reply."],
  [
    "two write and one looks",
    [
      { name: sam, writing: true },
      { name: jordan, writing: true },
      { name: avery, writing: false },
    ],
    "Sam Ortega and Jordan Vale are writing a reply. Avery Quinn is looking at this ticket.",
  ],
])("the line on a ticket where %s", (_, people, words) => {
  expect(presenceInWords(people)).toBe(words);
});
