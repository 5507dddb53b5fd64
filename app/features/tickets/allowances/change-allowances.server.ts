import { sql } from "drizzle-orm";
import { allowanceEntries } from "~/db/schema/ticket-work";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { changeTicket } from "../change-ticket.server";
import type { TicketActor } from "../model";
import { findTicketForStaff } from "../queries.server";
import { spendAllowance } from "./ledger.server";
import { type AllowanceKind, contractYearOf } from "./model";

/** Writes down an onsite visit for a ticket. One that exceeds the plan counts as well: it is charged. */
export const recordVisit = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, nonce }: { ticketId: string; nonce: string },
): Promise<Result<string, "ticket_not_found">> =>
  changeTicket<never>(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-visit",
    key: nonce,
    plan: async (ticket) => {
      const { id, organization } = ticket;
      const { timeZone: zone } = await getSettings(ctx.db);
      const contractYear = contractYearOf({ contractStartedAt: organization.contractStartedAt, zone }, ctx.now());
      const use = {
        organizationId: organization.id,
        kind: "onsite",
        contractYear,
        perYear: null,
        ticketId: id,
        by,
      } as const;
      return ok({
        statements: spendAllowance(ctx, use),
        events: [{ kind: "allowance_used", from: "onsite" }],
        audit: [{ action: "ticket.visit_recorded" }],
        label: "Onsite visit",
      });
    },
  });

type Reversal = {
  ticketId: string;
  entryId: string;
  /** Says why, for the client to read. */
  reason: string;
  nonce: string;
};

/** Takes an entry of a ticket back, which then does not count. One that was taken back already is left as it is. */
export const reverseAllowance = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, entryId, reason, nonce }: Reversal,
): Promise<Result<string, "ticket_not_found" | "entry_not_found">> =>
  changeTicket<"entry_not_found">(ctx, by, {
    find: () => findTicketForStaff(ctx.db, ticketId),
    scope: "ticket-allowance",
    key: `${nonce}:${entryId}`,
    plan: async (ticket) => {
      const [entry] = await ctx.db.all<{ kind: AllowanceKind; reversedAt: number | null }>(sql`
        SELECT kind, reversed_at AS reversedAt FROM allowance_entries
        WHERE id = ${entryId} AND ticket_id = ${ticket.id}`);
      if (!entry) return fail("entry_not_found");
      if (entry.reversedAt !== null) return ok(null);
      return ok({
        statements: [
          ctx.db
            .update(allowanceEntries)
            .set({ reversed_at: ctx.now(), reversed_by_name: by.fullName, reversal_reason: reason })
            .where(sql`${allowanceEntries.id} = ${entryId} AND ${allowanceEntries.reversed_at} IS NULL`),
        ],
        events: [{ kind: "allowance_reversed", from: entry.kind, reason }],
        audit: [{ action: "ticket.allowance_reversed", meta: { kind: entry.kind, reason } }],
        label: "Allowance given back",
      });
    },
  });
