import { expect, test } from "vitest";
import { type Attempt, MAX_ATTEMPTS, nextStep } from "~/features/mail/lease-outbox.server";
import { nextProbe } from "~/features/mail/mail-pause.server";
import { hours, minutes, seconds } from "~/lib/time";
import type { SendOutcome } from "~/platform/mailer.server";

const NOW = Date.parse("2026-11-18T15:00:00Z");

const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  attempts: 1,
  isIdempotent: true,
  now: NOW,
  age: 0,
  random: 1,
  ...changes,
});

const transient: SendOutcome = { kind: "transient", reason: "http_503" };
const unknown: SendOutcome = { kind: "unknown", reason: "timeout" };

test("a mail that was taken is sent", () => {
  expect(nextStep({ kind: "sent", messageId: "1" }, attempt())).toEqual({ status: "sent", messageId: "1" });
});

test("a rejection for good is not tried again", () => {
  expect(nextStep({ kind: "permanent", reason: "http_422" }, attempt())).toEqual({ status: "dead" });
});

test("the longest wait doubles with each try", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => {
    const step = nextStep(transient, attempt({ attempts }));
    return step.status === "pending" ? (step.at ?? 0) - NOW : null;
  });
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920].map(seconds));
});

test("the wait is drawn from the whole range, so that mails do not come back together", () => {
  expect(nextStep(transient, attempt({ attempts: 3, random: 0 }))).toEqual({
    status: "pending",
    at: NOW,
    counts: true,
  });
  const half = nextStep(transient, attempt({ attempts: 3, random: 0.5 }));
  expect(half).toEqual({ status: "pending", at: NOW + minutes(1), counts: true });
});

test("the eighth failure is the last one", () => {
  expect(nextStep(transient, attempt({ attempts: MAX_ATTEMPTS - 1 })).status).toBe("pending");
  expect(nextStep(transient, attempt({ attempts: MAX_ATTEMPTS }))).toEqual({ status: "dead" });
});

test("wrong set-up is tried hourly, however long its repair takes", () => {
  const step = nextStep({ kind: "configuration", reason: "http_401" }, attempt({ attempts: 50 }));
  expect(step).toEqual({ status: "pending", at: NOW + hours(1), counts: false });
});

test("a quota that is used up costs a mail no attempt and no place in the order, however often it is met", () => {
  const outcome: SendOutcome = { kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" };
  expect(nextStep(outcome, attempt({ attempts: 50 }))).toEqual({ status: "pending", at: null, counts: false });
});

test("during a used-up quota a mail is tried each hour, and soon after the day begins by the clock of providers", () => {
  expect(nextProbe(NOW, 1)).toBe(NOW + hours(1));
  const midnight = Date.parse("2026-11-19T00:00:00Z");
  expect(nextProbe(midnight - minutes(30), 0)).toBe(midnight);
  expect(nextProbe(midnight - minutes(50), 1)).toBe(midnight + minutes(10));
  expect(nextProbe(midnight - minutes(30), 1)).toBe(midnight + minutes(15));
  expect(nextProbe(midnight, 0)).toBe(midnight + hours(1));
});

test.each([
  [0, seconds(30)],
  [minutes(10), minutes(10)],
  [hours(9), hours(1)],
])("a mail of %d ms that came too fast is tried within %d ms, without ever being given up", (age, longest) => {
  const outcome: SendOutcome = { kind: "rate_limited", reason: "http_429" };
  const step = nextStep(outcome, attempt({ attempts: 50, age }));
  expect(step).toEqual({ status: "pending", at: NOW + longest, counts: false });
});

test("an unclear answer is tried again only where a second send is recognized", () => {
  expect(nextStep(unknown, attempt({ isIdempotent: true })).status).toBe("pending");
  expect(nextStep(unknown, attempt({ isIdempotent: false }))).toEqual({ status: "uncertain" });
});

test("a clear rejection is tried again even where a second send would not be recognized", () => {
  expect(nextStep(transient, attempt({ isIdempotent: false })).status).toBe("pending");
});
