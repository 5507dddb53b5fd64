import { expect, test } from "vitest";
import { mentionsIn, mentionText } from "~/features/tickets/internal-note.server";

const staff = ["Sam Miller", "Sam Reed", "Zoë Ortega", "Li"].map((fullName) => ({
  id: fullName,
  fullName,
  isNotified: fullName !== "Li",
}));

test.each([
  ["@Sam Reed, look at this", ["Sam Reed"], []],
  ["@sam look at this", ["Sam Miller", "Sam Reed"], []],
  ["(@zoe) and @LI.", ["Zoë Ortega", "Li"], []],
  ["write to help@sam.example or li@zoe", [], []],
  ["@Liam and @Samuel, @ Li, and @Liam again", [], ["Liam", "Samuel"]],
  ["@Zo and @Zoë", ["Zoë Ortega"], ["Zo"]],
  ["Sam knows", [], []],
])("%s", (text, named, unknown) => {
  const mentions = mentionsIn(text, staff);
  expect([mentions.named.map(({ id }) => id), mentions.unknown]).toEqual([named, unknown]);
});

test("a note says who was told, who was not, and which names are nobody's, but nothing of its author", () => {
  const words = (text: string, authorId = "Sam Reed") => mentionText(mentionsIn(text, staff), authorId);
  expect(words("@Zoë please")).toEqual({ notified: "Zoë Ortega was told.", notNotified: null });
  expect(words("@Sam")).toEqual({ notified: "Sam Miller was told.", notNotified: null });
  expect(words("@Sam", "usr_other").notified).toBe("Sam Miller and Sam Reed were told.");
  expect(words("@Sam Reed and @Li")).toEqual({ notified: null, notNotified: "Li has muted this and was not told." });
  expect(words("@Zo, @Av")).toEqual({ notified: null, notNotified: "@Zo and @Av name no one on the team." });
  const log = Array.from({ length: 43 }, (_, index) => `@line${index}`).join(" ");
  expect(words(log).notNotified).toBe("@line0, @line1, @line2 and 40 more name no one on the team.");
  expect(words("@Sam Reed")).toEqual({ notified: null, notNotified: null });
});
