import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import { addDays, type Duration, days, type Instant, isDay, minutes } from "~/lib/time";

/** The ranges of the page, in days that end today. */
export const RANGES = [7, 30, 90, 365] as const;
export type Range = (typeof RANGES)[number];
export const DEFAULT_RANGE: Range = 30;

/** The ages of the backlog, by the first day of each, in days since the ticket was created. */
export const BACKLOG_AGES = [0, 2, 8, 31] as const;
export type Backlog = readonly [number, number, number, number];

/** Days of the site's time zone, `YYYY-MM-DD`, both included. */
export type Days = { from: string; to: string };

/** `organizationId`: null stands for all organizations together. */
export type Period = Days & { organizationId: string | null };

export type Share = { part: number; n: number };
export type TargetCounts = { kept: number; missed: number };

/** How long something took, of so many cases. Null: there are none. */
export type Times = { n: number; median: Duration | null; p90: Duration | null; mean: Duration | null };

type PriorityMetrics = { created: number; firstResponse: Times; promises: TargetCounts; resolution: Times };

/** Everything that is measured of tickets in a period. What each means is in `METRIC_DEFINITIONS`. */
export type Metrics = Period & {
  created: number;
  byStatus: Record<TicketStatus, number>;
  byPriority: Record<TicketPriority, PriorityMetrics>;
  firstResponse: { open: Times; wall: Times };
  /** All promises, and of these the first replies. */
  promises: TargetCounts;
  firstReplyTargets: TargetCounts;
  resolved: number;
  resolution: Times;
  /** Null: nothing was resolved. */
  pausedMean: Duration | null;
  reopened: Share;
  satisfaction: Share;
  backlog: Backlog;
  /** Tickets whose latest changes are not in it yet. */
  unmeasured: number;
};

/** What a public page says of promises, and no other number: whoever asks for its data gets all of it. */
export type Promises = Pick<Metrics, "from" | "to" | "created" | "promises" | "firstResponse"> & {
  byPriority: Record<TicketPriority, Pick<PriorityMetrics, "promises" | "firstResponse">>;
  weeks: (Days & TargetCounts)[];
};

/** Of fewer tickets the page shows nothing: a few cases say little, and might be recognized. */
export const PROMISES_FROM = 30;

export type MonthMetrics = Days & { created: number; resolved: number; openAtEnd: number };

/** As the drawing of trends names it. */
export type NamedMonth = MonthMetrics & { label: string; isInRange: boolean };

export type OrganizationMetrics = { id: string; name: string; created: number; answered: number } & TargetCounts;

export type LateReply = {
  id: number;
  number: number;
  organizationId: string;
  organization: string;
  promise: "first_response" | "next_response";
  dueAt: Instant;
  /** Null: the reply has not come. */
  lateBy: Duration | null;
  /** Null or empty: nobody has said yet why. */
  reason: string | null;
};

/** One of the things that a number counts: see `ticketMetrics`. */
export type MetricRow = {
  id: number;
  day: string;
  at: Instant;
  number: number;
  title: string;
  organizationId: string;
  organization: string;
  priority: TicketPriority;
  status: TicketStatus;
  openTime: Duration | null;
  totalTime: Duration | null;
  pausedTime: Duration | null;
  detail: string | null;
};

/** `next`: where the next page begins. */
export type MetricRows = { rows: MetricRow[]; next: string | null };

export type Analytics = {
  zone: string;
  range: Range;
  metrics: Metrics;
  months: MonthMetrics[];
  activeOrganizations: number;
  withPlan: number;
  /** Those with the most tickets first; `next`: where the next page begins. */
  organizations: { rows: OrganizationMetrics[]; next: string | null };
  late: LateReply[];
};

/*
 * Times are counted in buckets whose bounds grow by a tenth: below a minute, then from 1 to 1.1 minutes, from 1.1 to
 * 1.21 and so on. What is read from them is the middle of one, so it is wrong by less than 5 %, or by half a minute.
 */
const GROWTH = 1.1;

export const bucketOf = (time: Duration): number => {
  const length = time / minutes(1);
  return length < 1 ? 0 : 1 + Math.floor(Math.log(length) / Math.log(GROWTH) + 1e-9);
};

const middleOf = (bucket: number): Duration => minutes(bucket === 0 ? 0.5 : GROWTH ** (bucket - 0.5));

/** Cases by bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** `rank`: from 1 for the shortest. */
function timeAt(histogram: Histogram, rank: number): Duration {
  let left = rank;
  for (const bucket of [...histogram.keys()].sort((one, other) => one - other)) {
    left -= histogram.get(bucket) ?? 0;
    if (left <= 0) return middleOf(bucket);
  }
  throw new RangeError("There are fewer cases than that");
}

/** The mean is exact. The median of an even number of cases is the mean of the two in the middle. */
export function timesOf(histogram: Histogram, sum: Duration): Times {
  let n = 0;
  for (const count of histogram.values()) n += count;
  if (n === 0) return { n, median: null, p90: null, mean: null };
  const median = (timeAt(histogram, Math.floor((n + 1) / 2)) + timeAt(histogram, Math.ceil((n + 1) / 2))) / 2;
  return { n, median, p90: timeAt(histogram, Math.ceil(0.9 * n)), mean: sum / n };
}

/** How long a period may be, in days: ten years. */
export const LONGEST_PERIOD = 3_660;

export type PeriodProblem = "missing" | "unreadable" | "reversed" | "future" | "too_long";

type ParsedPeriod = { ok: true; value: Days } | { ok: false; problem: PeriodProblem };

/** `today`: the day in the site's time zone. */
export function parsePeriod(from: string | null, to: string | null, today: string): ParsedPeriod {
  const no = (problem: PeriodProblem): ParsedPeriod => ({ ok: false, problem });
  if (!from || !to) return no("missing");
  if (!isDay(from) || !isDay(to)) return no("unreadable");
  if (from > to) return no("reversed");
  if (to > today) return no("future");
  const length = (Date.parse(to) - Date.parse(from)) / days(1) + 1;
  return length > LONGEST_PERIOD ? no("too_long") : { ok: true, value: { from, to } };
}

/** Null: there is no such range. */
export function parseRange(text: string | null): Range | null {
  if (text === null || text === "") return DEFAULT_RANGE;
  return RANGES.find((range) => String(range) === text) ?? null;
}

export const daysOfRange = (range: Range, today: string): Days => ({ from: addDays(today, 1 - range), to: today });

/** From the first day on; the last one may be shorter. */
export function weeksOf({ from, to }: Days): Days[] {
  const weeks: Days[] = [];
  for (let first = from; first <= to; first = addDays(first, 7)) {
    const last = addDays(first, 6);
    weeks.push({ from: first, to: last < to ? last : to });
  }
  return weeks;
}

/** The last of which is this month, up to today: six, or twelve of a year. */
export function trendMonths(range: Range, today: string): Days[] {
  const count = range === 365 ? 12 : 6;
  const months: Days[] = [];
  let to = today;
  for (let index = 0; index < count; index += 1) {
    const from = `${to.slice(0, 7)}-01`;
    months.unshift({ from, to });
    to = addDays(from, -1);
  }
  return months;
}
