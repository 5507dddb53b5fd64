import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { isPublic } from "~/features/conversation/messages.server";
import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import type { TicketHistory, TicketHistoryEvent } from "../facts/derive-facts";
import { groupedBy } from "./grouped-by";

type TicketRow = {
  id: string;
  organizationId: string;
  status: TicketStatus;
  priority: TicketPriority;
  createdAt: number;
  resolvedAt: number | null;
  openedBy: string | null;
  clientWroteAt: number | null;
  staffWroteAt: number | null;
  staffAnsweredAt: number | null;
};

type EventRow = TicketHistoryEvent & { ticketId: string; side: string };

/** Selects messages that a person of staff wrote and the client reads. What jobs write has no author. */
const OF_STAFF = sql`${isPublic()} AND m.side = 'staff' AND m.author_name <> ''`;
const OF_CLIENT = sql`${isPublic()} AND m.side = 'client'`;

/** Reads what figures need of tickets, by number: in three reads at once, each of the rows of these tickets only. */
export async function readHistories(db: Db, numbers: readonly number[]): Promise<TicketHistory[]> {
  const chosen = sql`json_each(${JSON.stringify(numbers)}) n CROSS JOIN support_tickets t ON t.number = n.value`;
  const firstOf = (condition: ReturnType<typeof sql>) =>
    sql`(SELECT min(m.created_at) FROM ticket_messages m WHERE m.ticket_id = t.id AND ${condition})`;
  const [tickets, events, votes] = await Promise.all([
    db.all<TicketRow>(sql`
      SELECT t.id, t.organization_id AS organizationId, t.status, t.priority, t.created_at AS createdAt,
        t.resolved_at AS resolvedAt, t.opened_by AS openedBy, ${firstOf(OF_CLIENT)} AS clientWroteAt,
        ${firstOf(OF_STAFF)} AS staffWroteAt,
        ${firstOf(sql`${OF_STAFF} AND m.created_at >= ${firstOf(OF_CLIENT)}`)} AS staffAnsweredAt
      FROM ${chosen}`),
    db.all<EventRow>(sql`
      SELECT e.ticket_id AS ticketId, e.kind, e.from_value AS "from", e.to_value AS "to", e.at, e.actor_side AS side
      FROM ${chosen} CROSS JOIN ticket_events e ON e.ticket_id = t.id
      WHERE e.kind IN ('opened', 'status', 'priority', 'promise_kept', 'promise_missed') ORDER BY e.at, e.rowid`),
    db.all<{ ticketId: string; isSolved: number; at: number }>(sql`
      SELECT v.ticket_id AS ticketId, v.is_solved AS isSolved, v.at
      FROM ${chosen} CROSS JOIN ticket_votes v ON v.ticket_id = t.id`),
  ]);
  const eventsOf = groupedBy(events, ({ ticketId }) => ticketId);
  const votesOf = groupedBy(votes, ({ ticketId }) => ticketId);
  return tickets.map(({ openedBy, ...ticket }) => {
    const own = eventsOf.get(ticket.id) ?? [];
    const opened = own.find(({ kind }) => kind === "opened");
    return {
      ...ticket,
      events: own,
      // The account of who opened it may be gone; the history keeps the side.
      isOpenedByStaff: opened ? opened.side === "staff" : openedBy !== null,
      votes: (votesOf.get(ticket.id) ?? []).map(({ isSolved, at }) => ({ isSolved: isSolved === 1, at })),
    };
  });
}
