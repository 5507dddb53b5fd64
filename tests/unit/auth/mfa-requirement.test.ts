import { describe, expect, test } from "vitest";
import { lacksRequiredMfa, mfaDeadline } from "~/access/mfa-requirement";
import { mayDisableMfa, mfaRequirementNotice, nextFactor } from "~/features/auth/model";
import { days } from "~/lib/time";

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
