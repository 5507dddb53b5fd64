import { expect, test } from "vitest";
import { csvLine } from "~/lib/csv";

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
