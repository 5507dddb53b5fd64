import { expect, test } from "vitest";
import { dueAfter, type Job } from "~/jobs/job";
import { SCHEDULE } from "~/jobs/schedule";
import { days, hours, minutes } from "~/lib/time";

const job = (every: number, offset?: number): Job => ({ name: "test", every, offset, run: async () => ({ count: 0 }) });
const at = (text: string) => Date.parse(`2026-11-18T${text}Z`);

test("a start that is a second late does not delay the next run", () => {
  expect(dueAfter(job(minutes(1)), at("15:00:01.200"))).toBe(at("15:01:00.000"));
  expect(dueAfter(job(minutes(1)), at("15:00:59.999"))).toBe(at("15:01:00.000"));
});

test("a job that runs exactly on time is due again one interval later, not immediately", () => {
  expect(dueAfter(job(minutes(10)), at("15:10:00.000"))).toBe(at("15:20:00.000"));
});

test("a daily job is due at its hour, whether the last run was before or after it", () => {
  const daily = job(days(1), hours(4));
  expect(dueAfter(daily, at("03:59:00.000"))).toBe(at("04:00:00.000"));
  expect(dueAfter(daily, at("04:00:30.000"))).toBe(at("04:00:00.000") + days(1));
});

test("no two jobs share a name", () => {
  expect(new Set(SCHEDULE.map(({ name }) => name)).size).toBe(SCHEDULE.length);
});
