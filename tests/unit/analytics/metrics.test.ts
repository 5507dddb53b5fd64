import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { StaticRouter } from "react-router-dom/server";
import { expect, test } from "vitest";
import { COUNT, type Counts, sumDays } from "~/features/analytics/counts";
import { shareInWords } from "~/features/analytics/labels";
import {
  BACKLOG_AGES,
  bucketOf,
  parsePeriod,
  parseRange,
  type Range,
  timesOf,
  trendMonths,
} from "~/features/analytics/model";
import { backlogChanges, type DayState, measureTicket, type TicketHistory } from "~/features/analytics/ticket-metrics";
import { TrendsPanel } from "~/features/analytics/trends-panel";
import { addDays, days, minutes } from "~/lib/time";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";
import { chicago } from "../../support/sla-story";

const random = seededRandom(7);
const FIRST = "2026-11-01";
const day = (count: number) => addDays(FIRST, count);

test("median and 90th percentile of any times are exact within 5 %, the mean is exact", () => {
  for (const n of [1, 2, 5, 40, 999]) {
    const times = Array.from({ length: n }, () => Math.round(minutes(1) * 1.013 ** random.between(0, 900)));
    const sorted = times.toSorted((one, other) => one - other);
    const histogram = new Map<number, number>();
    for (const time of times) histogram.set(bucketOf(time), (histogram.get(bucketOf(time)) ?? 0) + 1);
    const sum = times.reduce((total, time) => total + time);
    const { median, p90, mean } = timesOf(histogram, sum);
    const at = (rank: number) => sorted[rank - 1] ?? 0;
    const exact = (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2;
    expect(Math.abs((median ?? 0) / exact - 1)).toBeLessThan(0.05);
    expect(Math.abs((p90 ?? 0) / at(Math.ceil(0.9 * n)) - 1)).toBeLessThan(0.05);
    expect(mean).toBe(sum / n);
  }
});

test("the backlog of each day is what somebody would count who looked at every ticket that evening", () => {
  for (let round = 0; round < 200; round += 1) {
    const changedOn = Array.from({ length: random.between(0, 5) }, () => random.between(1, 60)).sort((a, b) => a - b);
    const states: DayState[] = [{ day: FIRST, isActive: true }];
    for (const on of new Set(changedOn)) states.push({ day: day(on), isActive: random.next() < 0.5 });
    const changes = backlogChanges(FIRST, states);
    const sums = [0, 0, 0, 0];
    for (let on = 0; on < 70; on += 1) {
      for (const age of sums.keys()) sums[age] = (sums[age] ?? 0) + (changes.get(day(on))?.[COUNT.backlog(age)] ?? 0);
      const isActive = states.findLast((state) => state.day <= day(on))?.isActive;
      const age = BACKLOG_AGES.findLastIndex((first) => first <= on);
      expect(sums).toEqual([0, 1, 2, 3].map((each) => (isActive && each === age ? 1 : 0)));
    }
  }
});

test("in any period each ticket that was resolved in it counts once", () => {
  const calendars = { zone: "America/Chicago", at: () => chicago };
  const noon = (count: number) => Date.parse(`${day(count)}T18:00:00Z`);
  const stored: { day: string; counts: Counts }[] = [];
  const ends: number[][] = [];
  for (let ticket = 0; ticket < 60; ticket += 1) {
    const moves = [...new Set(Array.from({ length: random.between(1, 7) }, () => random.between(1, 40)))].sort(
      (a, b) => a - b,
    );
    ends.push(moves.filter((_, index) => index % 2 === 0));
    const history: TicketHistory = {
      ...{ id: `tkt_${ticket}`, organizationId: "org_a", priority: "low", createdAt: noon(0), resolvedAt: null },
      status: moves.length % 2 === 1 ? "resolved" : "open",
      events: moves.map((on, index) => ({
        ...{ kind: "status", at: noon(on) },
        ...(index % 2 === 0 ? { from: "open", to: "resolved" } : { from: "resolved", to: "open" }),
      })),
      ...{ clientWroteAt: null, staffWroteAt: null, staffAnsweredAt: null, isOpenedByStaff: false, votes: [] },
    };
    for (const { day: on, counts } of measureTicket(history, calendars))
      stored.push({ day: on, counts: JSON.parse(counts) as Counts });
  }
  for (let from = 0; from < 40; from += 3)
    for (let to = from; to < 42; to += 4) {
      const total = sumDays(stored, { from: day(from), to: day(to) });
      const last = ends.flatMap((own) => own.filter((on) => on >= from && on <= to).slice(-1));
      expect(total.resolved ?? 0).toBe(last.length);
      expect(total["resolved_sum.low"] ?? 0).toBe(last.reduce((sum, on) => sum + days(on), 0));
    }
});

test("a percentage is shown from five cases on", () => {
  expect([0, 4, 5].map((n) => shareInWords({ part: n === 0 ? 0 : 3, n }))).toEqual(["—", "3 of 4", "60%"]);
});

test("ranges and periods are read, or it is said what is wrong with them", () => {
  expect([null, "", "7", "365", "8", "07", "1e1"].map(parseRange)).toEqual([30, 30, 7, 365, null, null, null]);
  expect(parsePeriod("2026-11-01", "2026-11-22", "2026-11-22")).toMatchObject({ ok: true });
  expect(parsePeriod("2026-11-01", "2026-11-23", "2026-11-22")).toEqual({ ok: false, problem: "future" });
  expect(trendMonths(30, "2026-03-31").map(({ from, to }) => `${from} ${to}`)).toEqual([
    ...["2025-10-01 2025-10-31", "2025-11-01 2025-11-30", "2025-12-01 2025-12-31"],
    ...["2026-01-01 2026-01-31", "2026-02-01 2026-02-28", "2026-03-01 2026-03-31"],
  ]);
});

test("an imported ticket of which nobody knows when it was closed is resolved, in no time that counts", () => {
  const calendars = { zone: "America/Chicago", at: () => chicago };
  const at = Date.parse("2026-11-03T18:00:00Z");
  const history: TicketHistory = {
    ...{ id: "tkt_a", organizationId: "org_a", priority: "low", createdAt: at, resolvedAt: at, status: "closed" },
    ...{
      events: [],
      votes: [],
      clientWroteAt: null,
      staffWroteAt: null,
      staffAnsweredAt: null,
      isOpenedByStaff: false,
    },
  };
  const resolved = (ticket: TicketHistory) => measureTicket(ticket, calendars).find(({ kind }) => kind === "resolved");
  expect(resolved({ ...history, isImported: true })).toMatchObject({
    ...{ total_time: null, counts: JSON.stringify({ [COUNT.resolved]: 1 }) },
  });
  expect(resolved({ ...history, isImported: true, resolvedAt: at + minutes(5) })?.total_time).toBe(minutes(5));
  expect(resolved(history)?.total_time).toBe(0);
});

function shown(range: Range) {
  const months = trendMonths(range, "2026-11-20").map((days) => ({ ...days, created: 3, resolved: 2, openAtEnd: 1 }));
  const html = renderToStaticMarkup(
    createElement(StaticRouter, { location: "/" }, createElement(TrendsPanel, { months, range })),
  );
  const sentence = /<small[^>]*>(.*?)<\/small>/.exec(html)?.[1] ?? "";
  return {
    sentence: sentence.slice(0, sentence.indexOf(".", sentence.indexOf(".") + 1) + 1),
    columns: html.match(/<text [^>]*font-semibold[^>]*>/g)?.length ?? 0,
    rows: html.match(/<b>[^<]*<\/b>/g)?.length ?? 0,
  };
}

test.each<[Range, string, number]>([
  [7, "The last 6 months. The chosen range is in the marked one; the others are for comparison.", 1],
  [30, "The last 6 months. The chosen range touches the 2 marked ones; the others are for comparison.", 2],
  [90, "The last 6 months. The chosen range touches the 4 marked ones; the others are for comparison.", 4],
])("the months that the last %i days touch are marked, in the drawing and in the table, and the sentence says so", (range, sentence, marked) => {
  expect(shown(range)).toEqual({ sentence, columns: marked, rows: marked });
});

test("of a year all twelve months are of the range", () => {
  expect(shown(365)).toMatchObject({
    sentence: expect.stringMatching(/^The 12 months of the chosen range\./),
    rows: 12,
  });
});
