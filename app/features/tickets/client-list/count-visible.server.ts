import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { TICKET_STATUSES, type TicketStatus } from "../model";
import type { TicketViewer } from "../visible-ticket.server";
import type { VisibleCounts } from "./model";

type ByStatus = Partial<Record<TicketStatus | "closed_after_resolved", number>>;

const COUNTED = [...TICKET_STATUSES, "closed_after_resolved"] as const;

/**
 * Limits how many tickets are counted one by one, where no count is maintained: each is three rows read, and a page may
 * read 400.
 */
const COUNT_LIMIT = 90;

/**
 * Counts the tickets that a client sees, by status. For owner and admins the counts are maintained. From those of a
 * member private tickets of others are taken away, and where colleagues are kept apart their own are counted: a limited
 * number, beyond which there are no counts (null).
 */
export async function countVisible(
  db: Db,
  { userId, organizationId, role }: TicketViewer,
  visibility: "all" | "own",
): Promise<VisibleCounts | null> {
  if (role !== "member") return sumUp(await maintainedCounts(db, organizationId));
  const ofOrganization = `search_state : "@${organizationId}."`;
  const own = `search_state : "~${userId}."`;
  if (visibility === "own") {
    const counted = await countMatches(db, `${ofOrganization} AND ${own}`);
    return counted && sumUp(counted);
  }
  const [all, hidden] = await Promise.all([
    maintainedCounts(db, organizationId),
    countMatches(db, `(${ofOrganization} AND search_state : "private") NOT ${own}`),
  ]);
  if (!hidden) return null;
  return sumUp(Object.fromEntries(COUNTED.map((name) => [name, (all[name] ?? 0) - (hidden[name] ?? 0)])));
}

async function maintainedCounts(db: Db, organizationId: string): Promise<ByStatus> {
  const [counts] = await db.all<ByStatus>(sql`
    SELECT open, in_progress, waiting_for_customer, resolved, closed, closed_after_resolved FROM ticket_counts
    WHERE organization_id = ${organizationId}`);
  return counts ?? {};
}

/** Counts what matches in the search index, by status. Null: more than the limit. */
async function countMatches(db: Db, match: string): Promise<ByStatus | null> {
  const rows = await db.all<{ status: TicketStatus; count: number; resolvedBefore: number }>(sql`
    SELECT t.status, count(*) AS count, total(t.resolved_at < t.closed_at) AS resolvedBefore FROM (
      SELECT f.rowid AS number FROM ticket_search f WHERE f.ticket_search MATCH ${match} LIMIT ${COUNT_LIMIT + 1}) found
    CROSS JOIN support_tickets t INDEXED BY support_tickets_number_unique ON t.number = found.number
    GROUP BY t.status`);
  const counts: ByStatus = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  counts.closed_after_resolved = rows.find(({ status }) => status === "closed")?.resolvedBefore ?? 0;
  return sumUp(counts).all > COUNT_LIMIT ? null : counts;
}

const sumUp = (counts: ByStatus): VisibleCounts => {
  const { closed_after_resolved: closedAfterResolved = 0, ...byStatus } = counts;
  const complete = { open: 0, in_progress: 0, waiting_for_customer: 0, resolved: 0, closed: 0, ...byStatus };
  const all = TICKET_STATUSES.reduce((sum, status) => sum + complete[status], 0);
  return { ...complete, all, solved: complete.resolved + closedAfterResolved };
};
