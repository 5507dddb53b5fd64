import { and, eq } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { commit, expectRow } from "~/db/client.server";
import { tickets } from "~/db/schema/tickets";
import type { Ctx } from "~/platform/context.server";
import { type TicketChange, ticketChangeStatements } from "./change-ticket.server";
import { SYSTEM_ACTOR } from "./model";
import { findTicketForStaff, type StoredTicket } from "./queries.server";

/**
 * Changes a ticket because time has passed. `plan` decides by what is stored now; null: not any more. If somebody else
 * is faster, nothing changes: the next run decides again. So what runs twice happens once.
 */
export async function changeAsSystem(
  ctx: Ctx,
  ticketId: string,
  plan: (ticket: StoredTicket) => TicketChange | null,
): Promise<boolean> {
  const ticket = await findTicketForStaff(ctx.db, ticketId);
  const change = ticket && plan(ticket);
  if (!change) return false;
  const written = await commit(ctx.db, [
    expectRow(ctx.db, tickets, and(eq(tickets.id, ticketId), eq(tickets.version, ticket.version))),
    ...(await ticketChangeStatements(ctx, SYSTEM_ACTOR, { ticket, change })),
  ]);
  if (!written) return false;
  ctx.after(ctx.live.notify("staff"));
  ctx.after(ctx.live.notify(organizationAudience(ticket.organization.id)));
  return true;
}
