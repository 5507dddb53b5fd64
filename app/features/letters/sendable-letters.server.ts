import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";

/** Returns which mails with a letter may still be sent: to owner and admins of its organization who still want them. */
export async function listSendableLetters(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT o.id FROM json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox o ON o.id = wanted.value
    CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active'
    CROSS JOIN organization_memberships m ON m.user_id = u.id AND m.organization_id = o.subject_id
      AND m.role IN ('owner', 'admin') AND m.status = 'active'
    LEFT JOIN notification_preferences p ON p.user_id = u.id AND p.event = 'monthly_letter'
    WHERE coalesce(p.by_mail, 1)`);
  return new Set(rows.map(({ id }) => id));
}
