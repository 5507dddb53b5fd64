import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { SubmissionStatus } from "~/features/submissions/model";
import { FIRST_RESPONSE, periodsIn } from "~/features/submissions/queries.server";
import { type Calendar, openTimeMeter } from "~/lib/calendar";
import { addDays, type Duration, dayIn, type Instant, startOfDay } from "~/lib/time";
import { DOMAINS_COUNTED, type ReportRequest } from "./model";

/** Limits the submissions that are read one by one. Of more, domains and response times are those of the newest. */
const SAMPLE = 1_500;

type StatusCounts = Record<SubmissionStatus, number>;

/** Holds what is counted of the submissions that were sent in a period. */
export type SubmissionFigures = {
  total: number;
  byStatus: StatusCounts;
  /** Lists the days on which there were any, in order. */
  days: readonly ({ day: string } & StatusCounts)[];
  response: { n: number; median: Duration; mean: Duration } | null;
  domains: readonly { domain: string; count: number }[];
  /** Says how many submissions response and domains are of, if not of all. */
  sampled: number | null;
  /** Counts the submissions, of any day, that were deleted for their age since the period began. */
  deleted: number;
};

type Sent = { domain: string; sentAt: Instant; answeredAt: Instant | null };

/** Reads the figures of submissions, in one round trip: a row for each day, and some of the newest submissions. */
export async function readSubmissionFigures(
  db: Db,
  { from, to }: Pick<ReportRequest, "from" | "to">,
  zone: string,
): Promise<(calendar: Calendar) => SubmissionFigures> {
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
  return (calendar) => ({ ...figuresOf(days, sent, calendar), deleted: gone?.deleted ?? 0 });
}

function figuresOf(
  days: SubmissionFigures["days"],
  sent: readonly Sent[],
  calendar: Calendar,
): Omit<SubmissionFigures, "deleted"> {
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

/**
 * Returns how long first answers took, in open time. The median of an even number is the mean of the two in the middle.
 */
function responseOf(sent: readonly Sent[], calendar: Calendar): SubmissionFigures["response"] {
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

/** Returns the most frequent domains; of equally frequent ones the first by name. */
function domainsOf(sent: readonly Sent[]): SubmissionFigures["domains"] {
  const counts = new Map<string, number>();
  for (const { domain } of sent) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  return [...counts]
    .map(([domain, count]) => ({ domain, count }))
    .sort((one, other) => other.count - one.count || (one.domain < other.domain ? -1 : 1))
    .slice(0, DOMAINS_COUNTED);
}
