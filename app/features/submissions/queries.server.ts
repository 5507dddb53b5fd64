import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { users } from "~/db/schema/accounts";
import { organizations } from "~/db/schema/organizations";
import { attachments } from "~/db/schema/subjects";
import { contactSubmissions } from "~/db/schema/submissions";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { getSettings } from "~/features/settings/queries.server";
import { referenceNumber } from "~/lib/ids";
import type { ModerationReason } from "~/lib/moderation";
import { addDays, dayIn, type Instant } from "~/lib/time";
import { shortWeekday } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import type { FoundSubject } from "~/platform/subjects.server";
import { REPEAT_LIMIT, type Repeat, type SubmissionCounts, type SubmissionStatus } from "./model";

const t = contactSubmissions;
const fullName = sql<string>`${t.first_name} || ' ' || ${t.last_name}`.as("name");

export async function countSubmissions(db: Db): Promise<SubmissionCounts> {
  const read = await readTotals(db, ["submission.contacted", "submission.resolved"]);
  const counts = { new: read.new ?? 0, contacted: read.contacted ?? 0, resolved: read.resolved ?? 0 };
  return { ...counts, all: counts.new + counts.contacted + counts.resolved, held: read.held ?? 0 };
}

/** Both inclusive. */
export type Periods = readonly [first: string, last: string];

/** The index is named: by statistics of a time when there were few days, SQLite would read all of them. */
export const periodsIn = ([first, last]: Periods): SQL =>
  sql`submission_counts INDEXED BY sqlite_autoindex_submission_counts_1 WHERE period BETWEEN ${first} AND ${last}`;

/** By calendar days in the site's zone. Held ones do not count. */
type RecentCounts = { today: number; week: number };

/** The caller passes the zone later: the days of every zone on earth are read. */
export async function countRecent(db: Db, now: Instant): Promise<(zone: string) => RecentCounts> {
  const utcDay = new Date(now).toISOString().slice(0, 10);
  const rows = await db.all<{ period: string; count: number }>(sql`
    SELECT period, new + contacted + resolved AS count FROM ${periodsIn([addDays(utcDay, -8), addDays(utcDay, 1)])}`);
  const counts = new Map(rows.map(({ period, count }) => [period, count]));
  return (zone) => {
    const today = dayIn(zone, now);
    const week = Array.from({ length: 7 }, (_, back) => counts.get(addDays(today, -back)) ?? 0);
    return { today: week[0] ?? 0, week: week.reduce((sum, count) => sum + count, 0) };
  };
}

export async function findSubmission(db: Db, id: string) {
  const [row] = await db
    .select({
      id: t.id,
      number: t.number,
      name: fullName,
      firstName: t.first_name,
      email: t.email,
      phone: t.phone,
      company: t.company,
      message: t.message,
      status: t.status,
      moderationReason: t.held_reason,
      version: t.version,
      submittedAt: t.created_at,
      replyDueAt: t.reply_due_at,
      consentAt: t.consent_at,
      consentTermsVersion: t.consent_terms_version,
      estimateJson: t.estimate_json,
      source: t.source,
      campaign: t.campaign,
      fileId: t.attachment_id,
      fileName: sql<string>`${attachments.name}`.as("file_name"),
      fileSize: attachments.size,
      ownerId: t.owner_id,
      ownerName: users.full_name,
      followUpOn: t.follow_up_on,
      clientId: t.organization_id,
      clientName: sql<string | null>`${organizations.name}`.as("client_name"),
    })
    .from(t)
    .leftJoin(users, eq(users.id, t.owner_id))
    .leftJoin(attachments, eq(attachments.id, t.attachment_id))
    .leftJoin(organizations, eq(organizations.id, t.organization_id))
    .where(eq(t.id, id))
    .limit(1);
  if (!row) return null;
  const { fileId, fileName, fileSize, number, estimateJson, ownerId, ownerName, ...others } = row;
  const { clientId, clientName, ...details } = others;
  return {
    ...details,
    number: referenceNumber("submission", number),
    estimate: readStoredEstimate(estimateJson),
    owner: ownerId ? { id: ownerId, name: ownerName ?? "" } : null,
    file: fileId ? { id: fileId, name: fileName ?? "", bytes: fileSize ?? 0 } : null,
    client: clientId ? { id: clientId, name: clientName ?? "" } : null,
  };
}

/** That is its answer. Null while it never was. */
export const FIRST_RESPONSE =
  "(SELECT min(e.at) FROM submission_events e WHERE e.submission_id = t.id AND e.from_status = 'new')";

/** The state before its release: held submissions have no status that counts. */
export const RELEASED_FROM = "held";

/** The state before staff said that it is no record of a client. */
export const UNLINKED_FROM = "client";

export async function listRepeats(db: Db, submissionId: string): Promise<Repeat[]> {
  const rows = await db.all<Omit<Repeat, "number"> & { number: number }>(sql`
    SELECT t.id, t.number, t.status, t.created_at AS submittedAt FROM contact_submissions t
    WHERE t.email = (SELECT email FROM contact_submissions WHERE id = ${submissionId}) AND t.held_reason IS NULL
    ORDER BY t.created_at, t.id LIMIT ${REPEAT_LIMIT}`);
  return rows.map((row) => ({ ...row, number: referenceNumber("submission", row.number) }));
}

export async function findSubmissionName(
  db: Db,
  id: string,
): Promise<{ name: string; status: SubmissionStatus; moderationReason: ModerationReason | null } | null> {
  const [row] = await db
    .select({ name: fullName, status: t.status, moderationReason: t.held_reason })
    .from(t)
    .where(eq(t.id, id))
    .limit(1);
  return row ?? null;
}

export async function readDashboardMetrics({ db, now }: Pick<Ctx, "db" | "now">) {
  const at = now();
  const [counts, recentIn, { timeZone: zone }] = await Promise.all([
    countSubmissions(db),
    countRecent(db, at),
    getSettings(db),
  ]);
  return { counts, ...recentIn(zone), zone, weekday: shortWeekday(dayIn(zone, at)) };
}

export async function findSubmissionSubjects(db: Db, ids: readonly string[]): Promise<FoundSubject[]> {
  const rows = await db.all<{ id: string; label: string; number: number }>(sql`
    SELECT t.id, t.first_name || ' ' || t.last_name AS label, t.number
    FROM json_each(${JSON.stringify(ids)}) requested CROSS JOIN contact_submissions t ON t.id = requested.value`);
  return rows.map(({ number, ...row }) => ({ ...row, reference: referenceNumber("submission", number) }));
}

export const submissionExists = (id: string): SQL => sql`EXISTS (SELECT 1 FROM contact_submissions WHERE id = ${id})`;

export type SubmissionRecord = NonNullable<Awaited<ReturnType<typeof findSubmission>>>;
