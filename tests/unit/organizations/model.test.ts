import { expect, test } from "vitest";
import { slugOf } from "~/features/organizations/model";

test.each([
  ["Bright Smile Dental", "bright-smile-dental"],
  ["  Larkspur & Row, Inc.  ", "larkspur-row-inc"],
  ["Élan", "elan"],
  ["Nowiński & Łęcki", "nowinski-lecki"],
  ["Müller Straße", "muller-strasse"],
  ["Sørensen Æbleskiver", "sorensen-aebleskiver"],
  ["---", "org"],
  ["日本", "org"],
  ["A--B", "a-b"],
])("%s becomes %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
