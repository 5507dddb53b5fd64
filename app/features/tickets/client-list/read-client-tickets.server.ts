import type { MemberActor } from "~/features/auth/guards.server";
import { shortDay } from "~/lib/due";
import { firstNameOf } from "~/lib/person-name";
import { referenceNumber } from "~/lib/reference-number";
import { dayIn } from "~/lib/time";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { clientTransitions } from "../model";
import { currentPromise } from "../promise/current";
import { promiseStateOf } from "../promise/stored";
import { promiseForClient } from "../promise/words";
import { WAITING_FOR_YOU } from "./copy";
import { countVisible } from "./count-visible.server";
import { type ClientTicketFilter, clientTicketList } from "./definition";
import { type ClientTicketRow, clientTicketRows } from "./definition.server";
import type { ClientTicket, VisibleCounts } from "./model";

export type ClientTicketsRead = ListRead<ClientTicket> & { counts: VisibleCounts | null };

/** Reads everything the list of the portal shows, in one round trip. */
export async function readClientTickets(
  { db }: Pick<Ctx, "db">,
  actor: MemberActor,
  request: ListRequest<ClientTicketFilter>,
): Promise<ClientTicketsRead> {
  const { userId, membership } = actor;
  const { organizationId, role, visibility = "own" } = membership;
  const [counts, read] = await Promise.all([
    countVisible(db, { userId, organizationId, role }, visibility),
    clientTicketRows.read(db, request),
  ]);
  const { zone, now } = request.viewer;
  const rows = read.page.rows.map((row) => clientTicket(row, { userId, role, zone, now }));
  // Where the counts of the tabs know how many there are, the list says the same number.
  const { q, priority, status } = request.filter;
  const known = counts && !q && !priority ? counts[status ?? "all"] : null;
  const total = known === null ? read.total : { count: known, more: false as const };
  return { ...read, page: { ...read.page, rows }, total, counts };
}

/** Holds the newest tickets of an organization that somebody sees, and how many there are. */
export type RecentTickets = { tickets: ClientTicket[]; counts: VisibleCounts | null; zone: string };

/** Limits the newest tickets on the dashboard. */
const RECENT_SHOWN = 5;

/** Reads the newest tickets that somebody sees, for their dashboard. */
export async function readRecentTickets(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: MemberActor,
  zone: string,
): Promise<RecentTickets> {
  const unfiltered = new URLSearchParams();
  const { page, counts } = await readClientTickets({ db }, actor, {
    filter: clientTicketList.readFilter(unfiltered),
    page: pageRequest(unfiltered),
    viewer: { actor, zone, now: now() },
  });
  return { tickets: page.rows.slice(0, RECENT_SHOWN), counts, zone };
}

type Reader = Pick<MemberActor, "userId"> & Pick<MemberActor["membership"], "role"> & { zone: string; now: number };

/** Returns a row as it is shown to one client at one instant. */
function clientTicket(row: ClientTicketRow, reader: Reader): ClientTicket {
  const { id, title, status, priority, category } = row;
  return {
    id,
    title,
    status,
    priority,
    category,
    number: referenceNumber("ticket", row.number),
    isPrivate: row.isPrivate === 1,
    opened: `opened ${row.openedBy === null ? "by" : "for"} ${row.createdBy === reader.userId ? "you" : row.creator}`,
    assignee: row.assignee && firstNameOf(row.assignee),
    standing: standingOf(row, reader),
    lastMessageAt: row.lastMessageAt,
    moves: clientTransitions(reader, row, reader.now),
  };
}

/** Says in a few words how a ticket stands: what is promised, who is waited for, or when it ended. */
function standingOf(
  { status, priority, promiseJson, resolvedAt, closedAt }: ClientTicketRow,
  { zone, now }: Reader,
): string {
  const on = (at: number | null) => (at === null ? "" : ` ${shortDay(dayIn(zone, at))}`);
  if (status === "closed") return `Closed${on(closedAt)}`;
  if (status === "resolved") return `Solved${on(resolvedAt)}`;
  if (status === "waiting_for_customer") return WAITING_FOR_YOU;
  const promise = currentPromise(promiseStateOf(promiseJson, priority));
  return promise ? promiseForClient(promise, { zone, now, phone: null }) : "";
}
