import { type SQL, sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { countRows, type Db } from "~/db/client.server";
import { getSettings } from "~/features/settings/queries.server";
import { referenceNumber } from "~/lib/ids";
import { capped } from "~/lib/numbers";
import type { Instant } from "~/lib/time";
import { type Due, dueOf, momentInWords } from "~/lib/time-labels";
import { type QueueOwner, WAITING_COUNTED, type WaitingItem, type WaitingQueue } from "~/lib/waiting";
import type { Ctx } from "~/platform/context.server";
import { PRIORITY_LABELS, PRIORITY_MARKS } from "./labels";
import type { TicketPriority } from "./model";
import { staffTicketPath } from "./paths";

const SHOWN = 10;

/** Sets the rank of the last time; what waits for no reply comes after it. */
const LAST_TIME = 5_000_000_000_000;

/** Repeats the condition of the indexes of active tickets, which must be written as there. */
const ACTIVE = sql`t.status in ('open', 'in_progress', 'waiting_for_customer')`;

function sourceOf(owner: QueueOwner, userId: string): SQL {
  const waiting = sql`${ACTIVE} AND t.due_rank < ${LAST_TIME}`;
  if (owner === "all") return sql`FROM support_tickets t INDEXED BY active_tickets_by_due WHERE ${waiting}`;
  const whose = owner === "me" ? sql`t.assigned_to = ${userId}` : sql`t.assigned_to IS NULL`;
  return sql`FROM support_tickets t INDEXED BY active_tickets_of_assignee WHERE ${whose} AND ${waiting}`;
}

export async function readTicketQueue(
  { db, now }: Pick<Ctx, "db" | "now">,
  { userId }: Pick<Actor, "userId">,
  owner: QueueOwner,
): Promise<Omit<WaitingQueue, "next"> & { next: Due | null }> {
  const at = now();
  const [{ timeZone: zone }, times, mine, unowned, rows] = await Promise.all([
    getSettings(db),
    listTimes(db),
    countRows(db, sql`SELECT 1 ${sourceOf("me", userId)}`, WAITING_COUNTED),
    countRows(db, sql`SELECT 1 ${sourceOf("none", userId)}`, WAITING_COUNTED),
    listWaiting(db, sourceOf(owner, userId)),
  ]);
  const dueAt = (time: Instant) => dueOf({ zone, now: at, dueAt: time, answeredAt: null });
  const [first] = times;
  const late = times.filter((time) => time < at).length;
  return {
    items: rows.map((row) => toItem(row, dueAt(row.dueAt), { zone, now: at })),
    counts: { all: capped(times.length, WAITING_COUNTED), me: mine, none: unowned },
    late: capped(late, WAITING_COUNTED),
    next: first === undefined ? null : dueAt(first),
  };
}

async function listTimes(db: Db): Promise<Instant[]> {
  const rows = await db.all<{ at: Instant }>(sql`
    SELECT t.due_rank AS at ${sourceOf("all", "")} ORDER BY t.due_rank, t.number LIMIT ${WAITING_COUNTED + 1}`);
  return rows.map(({ at }) => at);
}

type WaitingRow = {
  id: string;
  number: number;
  name: string;
  organization: string | null;
  snippet: string;
  dueAt: Instant;
  priority: TicketPriority;
  owner: string | null;
};

const listWaiting = (db: Db, source: SQL) =>
  db.all<WaitingRow>(sql`
    SELECT t.id, t.number, t.creator_name AS name, t.title AS snippet, t.due_rank AS dueAt, t.priority,
      (SELECT o.name FROM organizations o WHERE o.id = t.organization_id) AS organization,
      (SELECT u.full_name FROM users u WHERE u.id = t.assigned_to) AS owner
    ${source} ORDER BY t.due_rank, t.number LIMIT ${SHOWN}`);

function toItem(
  { number, dueAt, priority, ...row }: WaitingRow,
  due: Due,
  { zone, now }: { zone: string; now: Instant },
): WaitingItem {
  const reference = referenceNumber("ticket", number);
  return {
    ...row,
    number: reference,
    to: staffTicketPath(reference),
    due,
    mark: PRIORITY_MARKS[priority],
    sla: `${PRIORITY_LABELS[priority]}, by ${momentInWords(dueAt, now, zone)}`,
    take: "take_ticket",
  };
}
