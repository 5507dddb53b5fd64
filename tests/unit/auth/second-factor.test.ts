import { describe, expect, test } from "vitest";
import { lacksRequiredMfa, mfaDeadline } from "~/access/model";
import { codeAt, matchingStep, stepAt } from "~/features/auth/factors.server";
import {
  backupCodesFile,
  codeFrom,
  isCode,
  mayDisableMfa,
  mfaRequirementNotice,
  nextFactor,
  normalizeCode,
  splitCode,
} from "~/features/auth/model";
import { days, seconds } from "~/lib/time";

/** Holds the secret of RFC 6238, appendix B: "12345678901234567890" in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

const VECTORS = [
  [59, 1, "287082"],
  [1111111109, 37037036, "081804"],
  [1111111111, 37037037, "050471"],
  [1234567890, 41152263, "005924"],
  [2000000000, 66666666, "279037"],
  [20000000000, 666666666, "353130"],
] as const;

test.each(VECTORS)("at second %d the step is %d and the code %s, as the RFC has it", (second, step, code) => {
  expect(stepAt(seconds(second))).toBe(step);
  expect(codeAt(SECRET, step)).toBe(code);
  expect(matchingStep(SECRET, code, seconds(second))).toBe(step);
});

test.each([-1, 0, 1])("a code %d steps away still counts, as the step it belongs to", (offset) => {
  const now = seconds(1234567890);
  const step = stepAt(now) + offset;
  expect(matchingStep(SECRET, codeAt(SECRET, step), now)).toBe(step);
});

test.each([-3, -2, 2, 3])("a code %d steps away does not count", (offset) => {
  const now = seconds(1234567890);
  expect(matchingStep(SECRET, codeAt(SECRET, stepAt(now) + offset), now)).toBeNull();
});

test.each(["", "28708", "2870820", "28708a", "２８７０８２", "94287082"])("%j is not the code 287082", (typed) => {
  expect(matchingStep(SECRET, typed, seconds(59))).toBeNull();
});

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

const MONDAY = Date.parse("2026-11-16T09:00:00Z");
const client = (mfaRequiredSince: number | null, mfaEnabled = false) =>
  ({ role: "user", mfaRequiredSince, mfaEnabled }) as const;

test.each([
  "admin",
  "moderator",
] as const)("a %s must have a second factor at once, whatever organizations ask", (role) => {
  for (const mfaRequiredSince of [null, MONDAY]) {
    expect(lacksRequiredMfa({ role, mfaRequiredSince, mfaEnabled: false }, MONDAY)).toBe(true);
    expect(nextFactor({ role, mfaRequiredSince, mfaEnabled: false }, MONDAY)).toBe("setup");
    expect(mayDisableMfa({ role, mfaRequiredSince })).toBe(true);
  }
});

test("a client without such an organization never needs one", () => {
  expect(mfaDeadline(client(null))).toBeNull();
  expect(nextFactor(client(null), Number.MAX_SAFE_INTEGER)).toBe("none");
  expect(mfaRequirementNotice(client(null), MONDAY)).toBeNull();
  expect(mayDisableMfa(client(null))).toBe(true);
});

describe("a client whose organization requires it", () => {
  test.each([
    ["at once", 0, "none", 7],
    ["after three hours", 3 / 24, "none", 7],
    ["after three days", 3, "none", 4],
    ["in the last millisecond", 7 - 1 / days(1), "none", 1],
    ["after exactly seven days", 7, "setup", 0],
    ["a year later", 365, "setup", 0],
  ] as const)("signs in %s", (_, passed, next, daysLeft) => {
    const now = MONDAY + passed * days(1);
    expect(nextFactor(client(MONDAY), now)).toBe(next);
    expect(mfaRequirementNotice(client(MONDAY), now)).toEqual({ isStaff: false, daysLeft });
  });

  test("must use an existing factor, on the first day and on the hundredth, and sees no countdown", () => {
    for (const passed of [0, 100]) {
      expect(nextFactor(client(MONDAY, true), MONDAY + days(passed))).toBe("verify");
      expect(mfaRequirementNotice(client(MONDAY, true), MONDAY + days(passed))).toBeNull();
    }
  });

  test("may not switch it off, not even during the grace period", () => {
    expect(mayDisableMfa(client(MONDAY))).toBe(false);
  });
});
