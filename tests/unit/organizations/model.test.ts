import { expect, test } from "vitest";
import { freeSlug, slugOf } from "~/features/organizations/model";

test.each([
  ["Bright Smile Dental", "bright-smile-dental"],
  ["  Larkspur & Row, Inc.  ", "larkspur-row-inc"],
  ["Élan", "lan"],
  ["---", "org"],
  ["日本", "org"],
  ["A--B", "a-b"],
])("%s becomes %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test("a slug that is taken or reserved gets the next number", () => {
  expect(freeSlug("oak", new Set())).toBe("oak");
  expect(freeSlug("oak", new Set(["oak"]))).toBe("oak-2");
  expect(freeSlug("oak", new Set(["oak", "oak-2", "oak-3"]))).toBe("oak-4");
  expect(freeSlug("admin", new Set())).toBe("admin-2");
});
