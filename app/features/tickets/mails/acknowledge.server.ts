import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { hours } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Sets how long nobody gets a second confirmation: two automatic programs must not answer each other. */
const ONE_PER = hours(1);

/**
 * Returns the statement that confirms a new ticket to the client who opened it, by mail only and at once. It is a
 * receipt, no announcement: so it goes to the very person who did it, unless they have switched it off.
 */
export function acknowledgeTicket(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticketId, userId }: { ticketId: string; userId: string },
): Statement {
  const at = now();
  // Every column in its order, as an insert from a query has them.
  return db.insert(outbox).select(sql`
    SELECT 'mail_' || lower(hex(randomblob(13))), 'ticket-received', '', '', ${userId}, 'ticket', ${ticketId}, 1,
      'pending', 0, ${at}, NULL, NULL, NULL, ${at}, NULL, NULL
    WHERE coalesce((SELECT by_mail FROM notification_preferences
        WHERE user_id = ${userId} AND event = 'ticket_received'), 1)
      AND NOT EXISTS (SELECT 1 FROM outbox WHERE user_id = ${userId} AND kind = 'ticket-received'
        AND created_at > ${at - ONE_PER})`);
}
