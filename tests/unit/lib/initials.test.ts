import { expect, test } from "vitest";
import { initialsOf } from "~/lib/names";

test.each([
  ["Dana Whitlock", "DW"],
  ["  Wu ", "W"],
  ["sam@clinic.example", "S"],
  ["Élodie van der Meer", "ÉM"],
  ["", ""],
])("%j has the initials %j", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
