import { listStaff } from "~/features/users/queries.server";
import { type Due, dueInWords, dueOf, momentInWords, shortDay } from "~/lib/due";
import { fold } from "~/lib/text";
import { dayIn } from "~/lib/time";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import type { Ctx } from "~/platform/context.server";
import { staffPathOf } from "~/platform/subjects.server";
import type { ReadTicket } from "./columns.server";
import { resolutionInWords, WAITING_FOR_CLIENT } from "./copy";
import { countTickets, type TicketCounts } from "./count-tickets.server";
import type { TicketFilter } from "./definition";
import { ticketRows } from "./definition.server";
import type { ListedTicket, SearchedPart } from "./model";

/** Holds what the page shows: rows, counters, and to whom a ticket can be assigned. */
export type TicketsRead = ListRead<ListedTicket> & {
  counts: TicketCounts;
  staff: readonly { id: string; name: string }[];
};

/** Reads everything the page shows, in one round trip. */
export async function readTickets(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<TicketFilter>,
): Promise<TicketsRead> {
  const { actor, zone, now } = request.viewer;
  const [counts, staff, read] = await Promise.all([countTickets(db), listStaff(db), ticketRows.read(db, request)]);
  const term = fold(request.filter.q);
  const staffIds = new Set(staff.map(({ id }) => id));
  // The page is sent twice, as HTML and as data for its scripts, so a row has nothing that says nothing.
  const rows = read.page.rows.map(({ dueAt, resolveBy, organizationId, assignee, ...row }) => ({
    ...row,
    ...(assignee !== null && !staffIds.has(row.assigneeId ?? "") ? { formerAssignee: assignee } : {}),
    organizationPath: staffPathOf(subjects, actor, { type: "organization", id: organizationId }),
    due: dueWords({ status: row.status, dueAt, resolveBy }, { zone, now }),
    ...(term ? { matched: matchedPart(row, term) } : {}),
  }));
  return { ...read, page: { ...read.page, rows }, counts, staff };
}

/** Says how the promise that is due first stands. A ticket that waits for its client owes nothing, and says so. */
function dueWords(
  { dueAt, resolveBy, status }: Pick<ReadTicket, "dueAt" | "resolveBy" | "status">,
  clock: Clock,
): ListedTicket["due"] {
  if (resolveBy !== null && (dueAt === null || resolveBy < dueAt)) {
    const { words, ...rest } = shown(dueOf({ ...clock, dueAt: resolveBy, answeredAt: null }), clock);
    return { words: resolutionInWords(words), ...rest };
  }
  if (dueAt !== null) return shown(dueOf({ ...clock, dueAt, answeredAt: null }), clock);
  return status === "waiting_for_customer" ? { words: WAITING_FOR_CLIENT, isLate: false } : null;
}

type Clock = { zone: string; now: number };

const shown = (due: Due, clock: Clock) => ({
  words: dueInWords(due),
  isLate: due.state === "late",
  promise: promiseInWords(due, clock),
});

/** Returns the time of a promise beside its words: "promised by Mon 12:00", "by 15:43", "Nov 24" below a weekday. */
function promiseInWords({ state, dueAt }: Due, { zone, now }: Clock): string {
  if (state === "later") return shortDay(dayIn(zone, dueAt));
  return `${state === "late" ? "promised by" : "by"} ${momentInWords(dueAt, now, zone)}`;
}

/**
 * Returns the first part of a ticket that has the term. It is in one of them: what the others lack, the description
 * has.
 */
function matchedPart({ title, number, organization }: Pick<ReadTicket, SearchedPart & keyof ReadTicket>, term: string) {
  const parts: [SearchedPart, string][] = [
    ["title", title],
    ["number", number],
    ["organization", organization],
  ];
  return parts.find(([, text]) => fold(text).includes(term))?.[0] ?? "description";
}
