import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { notifications } from "~/db/schema/notifications";
import { mailEvents, outbox } from "~/db/schema/outbox";
import type { MailKind } from "~/features/mail/kinds";
import type { Subject } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { BUNDLED_FOR, NOTIFICATION_EVENTS, type NotificationEvent, UNDO_WINDOW } from "./model";

const MAX_LABEL = 200;

type Notification = {
  subject: Subject;
  recipients: readonly Recipients[];
  /** Names who did it, and is never told; `userId` null: a job. */
  actor: { userId: string | null };
  notTo?: readonly string[];
};

/** `people`: a query for `user_id`, `organization_id` (NULL for staff). */
type Recipients = { event: NotificationEvent; people: SQL };

type NewNotification = Notification & {
  label: SQL;
  itemId: string;
  actor: { fullName: string };
  detail?: string;
  /** Null: people are told in the product only. */
  mail: MailKind | null;
  /** Holds the mail back until then, even if it could leave earlier. */
  holdUntil?: Instant;
  /** Such mails leave without waiting for further events, or for the end of quiet hours. */
  isUrgent?: SQL;
};

/**
 * For the batch of the change: queries inside it decide who is told, so nobody is who lost access a moment before.
 * Events about one subject within two minutes are one mail to each person, until a drain claims it.
 */
export function notifyPeople(ctx: Pick<Ctx, "db" | "now">, notification: NewNotification): Statement[] {
  const { subject, label, itemId, actor, detail = "", holdUntil, isUrgent = sql`0` } = notification;
  const recipient = recipientsOf(notification);
  const now = ctx.now();
  const leavesAt = sql`max(CASE WHEN ${isUrgent} THEN ${now} ELSE ${now + BUNDLED_FOR} END, ${holdUntil ?? now})`;
  const openMail = sql`FROM outbox o WHERE o.user_id = recipient.user_id AND o.subject_id = ${subject.id}
    AND o.subject_type = ${subject.type} AND o.kind = ${notification.mail} AND o.status = 'pending' AND o.params_enc = ''`;
  // Every column in its order, as an insert from a query has them.
  const inProduct = ctx.db.insert(notifications).select(sql`
    SELECT NULL, user_id, organization_id, event, ${subject.type}, ${subject.id}, substr(${label}, 1, ${MAX_LABEL}),
      ${now}, NULL
    FROM (${recipient}) recipient WHERE in_app`);
  if (notification.mail === null) return [inProduct];
  // Runs before the event is in the mail: its own time to be taken back is in `leavesAt`.
  const sendOpenMails = ctx.db
    .update(outbox)
    .set({
      priority: 0,
      next_at: sql`min(${outbox.next_at}, max(${leavesAt}, coalesce((SELECT max(e.at) FROM mail_events e
        WHERE e.outbox_id = ${outbox.id}), 0) + ${UNDO_WINDOW}))`,
    })
    .where(
      sql`${isUrgent} AND ${outbox.id} IN (SELECT (SELECT o.id ${openMail} LIMIT 1) FROM (${recipient}) recipient WHERE by_mail)`,
    );
  return [
    inProduct,
    ...(notification.isUrgent ? [sendOpenMails] : []),
    ctx.db.insert(outbox).select(sql`
      SELECT 'mail_' || lower(hex(randomblob(13))), ${notification.mail}, '', '', user_id, ${subject.type}, ${subject.id},
        CASE WHEN ${isUrgent} THEN 0 ELSE 1 END, 'pending', 0, ${leavesAt}, NULL, NULL, NULL, ${now}, NULL, NULL, NULL
      FROM (${recipient}) recipient WHERE by_mail AND NOT EXISTS (SELECT 1 ${openMail}) GROUP BY user_id`),
    ctx.db
      .insert(mailEvents)
      .select(sql`
      SELECT (SELECT o.id ${openMail} LIMIT 1), event, ${itemId}, ${detail}, ${actor.fullName}, ${now}
      FROM (${recipient}) recipient WHERE by_mail`)
      .onConflictDoNothing(),
    ...(holdUntil ? [holdMails(ctx, itemId, holdUntil)] : []),
  ];
}

/** Also those that were about to leave. The plus keeps SQLite from going through every mail that waits. */
const holdMails = ({ db }: Pick<Ctx, "db">, itemId: string, until: Instant): Statement =>
  db
    .update(outbox)
    .set({ next_at: sql`max(${outbox.next_at}, ${until})` })
    .where(
      sql`${outbox.id} IN (SELECT outbox_id FROM mail_events WHERE item_id = ${itemId}) AND +${outbox.status} = 'pending'`,
    );

export const activeStaff: SQL = sql`SELECT r.user_id, NULL AS organization_id FROM user_roles r INDEXED BY staff_roles
  CROSS JOIN users u ON u.id = r.user_id AND u.status = 'active' WHERE r.role <> 'user'`;

const NO_STAFF_MAIL = sql`EXISTS (SELECT 1 FROM settings WHERE key = 'enableNotifications' AND value_json = 'false')`;

/** Queries who is told of something: `user_id`, `organization_id`, `event`, and how: `by_mail`, `in_app`. */
export function recipientsOf({ recipients, subject, actor, notTo = [] }: Notification): SQL {
  const people = recipients.map(({ event, people }) => {
    const { side, byMail, inApp } = NOTIFICATION_EVENTS[event];
    const isMailed = side === "staff" ? sql`NOT ${NO_STAFF_MAIL}` : sql`1`;
    return sql`SELECT user_id, organization_id, ${event} AS event, ${isMailed} AS may_mail, ${byMail ? 1 : 0} AS mail_by_default,
      ${inApp ? 1 : 0} AS in_app_by_default FROM (${people})`;
  });
  return sql`SELECT p.user_id, p.organization_id, p.event, p.may_mail AND coalesce(chosen.by_mail, p.mail_by_default) AS by_mail,
      coalesce(chosen.in_app, p.in_app_by_default) AS in_app
    FROM (${sql.join(people, sql` UNION ALL `)}) p
    LEFT JOIN notification_preferences chosen ON chosen.user_id = p.user_id AND chosen.event = p.event
    WHERE p.user_id IS NOT ${actor.userId} AND NOT EXISTS (SELECT 1 FROM muted_subjects m
      WHERE m.subject_type = ${subject.type} AND m.subject_id = ${subject.id} AND m.user_id = p.user_id)
      ${notTo.length > 0 ? sql`AND p.user_id NOT IN (SELECT value FROM json_each(${JSON.stringify(notTo)}))` : sql``}`;
}
