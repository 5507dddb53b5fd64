import { expect, test } from "vitest";
import { COMMON_PASSWORDS } from "~/features/auth/common-passwords.server";
import { passwordFlaw } from "~/features/auth/password-policy.server";
import type { Ctx } from "~/platform/context.server";

const world = (PASSWORD_COMPOSITION: "0" | "1") => ({ config: { PASSWORD_COMPOSITION } }) as Ctx;
const flaw = (password: string, composition: "0" | "1" = "1") =>
  passwordFlaw(world(composition), password, "dana.okafor@larkspur.example");

test.each([
  ["Demo!Pass2026", null],
  ["Pässwörd!9", null],
  ["Abc!defg1", null],
  ["Abc!de1", "password_too_short"],
  ["🐎🐎🐎Aa1!", "password_too_short"],
  [`Aa1!${"x".repeat(252)}`, null],
  [`Aa1!${"x".repeat(253)}`, "password_too_long"],
  ["abcdefg1!", "password_too_plain"],
  ["ABCDEFG1!", "password_too_plain"],
  ["Abcdefgh!", "password_too_plain"],
  ["Abcdefg12", "password_too_plain"],
  ["Abcdefg1#", "password_too_plain"],
  ["P@ssw0rd!", "password_too_common"],
  ["pAsSwOrD1!", "password_too_common"],
] as const)("%s: %s", (password, expected) => {
  expect(flaw(password)).toBe(expected);
});

test("without the rule about kinds, length and list remain, and one's own address is no password", () => {
  expect(flaw("correct horse battery", "0")).toBeNull();
  expect(flaw("short", "0")).toBe("password_too_short");
  expect(flaw("iloveyou", "0")).toBe("password_too_common");
  expect(flaw("Dana.Okafor", "0")).toBe("password_too_common");
  expect(flaw("wrenfield", "0")).toBe("password_too_common");
});

test("full-width letters are what they look like", () => {
  expect(flaw("Ｐａｓｓｗｏｒｄ１!")).toBe("password_too_common");
});

test("the list holds passwords of at least eight characters in lower case", () => {
  expect(COMMON_PASSWORDS.size).toBeGreaterThan(500);
  for (const word of COMMON_PASSWORDS) {
    expect(word).toBe(word.toLowerCase());
    expect([...word].length).toBeGreaterThanOrEqual(8);
  }
});
