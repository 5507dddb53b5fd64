import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { generatePassword, RANDOM_BYTES } from "~/features/user-management/new-user.server";

const POLICY = [/[A-Z]/, /[a-z]/, /[0-9]/, /[@$!%*?&]/];

test("every generated password has twelve characters, and one of each kind of the policy", () => {
  for (let count = 0; count < 5_000; count += 1) {
    const password = generatePassword(randomBytes(RANDOM_BYTES));
    expect(password).toMatch(/^[A-Za-z0-9@$!%&*]{12}$/);
    for (const kind of POLICY) expect(password).toMatch(kind);
  }
});

test.each([0, 255])("even if every random byte is %i", (byte) => {
  const password = generatePassword(new Uint8Array(RANDOM_BYTES).fill(byte));
  for (const kind of POLICY) expect(password).toMatch(kind);
});

test("no place always has the same kind of character", () => {
  const firsts = Array.from({ length: 500 }, () => generatePassword(randomBytes(RANDOM_BYTES)).charAt(0));
  for (const kind of POLICY) expect(firsts.some((first) => kind.test(first))).toBe(true);
});
