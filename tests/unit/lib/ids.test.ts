import { expect, test } from "vitest";
import { isId, sortableId } from "~/lib/ids";

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
