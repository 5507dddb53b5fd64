import { expect, test } from "vitest";
import { mentionedIn } from "~/features/tickets/conversation/mentions.server";

const staff = ["Sam Miller", "Sam Reed", "Zoë Ortega", "Li"].map((fullName) => ({ id: fullName, fullName }));

test.each([
  ["@Sam Reed, look at this", ["Sam Reed"]],
  ["@sam look at this", ["Sam Miller", "Sam Reed"]],
  ["(@zoe) and @LI.", ["Zoë Ortega", "Li"]],
  ["write to help@sam.example or li@zoe", []],
  ["@Liam and @Samuel, @ Li", []],
  ["Sam knows", []],
])("%s", (text, named) => {
  expect(mentionedIn(text, staff)).toEqual(named);
});
