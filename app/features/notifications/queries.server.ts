import { type SQL, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { mutedSubjects, notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { type Subject, type SubjectType, storedSubject } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { SubjectRegistry } from "~/platform/subjects.server";
import { NOTIFICATION_SENTENCES } from "./labels";
import { NOTIFICATIONS_PER_PAGE, type NotificationPage, notificationEvent, UNREAD_LIMIT } from "./model";

/** Names whose notifications are read: of staff, or of a client in one organization, so that no list is mixed. */
export type NotificationOwner = { userId: string; organizationId: string | null };

export const ownNotifications = ({
  userId,
  membership,
}: {
  userId: string;
  membership: { organizationId: string } | null;
}): NotificationOwner => ({ userId, organizationId: membership?.organizationId ?? null });

export async function countUnread(db: Db, { userId, organizationId }: NotificationOwner): Promise<number> {
  const { unread } = await db.get<{ unread: number }>(sql`
    SELECT count(*) AS unread FROM (SELECT 1 FROM notifications
      WHERE user_id = ${userId} AND organization_id IS ${organizationId} AND read_at IS NULL LIMIT ${UNREAD_LIMIT + 1})`);
  return unread;
}

export async function listNotifications(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  { userId, organizationId }: NotificationOwner,
  before: number | null = null,
): Promise<NotificationPage> {
  const rows = await db.all<{
    seq: number;
    event: string;
    subjectType: string;
    subjectId: string;
    label: string;
    at: Instant;
    readAt: Instant | null;
  }>(sql`
    SELECT seq, event, subject_type AS subjectType, subject_id AS subjectId, label, at, read_at AS readAt
    FROM notifications WHERE user_id = ${userId} AND organization_id IS ${organizationId}
      AND seq < ${before ?? Number.MAX_SAFE_INTEGER}
    ORDER BY seq DESC LIMIT ${NOTIFICATIONS_PER_PAGE + 1}`);
  const shown = rows.slice(0, NOTIFICATIONS_PER_PAGE);
  const side = organizationId === null ? "staff" : "client";
  return {
    notifications: shown.map(({ seq, event, label, at, readAt, subjectType, subjectId }) => {
      const known = notificationEvent(event);
      return {
        seq,
        at,
        text: known ? NOTIFICATION_SENTENCES[known](label) : label,
        href: pathOf(subjects, { type: subjectType, id: subjectId }, side),
        isRead: readAt !== null,
      };
    }),
    before: rows.length > shown.length ? (shown.at(-1)?.seq ?? null) : null,
  };
}

/** Null: the reader has none. */
function pathOf(
  subjects: SubjectRegistry,
  { type, id }: { type: string; id: string },
  side: "staff" | "client",
): string | null {
  const subject = storedSubject(type, id || "all");
  if (!subject) return null;
  const { pages, listPath } = subjects[subject.type];
  return (id ? pages[side]?.(id) : side === "staff" && listPath) || null;
}

/** Null: at the newest. */
export function beforeOf({ searchParams }: URL): number | null {
  const before = searchParams.get("before") ?? "";
  return /^\d{1,15}$/.test(before) ? Number(before) : null;
}

type Mute = { subject: Subject; userId: string };

export async function isMuted(db: Db, { subject: { type, id }, userId }: Mute): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM muted_subjects
    WHERE subject_type = ${type} AND subject_id = ${id} AND user_id = ${userId}`);
  return rows.length > 0;
}

export async function setMuted(db: Db, { subject: { type, id }, userId }: Mute, muted: boolean): Promise<void> {
  const isThis = sql`subject_type = ${type} AND subject_id = ${id} AND user_id = ${userId}`;
  if (!muted) return void (await db.delete(mutedSubjects).where(isThis));
  await commit(db, [
    db.insert(mutedSubjects).values({ subject_type: type, subject_id: id, user_id: userId }).onConflictDoNothing(),
    db.delete(outbox).where(sql`${isThis} AND status = 'pending'`),
  ]);
}

/** `ids`: a query for ids. */
export const eraseNotifications = (db: Db, type: SubjectType, ids: SQL): Statement[] => [
  db
    .delete(notifications)
    .where(sql`${notifications.subject_type} = ${type} AND ${notifications.subject_id} IN (${ids})`),
  db
    .delete(mutedSubjects)
    .where(sql`${mutedSubjects.subject_type} = ${type} AND ${mutedSubjects.subject_id} IN (${ids})`),
];

export const eraseNotificationsOf = (db: Db, { type, id }: Subject, organizationId: string): Statement =>
  db.delete(notifications).where(
    sql`${notifications.subject_type} = ${type} AND ${notifications.subject_id} = ${id}
        AND ${notifications.organization_id} = ${organizationId}`,
  );
