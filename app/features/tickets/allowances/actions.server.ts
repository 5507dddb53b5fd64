import { sql } from "drizzle-orm";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm, rejectButton } from "~/platform/form-actions.server";
import { type ActionResult, done, notFound } from "~/platform/responses.server";
import type { TicketPageParams } from "../actions.server";
import { changeTicket } from "../change-ticket.server";
import { ReversalForm } from "../forms.server";
import { DETAILS_NOT_SAVED, DETAILS_SAVED } from "../labels";
import { type AllowanceKind, asStaff, contractYearOf, type TicketActor } from "../model";
import { findTicketForStaff } from "../queries.server";
import { giveBack, spendAllowance } from "./ledger.server";

/** One that exceeds the plan counts as well: it is charged. */
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

/** One that was taken back already is left as it is. */
export const reverseAllowance = (
  ctx: Ctx,
  by: TicketActor,
  { ticketId, entryId, reason, nonce }: { ticketId: string; entryId: string; reason: string; nonce: string },
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
        statements: [giveBack(ctx, { by, reason }, sql`id = ${entryId}`)],
        events: [{ kind: "allowance_reversed", from: entry.kind, reason }],
        audit: [{ action: "ticket.allowance_reversed", meta: { kind: entry.kind, reason } }],
        label: "Allowance given back",
      });
    },
  });

export const allowanceActions = formActions<StaffActor, TicketPageParams, ValidationError>({
  failed: DETAILS_NOT_SAVED,
})({
  visit: {
    ability: "ticket.handle",
    purpose: "ticket-visit",
    invalid: (problem, { params }) => rejectButton(params.path, problem, DETAILS_NOT_SAVED),
    run: async (ctx, actor, { params, nonce }) =>
      saved(params, await recordVisit(ctx, asStaff(actor), { ticketId: params.ticket, nonce })),
  },
  reverse_allowance: {
    ability: "ticket.handle",
    purpose: "ticket-allowance",
    form: ReversalForm,
    invalid: invalidForm(DETAILS_NOT_SAVED),
    run: async (ctx, actor, { params, input, nonce }) => {
      const reversal = { ticketId: params.ticket, entryId: input.entry, reason: input.reason, nonce };
      return saved(params, await reverseAllowance(ctx, asStaff(actor), reversal));
    },
  },
});

const saved = ({ path }: TicketPageParams, { ok }: { ok: boolean }): ActionResult<never> =>
  ok ? done({ to: path, flash: { kind: "success", ...DETAILS_SAVED } }) : notFound();
