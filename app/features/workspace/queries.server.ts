import { sql } from "drizzle-orm";
import { receivableEventTypes } from "~/access/live-events";
import type { Db } from "~/db/client.server";
import { liveDismissals, liveEvents, liveReaders } from "~/db/schema/live";
import type { StaffActor } from "~/features/auth/guards.server";
import { monthTitle } from "~/features/letters/compose-letter";
import { listClientLetters } from "~/features/letters/queries.server";
import { MEMBERS_PATH } from "~/features/members/definition";
import { readOrganizationRecord } from "~/features/organization-management/record-page.server";
import { organizationPath } from "~/features/organizations/model";
import { readClientOrigins } from "~/features/submissions/client/make-client.server";
import { submissionList } from "~/features/submissions/list/definition";
import { countUses, usesInWords } from "~/features/tickets/allowances/ledger.server";
import { contractYearOf } from "~/features/tickets/model";
import { newStaffTicketPath, STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { ticketList } from "~/features/tickets/staff-list/definition";
import { readActiveTickets } from "~/features/tickets/staff-list/list.server";
import { withParams } from "~/lib/addresses";
import { invariant } from "~/lib/errors";
import type { LiveEventType } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import { readOrNull } from "./load-list.server";
import { LIVE_PANEL_SIZE, LIVE_UPDATES_LIMIT, type LiveUpdate, liveUpdate, type SavedView, VIEWS_LIMIT } from "./model";

export const SAVED_LISTS = { submissions: submissionList, tickets: ticketList } as const;
export type SavedList = keyof typeof SAVED_LISTS;

/**
 * Looks at the newest 50 events at most, and stops as soon as it has enough. Both reads are sent in one batch, so they
 * see the same state.
 */
export async function listLiveUpdates(
  ctx: Pick<Ctx, "db" | "signedIn">,
  limit = LIVE_PANEL_SIZE,
): Promise<{ updates: LiveUpdate[]; lastSeq: number }> {
  invariant(ctx.signedIn, "listLiveUpdates is called behind a guard");
  const { userId, role } = ctx.signedIn;
  const types = JSON.stringify(receivableEventTypes({ userId, role, membership: null }));
  const [[head], rows] = await Promise.all([
    ctx.db.all<{ last_seq: number }>(
      sql`SELECT coalesce(max(seq), 0) AS last_seq FROM ${liveEvents} WHERE audience = 'staff'`,
    ),
    ctx.db.all<{ seq: number; type: LiveEventType; id: string; label: string; at: number }>(sql`
      SELECT seq, type, id, label, at FROM (
        SELECT seq, type, subject_id AS id, label, actor_id, at FROM ${liveEvents}
        WHERE audience = 'staff' ORDER BY seq DESC LIMIT ${LIVE_UPDATES_LIMIT}) AS newest
      WHERE actor_id IS NOT ${userId} AND type IN (SELECT value FROM json_each(${types}))
        AND seq > coalesce((SELECT dismissed_through FROM ${liveReaders} WHERE user_id = ${userId}), 0)
        AND NOT EXISTS (SELECT 1 FROM ${liveDismissals} d WHERE d.user_id = ${userId} AND d.seq = newest.seq)
      ORDER BY seq DESC LIMIT ${limit}`),
  ]);
  return { updates: rows.map(liveUpdate), lastSeq: head?.last_seq ?? 0 };
}

/** The CROSS JOIN makes SQLite read the views first, whatever its statistics say of the users. */
export async function listSavedViews(db: Db, userId: string, list: SavedList): Promise<SavedView[]> {
  const columns = sql.raw("v.id, v.name, v.query, v.shared, v.owner_id, v.created_at, u.full_name");
  const limit = sql.raw(String(VIEWS_LIMIT));
  const rows = await db.all<{
    id: string;
    name: string;
    query: string;
    shared: 0 | 1;
    owner: string;
    owner_id: string;
  }>(sql`
    SELECT id, name, query, shared, owner_id, full_name AS owner FROM (
      SELECT * FROM (SELECT ${columns} FROM saved_views v CROSS JOIN users u ON u.id = v.owner_id
        WHERE v.list = ${list} AND v.owner_id = ${userId} ORDER BY v.created_at LIMIT ${limit})
      UNION
      SELECT * FROM (SELECT ${columns} FROM saved_views v CROSS JOIN users u ON u.id = v.owner_id
        WHERE v.list = ${list} AND v.shared = 1 ORDER BY v.created_at LIMIT ${limit}))
    ORDER BY created_at`);
  return rows.map(({ owner_id, shared, ...view }) => ({ ...view, shared: shared === 1, mine: owner_id === userId }));
}

export async function readClient(ctx: Ctx, actor: StaffActor, { id, params }: { id: string; params: URLSearchParams }) {
  const [record, origins, tickets, uses, letters] = await Promise.all([
    readOrganizationRecord(ctx, actor, { id, params }),
    readClientOrigins(ctx, actor, id),
    readOrNull(ctx, "client_tickets_failed", readActiveTickets(ctx, id)),
    countUses(ctx.db, id),
    listClientLetters(ctx.db, id),
  ]);
  if (!record) return null;
  const { organization, zone } = record;
  return {
    ...record,
    ...origins,
    tickets,
    letters: letters.map(({ month, ...letter }) => ({ ...letter, title: monthTitle(month) })),
    allowances: usesInWords(organization, uses, contractYearOf({ ...organization, zone }, ctx.now())),
    isEditing: params.has("edit"),
    path: organizationPath(id),
    ticketsTo: withParams(STAFF_TICKETS_PATH, { organization: id, sort: "newest" }),
    ticketTo: newStaffTicketPath(id),
    membersTo: withParams(MEMBERS_PATH, { organization: id }),
  };
}
