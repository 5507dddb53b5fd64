import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { storedSubject } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { SubjectRegistry } from "~/platform/subjects.server";
import { NOTIFICATION_SENTENCES } from "./copy";
import { NOTIFICATIONS_PER_PAGE, type NotificationPage, UNREAD_LIMIT } from "./model";
import { notificationEvent } from "./preferences/default-preferences";

/** Names whose notifications are read: of staff, or of a client in one organization, so that no list is mixed. */
export type NotificationOwner = { userId: string; organizationId: string | null };

/** Returns the owner for an actor: in the admin area without a membership, in the portal with the current one. */
export const ownNotifications = ({
  userId,
  membership,
}: {
  userId: string;
  membership: { organizationId: string } | null;
}): NotificationOwner => ({ userId, organizationId: membership?.organizationId ?? null });

/** Counts what somebody has not read, up to one more than the limit that is shown. */
export async function countUnread(db: Db, { userId, organizationId }: NotificationOwner): Promise<number> {
  const { unread } = await db.get<{ unread: number }>(sql`
    SELECT count(*) AS unread FROM (SELECT 1 FROM notifications
      WHERE user_id = ${userId} AND organization_id IS ${organizationId} AND read_at IS NULL LIMIT ${UNREAD_LIMIT + 1})`);
  return unread;
}

type Row = {
  seq: number;
  event: string;
  subjectType: string;
  subjectId: string;
  label: string;
  at: Instant;
  readAt: Instant | null;
};

/** Lists somebody's notifications, newest first, from before a number on. */
export async function listNotifications(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  { userId, organizationId }: NotificationOwner,
  before: number | null = null,
): Promise<NotificationPage> {
  const rows = await db.all<Row>(sql`
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

/** Returns the page of a subject; of several at once, the list of staff. Null: the reader has none. */
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

/** Reads from an address where the page of the list begins. Null: at the newest. */
export function beforeOf({ searchParams }: URL): number | null {
  const before = searchParams.get("before") ?? "";
  return /^\d{1,15}$/.test(before) ? Number(before) : null;
}
