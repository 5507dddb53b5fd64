import { sql } from "drizzle-orm";
import { expectChange, type Statement } from "~/db/client.server";
import { allowanceEntries } from "~/db/schema/ticket-work";
import type { Ctx } from "~/platform/context.server";
import type { AllowanceKind } from "./model";

type Person = { userId: string | null; fullName: string };

type Use = {
  organizationId: string;
  kind: AllowanceKind;
  contractYear: string;
  /** Says how often the plan allows it; null for as often as needed. */
  perYear: number | null;
  ticketId: string | null;
  by: Person;
};

/**
 * Returns the statements that write down one use. The batch fails if another has used the last one meanwhile: what was
 * promised has to be decided again.
 */
export function spendAllowance(ctx: Pick<Ctx, "db" | "newId" | "now">, use: Use): Statement[] {
  const { organizationId, kind, contractYear, perYear, ticketId, by } = use;
  const isLeft =
    perYear === null
      ? sql`1`
      : sql`(SELECT count(*) FROM allowance_entries WHERE organization_id = ${organizationId} AND kind = ${kind}
          AND contract_year = ${contractYear} AND reversed_at IS NULL) < ${perYear}`;
  return [
    // Every column in its order, as an insert from a query has them.
    ctx.db.insert(allowanceEntries).select(sql`
      SELECT ${ctx.newId("alw")}, ${organizationId}, ${kind}, ${contractYear}, ${ticketId},
        (SELECT number FROM support_tickets WHERE id = ${ticketId}), ${by.userId}, ${by.fullName}, ${ctx.now()}, NULL, NULL, NULL
      WHERE ${isLeft}`),
    expectChange(ctx.db),
  ];
}

/** Returns the statement that gives back the after-hours incident of a ticket, if it still counts. */
export const returnIncident = (
  ctx: Pick<Ctx, "db" | "now">,
  { ticketId, by, reason }: { ticketId: string; by: Person; reason: string },
): Statement =>
  ctx.db
    .update(allowanceEntries)
    .set({ reversed_at: ctx.now(), reversed_by_name: by.fullName, reversal_reason: reason })
    .where(sql`ticket_id = ${ticketId} AND kind = 'after_hours' AND reversed_at IS NULL`);
