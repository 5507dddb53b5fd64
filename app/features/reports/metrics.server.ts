import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import type { Share } from "~/features/analytics/model";
import type { SubmissionStatus } from "~/features/submissions/model";
import { FIRST_RESPONSE, periodsIn } from "~/features/submissions/queries.server";
import { type Calendar, openTimeMeter } from "~/lib/calendar";
import { addDays, type Duration, dayIn, type Instant, minutes, startOfDay } from "~/lib/time";
import { DOMAINS_COUNTED, type ReportRequest } from "./model";

/** Read one by one. Of more, domains and response times are those of the newest. */
const SAMPLE = 1_500;

type StatusCounts = Record<SubmissionStatus, number>;

export type SubmissionMetrics = {
  total: number;
  byStatus: StatusCounts;
  days: readonly ({ day: string } & StatusCounts)[];
  response: { n: number; median: Duration; mean: Duration } | null;
  domains: readonly { domain: string; count: number }[];
  sampled: number | null;
  deleted: number;
};

/** Unlike `resolutionRate` of tickets, of the submissions that were sent in the period. */
export const resolvedNowRate = ({ byStatus, total }: Pick<SubmissionMetrics, "byStatus" | "total">): Share => ({
  part: byStatus.resolved,
  n: total,
});

type Sent = { domain: string; sentAt: Instant; answeredAt: Instant | null };

export async function readSubmissionMetrics(
  db: Db,
  { from, to }: Pick<ReportRequest, "from" | "to">,
  zone: string,
): Promise<(calendar: Calendar) => SubmissionMetrics> {
  const [start, end] = [startOfDay(zone, from), startOfDay(zone, addDays(to, 1))];
  const [days, sent, [gone]] = await Promise.all([
    db.all<{ day: string } & StatusCounts>(sql`
      SELECT period AS day, new, contacted, resolved FROM ${periodsIn([from, to])}
        AND new + contacted + resolved > 0 ORDER BY period`),
    db.all<Sent>(sql`
      SELECT substr(t.email, instr(t.email, '@') + 1) AS domain, t.created_at AS sentAt,
        ${sql.raw(FIRST_RESPONSE)} AS answeredAt
      FROM contact_submissions t INDEXED BY submissions_newest
      WHERE t.held_reason IS NULL AND t.created_at >= ${start} AND t.created_at < ${end}
      ORDER BY t.created_at DESC LIMIT ${SAMPLE}`),
    // A run of the retention has the day of UTC in which it began; there are 400 of them at most.
    db.all<{ deleted: number }>(sql`
      SELECT (SELECT coalesce(sum(submissions), 0) FROM retention_runs WHERE day >= ${dayIn("UTC", start)})
        + (SELECT coalesce(sum(submissions), 0) FROM purges WHERE requested_at >= ${start}) AS deleted`),
  ]);
  return (calendar) => ({ ...metricsOf(days, sent, calendar), deleted: gone?.deleted ?? 0 });
}

function metricsOf(
  days: SubmissionMetrics["days"],
  sent: readonly Sent[],
  calendar: Calendar,
): Omit<SubmissionMetrics, "deleted"> {
  const sum = (status: SubmissionStatus) => days.reduce((total, day) => total + day[status], 0);
  const byStatus = { new: sum("new"), contacted: sum("contacted"), resolved: sum("resolved") };
  const total = byStatus.new + byStatus.contacted + byStatus.resolved;
  return {
    total,
    byStatus,
    days,
    response: responseOf(sent, calendar),
    domains: domainsOf(sent),
    sampled: sent.length < total ? sent.length : null,
  };
}

