import { sql } from "drizzle-orm";
import { ticketDrafts, ticketPeople } from "~/db/schema/tickets";
import { eraseNotificationsOf } from "~/features/notifications/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket } from "../change-ticket.server";
import { endCopies } from "../copies/end-copies.server";
import type { TicketActor } from "../model";
import { findTicketForStaff } from "../queries.server";
import { ticketSearchText } from "../search-text";

const membersOf = (organizationId: string) => sql`SELECT user_id FROM organization_memberships
  WHERE organization_id = ${organizationId} AND status = 'active' AND user_id IS NOT NULL`;

type MoveInput = { ticketId: string; organizationId: string; nonce: string };

/**
 * Moves a ticket with all that was written on it to another organization, whose promises hold from then on. Its people
 * stay on it if they are members there too; nobody else of the former organization sees it any more. Its clients there
 * are told, or the organization's admins if it has none.
 */
export function moveToOrganization(
  ctx: Ctx,
  by: TicketActor,
  { ticketId, organizationId, nonce }: MoveInput,
): Promise<Result<string, "ticket_not_found" | "organization_not_found" | "changed_since">> {
  return changeTicket<"organization_not_found">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-organization",
    key: `${nonce}:${ticketId}`,
    choice: organizationId,
    plan: async (ticket) => {
      const { id, number, title, description, organization: former } = ticket;
      if (former.id === organizationId) return ok(null);
      const [found] = await ctx.db.all<{ name: string }>(
        sql`SELECT name FROM organizations WHERE id = ${organizationId}`,
      );
      if (!found) return fail("organization_not_found");
      return ok({
        set: {
          organization_id: organizationId,
          search_text: ticketSearchText({ title, number, description, organization: found.name }),
        },
        promise: [{ type: "organization-moved", at: ctx.now() }],
        events: [{ kind: "moved", from: former.name, to: found.name }],
        statements: [
          eraseNotificationsOf(ctx.db, { type: "ticket", id }, former.id),
          ctx.db.delete(ticketPeople).where(sql`ticket_id = ${id} AND user_id NOT IN (${membersOf(organizationId)})`),
          ...endCopies(ctx, id),
          ctx.db.delete(ticketDrafts).where(sql`ticket_id = ${id} AND user_id NOT IN (${membersOf(organizationId)})
            AND user_id NOT IN (SELECT user_id FROM user_roles WHERE role IN ('admin', 'moderator'))`),
        ],
        audit: [{ action: "ticket.moved", meta: { from: former.name, to: found.name } }],
        announcement: { movedHere: true },
        label: `Moved to ${found.name}`,
      });
    },
  });
}
