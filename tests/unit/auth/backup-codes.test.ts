import { expect, test } from "vitest";
import { backupCodesFile, codeFrom, isCode, normalizeCode, splitCode } from "~/features/auth/model";

test("a code uses every character of its alphabet and no other", () => {
  const drawn = new Set<string>();
  for (let byte = 0; byte < 256; byte += 8) {
    for (const character of codeFrom(Uint8Array.from({ length: 8 }, (_, place) => byte + place))) drawn.add(character);
  }
  expect([...drawn].sort().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
});

test.each([
  ["7f3k21qd", "7F3K21QD"],
  ["7F3K-21QD", "7F3K21QD"],
  [" 7f3k 21qd ", "7F3K21QD"],
  ["OilL0000", "01110000"],
  ["7F3K21QDEXTRA", "7F3K21QD"],
])("%j is read as %s", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});

test.each(["", "7F3K21Q", "7F3K21QU", "7F3K21Q!", "ÄÖÜ45678"])("%j cannot be a code", (text) => {
  expect(isCode(text)).toBe(false);
});

test("the file contains the account, the time and the codes as they are typed", () => {
  const text = backupCodesFile(
    ["7F3K21QD", "H0PM88ZR"],
    "Wrenfield",
    "dana@larkspur.example",
    "2026-11-18 15:00:00 UTC",
  );
  expect(text.split("\n")).toEqual([
    "Wrenfield backup codes for dana@larkspur.example",
    "Generated: 2026-11-18 15:00:00 UTC",
    "",
    "7F3K21QD",
    "H0PM88ZR",
    "",
    "Each code works once, in place of the code of your authenticator app.",
    "",
  ]);
  expect(splitCode("7F3K21QD")).toEqual(["7F3K", "21QD"]);
});