/** In open time. The median of an even number is the mean of the two in the middle. */
function responseOf(sent: readonly Sent[], calendar: Calendar): SubmissionMetrics["response"] {
  const answered = sent.flatMap(({ sentAt, answeredAt }) => (answeredAt === null ? [] : [{ sentAt, answeredAt }]));
  const n = answered.length;
  if (n === 0) return null;
  const first = Math.min(...answered.map(({ sentAt }) => sentAt));
  const last = Math.max(...answered.map(({ answeredAt }) => answeredAt));
  // Somebody may have put away at once what had come years before.
  const openTimeUntil = openTimeMeter(calendar, first, last);
  const times = answered
    .map(({ sentAt, answeredAt }) => openTimeUntil(answeredAt) - openTimeUntil(sentAt))
    .sort((one, other) => one - other);
  const [low = 0, high = 0] = [times[Math.floor((n - 1) / 2)], times[Math.ceil((n - 1) / 2)]];
  return { n, median: (low + high) / 2, mean: times.reduce((sum, time) => sum + time, 0) / n };
}

/** Of equally frequent ones the first by name. */
function domainsOf(sent: readonly Sent[]): SubmissionMetrics["domains"] {
  const counts = new Map<string, number>();
  for (const { domain } of sent) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts]
    .map(([domain, count]) => ({ domain, count }))
    .sort((one, other) => other.count - one.count || (one.domain < other.domain ? -1 : 1))
    .slice(0, DOMAINS_COUNTED);
}

export type RoleCounts = Record<"admin" | "moderator" | "user", number>;

/** By month, `YYYY-MM`. */
export type UserMetrics = { months: readonly ({ month: string } & RoleCounts)[]; now: RoleCounts };

const NONE: RoleCounts = { admin: 0, moderator: 0, user: 0 };

/** In minutes: quarters of an hour, and days of UTC. */
const QUARTER = 15;
const DAY = 1440;

/** A row for each day, and for the quarters of an hour of two days a month, however many accounts there are. */
export async function readUserMetrics(
  db: Db,
  { from, to }: Pick<ReportRequest, "from" | "to">,
  zone: string,
): Promise<UserMetrics> {
  const months = monthsOf(from, to);
  const parts = months.flatMap((month) => {
    const first = month === from.slice(0, 7) ? from : `${month}-01`;
    const next = month === to.slice(0, 7) ? addDays(to, 1) : firstOfNext(month);
    return partsOf(startOfDay(zone, first), startOfDay(zone, next)).map((part) => ({ month, ...part }));
  });
  const [rows, totals] = await Promise.all([
    db.all<{ month: string } & RoleCounts>(sql`
      SELECT p.value ->> 'month' AS month, sum(c.admin) AS admin, sum(c.moderator) AS moderator, sum(c.user) AS user
      FROM json_each(${JSON.stringify(parts)}) p CROSS JOIN account_counts c
        ON c.length = p.value ->> 'length' AND c.step >= p.value ->> 'from' AND c.step < p.value ->> 'until'
      GROUP BY 1`),
    readTotals(db, ["user.admin", "user.user"]),
  ]);
  const counted = new Map(rows.map(({ month, ...counts }) => [month, counts]));
  return {
    months: months.map((month) => ({ month, ...(counted.get(month) ?? NONE) })),
    now: { admin: totals.admin ?? 0, moderator: totals.moderator ?? 0, user: totals.user ?? 0 },
  };
}

function partsOf(start: Instant, end: Instant): { length: number; from: number; until: number }[] {
  const [first, last] = [Math.ceil(start / minutes(DAY)), Math.floor(end / minutes(DAY))];
  const quarters = (from: Instant, until: Instant) => ({
    length: QUARTER,
    from: from / minutes(QUARTER),
    until: until / minutes(QUARTER),
  });
  if (first > last) return [quarters(start, end)];
  return [
    quarters(start, first * minutes(DAY)),
    { length: DAY, from: first, until: last },
    quarters(last * minutes(DAY), end),
  ];
}

const firstOfNext = (month: string): string => `${addDays(`${month}-01`, 31).slice(0, 7)}-01`;

function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = firstOfNext(month).slice(0, 7))
    months.push(month);
  return months;
}
