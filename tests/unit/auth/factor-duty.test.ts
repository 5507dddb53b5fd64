import { describe, expect, test } from "vitest";
import { factorDueAt, factorNotice, lacksFactor, mayDisableFactor } from "~/features/auth/factor-duty";
import { nextFactor } from "~/features/auth/model";
import { days } from "~/lib/time";

const MONDAY = Date.parse("2026-11-16T09:00:00Z");
const client = (mfaDemandedAt: number | null, mfaEnabled = false) =>
  ({ role: "user", mfaDemandedAt, mfaEnabled }) as const;

test.each([
  "admin",
  "moderator",
] as const)("a %s must have a second factor at once, whatever organizations ask", (role) => {
  for (const mfaDemandedAt of [null, MONDAY]) {
    expect(lacksFactor({ role, mfaDemandedAt, mfaEnabled: false }, MONDAY)).toBe(true);
    expect(nextFactor({ role, mfaDemandedAt, mfaEnabled: false }, MONDAY)).toBe("setup");
    expect(mayDisableFactor({ role, mfaDemandedAt })).toBe(true);
  }
});

test("nobody demands one of a client without such an organization, ever", () => {
  expect(factorDueAt(client(null))).toBeNull();
  expect(nextFactor(client(null), Number.MAX_SAFE_INTEGER)).toBe("none");
  expect(factorNotice(client(null), MONDAY)).toBeNull();
  expect(mayDisableFactor(client(null))).toBe(true);
});

describe("a client whose organization demands it", () => {
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
    expect(factorNotice(client(MONDAY), now)).toEqual({ isStaff: false, daysLeft });
  });

  test("is asked for the factor they have, on the first day and on the hundredth, and hears no countdown", () => {
    for (const passed of [0, 100]) {
      expect(nextFactor(client(MONDAY, true), MONDAY + days(passed))).toBe("verify");
      expect(factorNotice(client(MONDAY, true), MONDAY + days(passed))).toBeNull();
    }
  });

  test("may not switch it off, not even during the grace", () => {
    expect(mayDisableFactor(client(MONDAY))).toBe(false);
  });
});
