import { and, eq, sql } from "drizzle-orm";
import { commit, type Db, type Statement } from "~/db/client.server";
import { ticketDrafts } from "~/db/schema/tickets";
import type { Ctx } from "~/platform/context.server";
import { resultsOf } from "~/platform/run-command.server";
import { OPEN_SCOPE } from "../opening/open-ticket.server";
import type { StoredTicket } from "../queries.server";
import type { Draft } from "./queries.server";

type SavedDraft = Pick<Draft, "kind" | "text" | "begunAtMessage"> & {
  whyLate?: string;
  whatWasDone?: string;
  ticket: Pick<StoredTicket, "id">;
  userId: string;
  /**
   * Holds what the keys of the form begin with: what was sent by it, or the beginning of that, is no draft any more,
   * although a script may still keep it. Its author may go on writing where the answer was lost.
   */
  unlessSent?: string;
};

/** Keeps what somebody has begun to write on a ticket that they may see. Where all of it is empty, nothing is kept. */
export async function saveDraft(
  ctx: Pick<Ctx, "db" | "now">,
  { ticket, userId, kind, text, whyLate = "", whatWasDone = "", begunAtMessage, unlessSent }: SavedDraft,
): Promise<void> {
  if (`${text}${whyLate}${whatWasDone}`.trim() === "") {
    await discardDraft(ctx.db, { ticketId: ticket.id, userId, kind });
    return;
  }
  const texts = { message: text, why_late: whyLate, what_was_done: whatWasDone };
  const values = { ...texts, begun_at_message: begunAtMessage, updated_at: ctx.now() };
  const begun = text.trim();
  const sent = unlessSent
    ? resultsOf(unlessSent, ["ticket-reply", "ticket-note", OPEN_SCOPE])
    : sql`SELECT '' AS result WHERE 0`;
  const t = ticketDrafts;
  await ctx.db
    .insert(t)
    .select(sql`
      SELECT organization_id, id, ${userId}, ${kind}, ${text}, ${begunAtMessage}, ${ctx.now()}, ${whyLate}, ${whatWasDone}
      FROM support_tickets WHERE id = ${ticket.id} AND NOT EXISTS (
        SELECT 1 FROM (${sent}) sent LEFT JOIN ticket_messages m ON m.id = sent.result
        WHERE (m.id IS NULL OR (${begun} <> '' AND substr(m.message, 1, length(${begun})) = ${begun})))`)
    .onConflictDoUpdate({ target: [t.ticket_id, t.user_id, t.kind], set: values });
}

type KeptResolution = { ticket: Pick<StoredTicket, "id" | "publicMessages">; userId: string; whatWasDone: string };

/**
 * Returns the statement that keeps, once a message is sent and its draft taken away, what was begun to be said of the
 * resolution.
 */
export function keepResolutionStatement(
  { db, now }: Pick<Ctx, "db" | "now">,
  { ticket, userId, whatWasDone }: KeptResolution,
): Statement {
  // The message itself is one more.
  return db.insert(ticketDrafts).select(sql`
    SELECT organization_id, id, ${userId}, 'reply', '', ${ticket.publicMessages + 1}, ${now()}, '', ${whatWasDone}
    FROM support_tickets WHERE id = ${ticket.id}`);
}

type DraftKey = { ticketId: string; userId: string; kind: Draft["kind"] };

/** Returns the statement that takes a draft away. */
export function discardDraftStatement(db: Db, { ticketId, userId, kind }: DraftKey): Statement {
  const t = ticketDrafts;
  return db.delete(t).where(and(eq(t.ticket_id, ticketId), eq(t.user_id, userId), eq(t.kind, kind)));
}

/** Takes a draft away. */
export const discardDraft = (db: Db, key: DraftKey): Promise<unknown> => commit(db, [discardDraftStatement(db, key)]);
