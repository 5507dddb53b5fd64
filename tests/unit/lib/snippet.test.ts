import { expect, test } from "vitest";
import { snippetOf } from "~/lib/text";

/** Returns what a row shows of a message: the database reads one character more than fits. */
const shownOf = (message: string | null, max: number) => snippetOf(message?.slice(0, max + 1) ?? null, max);

test.each([
  ["Hello there", 11, "Hello there"],
  ["Hello there, all of you", 11, "Hello…"],
  ["Hello there all", 13, "Hello there…"],
  ["One\r\n\ttwo   three", 40, "One two three"],
  ["One\r\n\r\n\r\n\r\ntwo three", 12, "One…"],
  ["x".repeat(20), 10, `${"x".repeat(9)}…`],
  [" \n ", 10, null],
  [null, 10, null],
])("of %j a row with room for %i characters shows %j", (message, max, shown) => {
  expect(shownOf(message, max)).toBe(shown);
});
