import path from "node:path";
import { expect, test } from "vitest";
import { dueAfter, JOB_GROUPS, type Job } from "~/jobs/job";
import { jobsOf, SCHEDULE } from "~/jobs/schedule";
import { days, hours, minutes } from "~/lib/time";
import { loadWrangler } from "../../../scripts/lib/toolchain.mjs";

const job = (every: number, offset?: number): Job => ({
  name: "test",
  group: "upkeep",
  every,
  offset,
  run: async () => ({ count: 0 }),
});
const byName = (one: Job, other: Job) => one.name.localeCompare(other.name);
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

test("each group of jobs is called by an expression of its own that the platform is told, and by no other", async () => {
  const config = path.resolve(import.meta.dirname, "../../../wrangler.toml");
  const { triggers } = loadWrangler().unstable_readConfig({ config });
  expect(triggers.crons).toEqual(Object.values(JOB_GROUPS));
  expect(new Set(Object.values(JOB_GROUPS)).size).toBe(Object.keys(JOB_GROUPS).length);
  const called = Object.values(JOB_GROUPS).flatMap((cron) => jobsOf(cron));
  expect(called.toSorted(byName)).toEqual(SCHEDULE.toSorted(byName));
});

test("a call by hand, and one of a trigger that was set before there were groups, runs all jobs", () => {
  expect(jobsOf("* * * * *")).toEqual(SCHEDULE);
  expect(jobsOf("")).toEqual(SCHEDULE);
});
