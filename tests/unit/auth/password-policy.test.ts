import { expect, test } from "vitest";
import { commonPasswords, passwordFlaw } from "~/features/auth/passwords.server";
import type { Ctx } from "~/platform/context.server";

const policy = (PASSWORD_COMPOSITION: "0" | "1") => ({ config: { PASSWORD_COMPOSITION } }) as Ctx;
const flaw = (password: string, composition: "0" | "1" = "1") =>
  passwordFlaw(policy(composition), password, "dana.okafor@larkspur.example");

test.each([
  ["Demo!Pass2026", null],
  ["Pässwörd!9", null],
  ["Abc!defg1", null],
  ["Abc!de1", "password_too_short"],
  ["🐎🐎🐎Aa1!", "password_too_short"],
  [`Aa1!${"x".repeat(252)}`, null],
  [`Aa1!${"x".repeat(253)}`, "password_too_long"],
  ["abcdefg1!", "password_too_simple"],
  ["ABCDEFG1!", "password_too_simple"],
  ["Abcdefgh!", "password_too_simple"],
  ["Abcdefg12", "password_too_simple"],
  ["Abcdefg1#", "password_too_simple"],
  ["P@ssw0rd!", "password_too_common"],
  ["pAsSwOrD1!", "password_too_common"],
] as const)("the flaw of the password %s is %s", async (password, expected) => {
  expect(await flaw(password)).toBe(expected);
});

test("without the composition rule, length and list are still checked, and the own address is no valid password", async () => {
  expect(await flaw("correct horse battery", "0")).toBeNull();
  expect(await flaw("short", "0")).toBe("password_too_short");
  expect(await flaw("iloveyou", "0")).toBe("password_too_common");
  expect(await flaw("Dana.Okafor", "0")).toBe("password_too_common");
  expect(await flaw("wrenfield", "0")).toBe("password_too_common");
});

test("full-width letters count as the letters they look like", async () => {
  expect(await flaw("Ｐａｓｓｗｏｒｄ１!")).toBe("password_too_common");
});

test("the list holds the 10,000 most used passwords and common variants, all of at least 8 characters", () => {
  const words = commonPasswords();
  expect(words.size).toBeGreaterThan(10_000);
  for (const word of words) {
    expect(word).toBe(word.toLowerCase());
    expect([...word].length).toBeGreaterThanOrEqual(8);
  }
});

test.each([
  // The first and last of the published list, and words with a long prefix in common with the previous one.
  "!qaz2wsx",
  "password",
  "12345678",
  "1234567890",
  "12345679",
  "qwertyuiop",
  "trustno1",
  "zzzzzzzz",
  // From our own list.
  "summer2026!",
  "contraseña",
])("%s is on the list", async (word) => {
  expect(await flaw(word, "0")).toBe("password_too_common");
});

test("a password is compared as a whole: one that only contains a common word is accepted", async () => {
  expect(await flaw("password-to-the-shed", "0")).toBeNull();
});
