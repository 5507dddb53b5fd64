import { type SQL, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import type { Statement } from "~/db/client.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { Ctx } from "~/platform/context.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";

type Changed = { id: string; organizationId: string; label: string; isPrivate: boolean };

/**
 * Returns what a ticket is called, by the number in the database: one that is being opened gets it inside the batch.
 */
const referenceOf = (id: string): SQL => sql`(SELECT 'T-' || number FROM support_tickets WHERE id = ${id})`;

/**
 * Returns the statements that let open pages look again. People of the organization learn only that the ticket has
 * changed, and of one that not all of them may read not even which.
 */
export function liveStatements(ctx: Ctx, changed: Changed): Statement[] {
  const { id } = changed;
  const subject = { type: "ticket", id } as const;
  const label = sql`${referenceOf(id)} || ${`: ${changed.label.replace(/\s+/g, " ").trim()}`}`;
  return [
    recordLiveEvent(ctx, { audience: "staff", type: "ticket_event", subject, label }),
    liveStatementForClients(ctx, changed),
  ];
}

/** Returns the statement that lets open pages of one organization look again. */
export function liveStatementForClients(
  ctx: Ctx,
  { id, organizationId, isPrivate }: Omit<Changed, "label">,
): Statement {
  const isHidden = isPrivate
    ? sql`1`
    : sql`(SELECT visibility FROM organizations WHERE id = ${organizationId}) IS NOT 'all'`;
  const unlessHidden = (text: string | SQL) => sql`CASE WHEN ${isHidden} THEN '' ELSE ${text} END`;
  return recordLiveEvent(ctx, {
    audience: organizationAudience(organizationId),
    type: "ticket_event",
    subject: { type: "ticket", id: unlessHidden(id) },
    label: unlessHidden(referenceOf(id)),
  });
}

/** Lets open pages and the outbox know of a change that was committed: of all organizations that it concerns. */
export function afterTicketChange(ctx: Ctx, ...organizationIds: string[]): void {
  ctx.after(ctx.live.notify("staff"));
  for (const id of new Set(organizationIds)) ctx.after(ctx.live.notify(organizationAudience(id)));
  ctx.after(deliverOutbox(ctx));
}
