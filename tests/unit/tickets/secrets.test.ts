import { expect, test } from "vitest";
import { secretIn } from "~/features/conversation/secrets";

test.each([
  ["The password is Blue-42horse.", "password"],
  ["Password: hunter", "password"],
  ["login dana, pwd=letmein", "password"],
  ["the password for the printer is k9!tz", "password"],
  ["My passcode was 'a1b2c3'", "password"],
  ["Card 4111 1111 1111 1111, please", "card"],
  ["4111-1111-1111-1111", "card"],
  ["I forgot my password.", null],
  ["Please send a password reset to Dana", null],
  ["The password is wrong again", null],
  ["password reset link T-1042", null],
  ["Change the password before Friday", null],
  ["The serial number is 4111 1111 1111 1112", null],
  ["Call 0000 0000 0000 0000", null],
  ["Invoice 20261118-000123", null],
] as const)("%s: %s", (text, secret) => {
  expect(secretIn(text)).toBe(secret);
});

test.each([
  ["spaces", " "],
  ["dots", "."],
])("a text of nothing but %s behind the word is looked through once, not once for each of them", (_, character) => {
  // Looked through again for each character, it would take minutes.
  const text = `password${character.repeat(150_000)}\nis all`;
  expect(secretIn(text)).toBe(null);
  expect(secretIn(`${text}. Password: hunter2`)).toBe("password");
});
