import { eq, sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { commit, expectThat } from "~/db/client.server";
import { bulkTicketChanges } from "~/db/schema/ticket-work";
import { listStaff } from "~/features/users/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import { plural } from "~/lib/text";
import { hours } from "~/lib/time";
import { BULK_LIMIT } from "~/lists/model";
import { type SelectedRow, type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { untilWritten } from "~/platform/run-command.server";
import { holds, stillBelongs } from "../access.server";
import {
  afterTicketChange,
  assignmentChange,
  type TicketChange,
  ticketChangeStatements,
} from "../change-ticket.server";
import { statusChange } from "../commands.server";
import type { TicketActor, TicketStatus } from "../model";
import { findTicketsForStaff, type StoredTicket } from "../queries.server";
import type { TakenIncidents } from "../sla/targets.server";

/** Limits the tickets of one batch: each takes up to fifteen statements. */
const CHUNK = 20;

/**
 * Ends the part of a change that is done at once, with room for another batch: the platform ends an invocation at 1,000
 * statements.
 */
const STATEMENTS_AT_ONCE = 600;

/** Skipped: somebody else has changed them since the list was read. Waiting: their turn comes within minutes. */
export type ManyOutcome = Record<"changed" | "unchanged" | "skipped" | "waiting", number>;

/** Says what changes, and to what. No ticket is resolved so: that takes a note of what was done on each of them. */
type Wanted =
  | { property: "status"; value: Exclude<TicketStatus, "resolved"> }
  | { property: "assignee"; value: string | null };

type BulkChange = typeof bulkTicketChanges.$inferSelect;

/**
 * Changes the selected tickets in batches, each ticket with its history, audit, promise and notification. What does not
 * fit into this invocation goes on each minute, in the name of whoever ordered it, while they are staff. The same form
 * posted again changes nothing more and returns how far it is.
 */
export async function changeMany(
  ctx: Ctx,
  actor: SignedIn,
  { selection, nonce, wanted }: { selection: Selection; nonce: string; wanted: Wanted },
): Promise<Result<ManyOutcome, "assignee_not_staff">> {
  if ((await planFor(ctx, wanted)) === null) return fail("assignee_not_staff");
  // A page that could not be read again has the same token for something else, and for other rows.
  const id = `${nonce}:${fingerprintOf(JSON.stringify([wanted, selection.rows]))}`;
  const rows = await ctx.db.all<SelectedRow>(sql`SELECT t.id, s.version FROM ${selectionTable(selection)} s
    JOIN support_tickets t ON t.id = s.id ORDER BY s.position LIMIT ${BULK_LIMIT}`);
  await ctx.db
    .insert(bulkTicketChanges)
    .values({ id, ordered_by: actor.userId, ordered_at: ctx.now(), ...wanted, rows_json: JSON.stringify(rows) })
    .onConflictDoNothing();
  return ok(await goOn(ctx, id));
}

/** Goes on with the oldest change that a request had no room for. One that fails for an hour is given up. */
export async function continueBulkChange(ctx: Ctx): Promise<{ count: number; more: boolean }> {
  const [oldest] = await ctx.db.all<{ id: string }>(sql`SELECT id FROM bulk_ticket_changes
    WHERE finished_at IS NULL AND ordered_at > ${ctx.now() - hours(1)} ORDER BY ordered_at LIMIT 1`);
  if (!oldest) return { count: 0, more: false };
  const { changed } = await goOn(ctx, oldest.id);
  return { count: changed, more: true };
}

async function goOn(ctx: Ctx, id: string): Promise<ManyOutcome> {
  for (;;) {
    const outcome = await untilWritten(ctx, () => changeNext(ctx, id));
    const isOver = ctx.cost.queries > STATEMENTS_AT_ONCE || ctx.budget.isUsedUp();
    if (outcome.waiting === 0 || isOver) return outcome;
  }
}

/** Changes the next tickets in one batch. Undefined: somebody was faster, and it has to be decided again. */
async function changeNext(ctx: Ctx, id: string): Promise<ManyOutcome | undefined> {
  const [order] = await ctx.db.select().from(bulkTicketChanges).where(eq(bulkTicketChanges.id, id)).limit(1);
  if (!order) return { changed: 0, unchanged: 0, skipped: 0, waiting: 0 };
  const rows: SelectedRow[] = JSON.parse(order.rows_json);
  const next = rows.slice(order.position, order.position + CHUNK);
  if (order.finished_at !== null || next.length === 0) return outcomeOf(order, rows.length);
  const [person, planOf, found] = await Promise.all([
    findPerson(ctx, order.ordered_by),
    planFor(ctx, order as Wanted),
    findTicketsForStaff(
      ctx.db,
      next.map((row) => row.id),
    ),
  ]);
  const actor: TicketActor = { userId: person.id, fullName: person.name, side: "staff" };
  const isStaff = stillBelongs(actor, "");
  const isGivenUp = planOf === null || !(await holds(ctx.db, isStaff));
  const same = found.filter((ticket) => next.some((row) => row.id === ticket.id && row.version === ticket.version));
  const planned = isGivenUp
    ? []
    : same.flatMap((ticket) => {
        const change = planOf(ticket, actor);
        return change ? [{ ticket, change }] : [];
      });
  const oneOf = { taken: new Map() satisfies TakenIncidents, auditActor: person };
  const statements = await Promise.all(planned.map((one) => ticketChangeStatements(ctx, actor, { ...one, oneOf })));
  const after: BulkChange = {
    ...order,
    position: isGivenUp ? rows.length : order.position + next.length,
    changed: order.changed + planned.length,
    unchanged: order.unchanged + (isGivenUp ? 0 : same.length - planned.length),
    skipped: order.skipped + (isGivenUp ? rows.length - order.position : found.length - same.length),
  };
  const { position, changed, unchanged, skipped } = after;
  const versions = JSON.stringify(planned.map(({ ticket }) => ({ id: ticket.id, version: ticket.version })));
  const organizationIds = [...new Set(planned.map(({ ticket }) => ticket.organization.id))];
  const written = await commit(ctx.db, [
    expectThat(
      ctx.db,
      sql`EXISTS (SELECT 1 FROM bulk_ticket_changes WHERE id = ${id} AND position = ${order.position})`,
    ),
    expectThat(
      ctx.db,
      sql`NOT EXISTS (SELECT 1 FROM json_each(${versions}) planned WHERE NOT EXISTS (SELECT 1 FROM support_tickets t
        WHERE t.id = planned.value ->> 'id' AND t.version = planned.value ->> 'version'))`,
    ),
    ...(isGivenUp ? [] : [expectThat(ctx.db, isStaff)]),
    ctx.db
      .update(bulkTicketChanges)
      .set({ position, changed, unchanged, skipped, finished_at: position === rows.length ? ctx.now() : null })
      .where(eq(bulkTicketChanges.id, id)),
    ...statements.flat(),
    ...(planned[0]
      ? liveStatementsOfMany(ctx, organizationIds, `${plural(planned.length, "ticket")}: ${planned[0].change.label}`)
      : []),
  ]);
  if (!written) return undefined;
  if (planned.length > 0) afterTicketChange(ctx, ...organizationIds);
  return outcomeOf(after, rows.length);
}

const outcomeOf = ({ changed, unchanged, skipped, position }: BulkChange, total: number): ManyOutcome => ({
  changed,
  unchanged,
  skipped,
  waiting: total - position,
});

/** Returns what is planned for a ticket, where null means that it is so already. Null: it cannot be done any more. */
async function planFor(
  ctx: Ctx,
  wanted: Wanted,
): Promise<((ticket: StoredTicket, by: TicketActor) => TicketChange | null) | null> {
  if (wanted.property === "status") {
    const { value: status } = wanted;
    return (ticket, by) => (ticket.status === status ? null : statusChange(ctx, by, { ticket, status }));
  }
  const { value: assigneeId } = wanted;
  const assignee = assigneeId === null ? null : (await listStaff(ctx.db)).find(({ id }) => id === assigneeId);
  if (assignee === undefined) return null;
  return (ticket) => (ticket.assignee?.id === assignee?.id ? null : assignmentChange(ticket, assignee));
}

async function findPerson({ db }: Pick<Ctx, "db">, id: string) {
  const [person] = await db.all<{ id: string; name: string; email: string; role: string }>(sql`
    SELECT u.id, u.full_name AS name, u.email, coalesce(r.role, 'user') AS role
    FROM users u LEFT JOIN user_roles r ON r.user_id = u.id WHERE u.id = ${id}`);
  return person ?? { id, name: "", email: null, role: "user" };
}

/** Returns the statements that let open pages look again, once for all tickets of a batch. */
const liveStatementsOfMany = (ctx: Ctx, organizationIds: readonly string[], label: string) => [
  recordLiveEvent(ctx, { audience: "staff", type: "ticket_event", subject: { type: "ticket", id: null }, label }),
  ...organizationIds.map((organizationId) =>
    recordLiveEvent(ctx, {
      audience: organizationAudience(organizationId),
      type: "ticket_event",
      subject: { type: "ticket", id: null },
      label: "",
    }),
  ),
];
