import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit, expectRow, findClaim } from "~/db/client.server";
import { tickets } from "~/db/schema/tickets";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import { type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { untilWritten } from "~/platform/not-now.server";
import { type TicketChange, ticketChangeStatements } from "../change-ticket.server";
import { assignmentChange } from "../changes/assign-ticket.server";
import { statusChange } from "../changes/change-status.server";
import type { TicketActor, TicketStatus } from "../model";
import type { TakenIncidents } from "../promise-step.server";
import { findTicketForStaff, type StoredTicket } from "../queries.server";
import { afterTicketChange } from "../ticket-live-events.server";

/**
 * Counts what became of the selected tickets. Those that somebody else has changed since the list was read are skipped.
 */
export type ManyOutcome = { changed: number; unchanged: number; skipped: number };

type Many = { selection: Selection; nonce: string };

/** Gives the selected tickets to a member of staff, or takes them away from everybody. */
export async function assignMany(
  ctx: Ctx,
  actor: SignedIn,
  { assigneeId, ...many }: Many & { assigneeId: string | null },
): Promise<Result<ManyOutcome, "assignee_not_staff">> {
  const assignee = assigneeId === null ? null : (await listStaff(ctx.db)).find(({ id }) => id === assigneeId);
  if (assignee === undefined) return fail("assignee_not_staff");
  const outcome = await changeMany(ctx, actor, {
    ...many,
    scope: "tickets-assign",
    wanted: assigneeId,
    planOf: (ticket) => (ticket.assignee?.id === assignee?.id ? null : assignmentChange(ticket, assignee)),
  });
  return ok(outcome);
}

/** Moves the selected tickets to a status. None is resolved so: that takes a note of what was done on each of them. */
export function changeStatusOfMany(
  ctx: Ctx,
  actor: SignedIn,
  { status, ...many }: Many & { status: Exclude<TicketStatus, "resolved"> },
): Promise<ManyOutcome> {
  return changeMany(ctx, actor, {
    ...many,
    scope: "tickets-status",
    wanted: status,
    planOf: (ticket, by) => (ticket.status === status ? null : statusChange(ctx, by, { ticket, status })),
  });
}

type Plan = Many & {
  scope: string;
  /** Holds what the form has asked for. */
  wanted: string | null;
  planOf: (ticket: StoredTicket, by: TicketActor) => TicketChange | null;
};

/**
 * Changes tickets in one batch, each with its history, audit, promise and announcement. The same rows posted again with
 * one form change nothing and return the same counts. If somebody has changed one of the tickets in between, it decides
 * again.
 */
async function changeMany(
  ctx: Ctx,
  actor: SignedIn,
  { selection, nonce, scope, wanted, planOf }: Plan,
): Promise<ManyOutcome> {
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "staff" };
  // A page that could not be read again has the same token for something else, and for other rows.
  const key = `${nonce}:${fingerprintOf(JSON.stringify([wanted, selection.rows]))}`;
  return untilWritten(ctx, async () => {
    const [found, claimed] = await Promise.all([findUnchanged(ctx, selection), findClaim(ctx.db, key, scope)]);
    if (claimed !== null) return JSON.parse(claimed) as ManyOutcome;
    const planned = found.unchanged.flatMap((ticket) => {
      const change = planOf(ticket, by);
      return change ? { ticket, change } : [];
    });
    const outcome = {
      changed: planned.length,
      unchanged: found.unchanged.length - planned.length,
      skipped: found.skipped,
    };
    if (planned.length === 0) return outcome;
    const taken: TakenIncidents = new Map();
    const statements = await Promise.all(planned.map((one) => ticketChangeStatements(ctx, by, { ...one, taken })));
    const written = await commit(ctx.db, [
      ...claimKey(ctx.db, { key, scope, resultLocation: JSON.stringify(outcome), at: ctx.now() }),
      ...planned.map(({ ticket }) =>
        expectRow(ctx.db, tickets, and(eq(tickets.id, ticket.id), eq(tickets.version, ticket.version))),
      ),
      ...statements.flat(),
    ]);
    if (!written) return undefined;
    for (const id of new Set(planned.map(({ ticket }) => ticket.organization.id))) afterTicketChange(ctx, id);
    return outcome;
  });
}

/** Finds those of the selected tickets that are as the list showed them, and counts the others that still exist. */
async function findUnchanged(ctx: Pick<Ctx, "db">, selection: Selection) {
  const rows = await ctx.db.all<{ id: string; isSame: number }>(sql`
    SELECT t.id, t.version = s.version AS isSame FROM ${selectionTable(selection)} s
    JOIN support_tickets t ON t.id = s.id ORDER BY s.position`);
  const same = rows.filter(({ isSame }) => isSame === 1);
  const read = await Promise.all(same.map(({ id }) => findTicketForStaff(ctx.db, id)));
  return { unchanged: read.filter((ticket) => ticket !== null), skipped: rows.length - same.length };
}
