import { expect, test } from "vitest";
import { rulesFor, signInReason } from "~/lib/areas";
import { csvLine } from "~/lib/csv";
import { isId, sortableId } from "~/lib/ids";
import { formatCents, formatDollars, percentOfCents } from "~/lib/numbers";
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

test.each([
  ["=1+1", `"'=1+1"`],
  ["+1 555", `"'+1 555"`],
  ["-5", `"'-5"`],
  ["@cmd", `"'@cmd"`],
  ["\tx", `"'\tx"`],
  ["\rx", `"'\rx"`],
  ["\nx", `"'\nx"`],
  ["＝1", `"'＝1"`],
  ["a=b", `"a=b"`],
  ['say "hi"', `"say ""hi"""`],
  ["a,b\nc", `"a,b\nc"`],
  [null, `""`],
  [12, `"12"`],
])("the cell %j is written as %s", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

test("cells are separated by commas", () => {
  expect(csvLine(["a", 1, null])).toBe('"a","1",""\r\n');
});

test("amounts are formatted with cents and thousands separators", () => {
  expect(formatCents(0)).toBe("$0.00");
  expect(formatCents(5)).toBe("$0.05");
  expect(formatCents(209_660)).toBe("$2,096.60");
  expect(formatCents(123_456_789)).toBe("$1,234,567.89");
  expect(formatCents(99_999)).toBe("$999.99");
});

test("whole dollars are rounded half up", () => {
  expect(formatDollars(2_765)).toBe("$28");
  expect(formatDollars(5_215)).toBe("$52");
  expect(formatDollars(8_015)).toBe("$80");
  expect(formatDollars(150)).toBe("$2");
  expect(formatDollars(100_000)).toBe("$1,000");
});

test("a percentage of an amount is a whole number of cents", () => {
  expect(percentOfCents(7_900, 35)).toBe(2_765);
  expect(percentOfCents(7_950, 35)).toBe(2_783);
  expect(percentOfCents(1, 35)).toBe(0);
  expect(percentOfCents(0, 35)).toBe(0);
});

test("an id that we made has the form of one, with its own prefix only", () => {
  const id = sortableId("sub", 1_800_000_000_000, crypto.getRandomValues(new Uint8Array(16)));
  expect(isId("sub", id)).toBe(true);
  expect(isId("note", id)).toBe(false);
});

test.each([
  "",
  "sub",
  "sub_",
  "sub_\n1",
  "sub_1\n",
  "sub_%0a",
  "sub_A",
  "sub_../1",
  "sub_é",
  `sub_${"1".repeat(41)}`,
])("%j is no id", (text) => {
  expect(isId("sub", text)).toBe(false);
});

test.each([
  ["/profile", true],
  ["/profile/mfa", true],
  ["/admin/settings?tab=data", true],
  ["/admin/settings-of-old", false],
  ["/admin", false],
  [null, false],
])("after a redirect from %s the sign-in page gives settings as the reason: %s", (path, hasReason) => {
  expect(signInReason(path)).toBe(hasReason ? "Please log in to view settings" : undefined);
});

test("only the contact form accepts a file, and only the list of submissions long posts", () => {
  expect(rulesFor("/contact").bodyLimit).toBeGreaterThan(5 * 1024 * 1024);
  expect(rulesFor("/admin/submissions/delete").bodyLimit).toBe(256 * 1024);
  expect(rulesFor("/auth").bodyLimit).toBe(64 * 1024);
  expect(rulesFor("/nothing").bodyLimit).toBe(64 * 1024);
});
