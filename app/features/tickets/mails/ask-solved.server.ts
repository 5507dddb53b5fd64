import { sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { solvedQuestions } from "~/db/schema/tickets";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

/** Sets how often one person is asked at most. */
const ASKED_EVERY = days(7);

/**
 * Returns the statement that asks whoever gets the mail that a ticket was resolved whether it is solved: each person
 * once in seven days. It follows those that queue the mail, and has the time of its event.
 */
export function askSolved({ db, now }: Pick<Ctx, "db" | "now">, ticketId: string): Statement {
  const at = now();
  return db
    .insert(solvedQuestions)
    .select(sql`
      SELECT o.user_id, ${ticketId}, ${at} FROM outbox o
      WHERE o.subject_type = 'ticket' AND o.subject_id = ${ticketId} AND o.params_enc = '' AND o.user_id IS NOT NULL
        AND EXISTS (SELECT 1 FROM mail_events e WHERE e.outbox_id = o.id AND e.event = 'status_changed'
          AND e.detail = 'resolved' AND e.at = ${at})`)
    .onConflictDoUpdate({
      target: solvedQuestions.user_id,
      set: { ticket_id: sql`excluded.ticket_id`, asked_at: sql`excluded.asked_at` },
      setWhere: sql`${solvedQuestions.asked_at} <= ${at - ASKED_EVERY}`,
    });
}
