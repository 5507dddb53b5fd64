import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { MailKind } from "~/features/mail/model";
import { NOTIFICATION_EVENTS } from "./preferences/default-preferences";

const SUMMARY: MailKind = "daily-summary";

/**
 * Returns which mails to staff that are about accounts, or only about what staff see, may still be sent: summaries to
 * active staff who still want them, all others to active administrators.
 */
export async function listSendableStaffMails(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const byDefault = NOTIFICATION_EVENTS.daily_summary.byMail ? 1 : 0;
  const rows = await db.all<{ id: string }>(sql`
    SELECT o.id FROM json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox o ON o.id = wanted.value
    CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active' CROSS JOIN user_roles r ON r.user_id = u.id
    WHERE CASE WHEN o.kind = ${SUMMARY} THEN r.role <> 'user' AND coalesce((SELECT p.by_mail
        FROM notification_preferences p WHERE p.user_id = u.id AND p.event = 'daily_summary'), ${byDefault})
      ELSE r.role = 'admin' END`);
  return new Set(rows.map(({ id }) => id));
}
