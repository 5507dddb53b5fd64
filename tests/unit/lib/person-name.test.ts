import { expect, test } from "vitest";
import { FORMER_MEMBER, firstNameOf } from "~/lib/names";

test.each([
  ["Dr. Ines Valverde-Montgomery", "Ines"],
  ["  Dana   Ortiz ", "Dana"],
  ["Prof.", "Prof."],
  [FORMER_MEMBER, "Former member"],
])("%j is addressed as %s", (name, first) => {
  expect(firstNameOf(name)).toBe(first);
});
