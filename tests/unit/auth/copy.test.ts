import { expect, test } from "vitest";
import { errorText } from "~/features/auth/labels";
import { minutes, seconds } from "~/lib/time";

const NOW = 1_800_000_000_000;

test.each([
  [seconds(1), "1 minute"],
  [seconds(60), "1 minute"],
  [seconds(61), "2 minutes"],
  [minutes(15), "15 minutes"],
  [0, "1 minute"],
])("a block that ends in %d ms is told as %s", (rest, text) => {
  const words = errorText({ code: "too_many_attempts", retryAt: NOW + rest }, NOW);
  expect(words.sentence).toBe(`Too many attempts. Try again in ${text}.`);
});

test("after the last wrong code the error tells the person to sign in again", () => {
  expect(errorText({ code: "code_wrong", attemptsLeft: 1 }, NOW)).toMatchObject({
    field: "code",
    sentence: "Invalid verification code",
  });
  expect(errorText({ code: "code_wrong", attemptsLeft: 0 }, NOW)).toMatchObject({
    field: "form",
    sentence: "Invalid verification code. Please sign in again.",
  });
});
