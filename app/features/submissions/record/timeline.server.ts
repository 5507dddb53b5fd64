import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { submissionAssignments, submissionEvents, submissionReplies } from "~/db/schema/submissions";
import { shownMailStatus } from "~/features/mail/mail-pause.server";
import type { MailStatus } from "~/features/mail/model";
import type { Instant } from "~/lib/time";
import type { StatusChange, SubmissionStatus, TimelineEntry } from "../model";
import { RELEASED_FROM } from "../queries.server";

/** Says which entries are read, the newest first: at most so many of each kind, only those before an instant. */
type Range = { limit: number; before: Instant | null };

const NEWEST: Range = { limit: 50, before: null };

const isIn = (columns: { submission_id: SQLiteColumn; at: SQLiteColumn }, submissionId: string, { before }: Range) =>
  and(eq(columns.submission_id, submissionId), before === null ? undefined : lt(columns.at, before));

/** Lists the newest changes of status of a submission. */
export async function listStatusChanges(db: Db, submissionId: string, range = NEWEST): Promise<StatusChange[]> {
  const rows = await db
    .select({
      id: submissionEvents.id,
      from: submissionEvents.from_status,
      to: submissionEvents.to_status,
      actor: submissionEvents.actor_name,
      at: submissionEvents.at,
    })
    .from(submissionEvents)
    .where(isIn(submissionEvents, submissionId, range))
    .orderBy(desc(submissionEvents.at))
    .limit(range.limit);
  return rows.map(({ from, to, ...row }) => ({ ...row, to: to as SubmissionStatus, released: from === RELEASED_FROM }));
}

type Entry<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

/** Lists the newest changes of owner and follow-up date, each with what was different before it. */
async function listAssignments(db: Db, submissionId: string, range: Range): Promise<Entry<"assignment">[]> {
  const rows = await db
    .select({
      id: submissionAssignments.id,
      actor: submissionAssignments.actor_name,
      at: submissionAssignments.at,
      owner: submissionAssignments.owner_name,
      followUpOn: submissionAssignments.follow_up_on,
    })
    .from(submissionAssignments)
    .where(isIn(submissionAssignments, submissionId, range))
    .orderBy(desc(submissionAssignments.at))
    .limit(range.limit);
  return rows.map((row, index) => {
    const previous = rows[index + 1] ?? { owner: null, followUpOn: null };
    return {
      kind: "assignment",
      ...row,
      ownerChanged: row.owner !== previous.owner,
      followUpChanged: row.followUpOn !== previous.followUpOn,
    };
  });
}

/** Lists the newest replies, each with the state of its mail. */
export async function listReplies(db: Db, submissionId: string, range: Range): Promise<Entry<"reply">[]> {
  const t = submissionReplies;
  const rows = await db
    .select({
      id: t.id,
      actorId: t.actor_id,
      actor: t.actor_name,
      at: t.at,
      message: t.message,
      mailId: t.mail_id,
      status: sql<MailStatus | null>`${sql.raw(shownMailStatus("outbox"))}`,
      sentAt: outbox.sent_at,
      reason: outbox.last_error,
    })
    .from(t)
    .leftJoin(outbox, eq(outbox.id, t.mail_id))
    .where(isIn(t, submissionId, range))
    .orderBy(desc(t.at))
    .limit(range.limit);
  return rows.map(({ mailId, status, sentAt, reason, ...row }) => ({
    kind: "reply",
    ...row,
    // A mail that was removed had been sent before.
    delivery: mailId ? { status: status ?? "sent", at: sentAt, reason: status === "bounced" ? reason : null } : null,
  }));
}

/**
 * Lists what has happened to a submission except its notes: changes of status, owner and follow-up date, and replies.
 */
export async function listTimeline(db: Db, submissionId: string, range = NEWEST): Promise<TimelineEntry[]> {
  const [changes, assignments, replies] = await Promise.all([
    listStatusChanges(db, submissionId, range),
    listAssignments(db, submissionId, range),
    listReplies(db, submissionId, range),
  ]);
  return [...changes.map((change) => ({ kind: "status" as const, ...change })), ...assignments, ...replies];
}
