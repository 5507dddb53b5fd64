import * as z from "zod";
import type { MemberActor } from "~/features/auth/guards.server";
import { otherOrganization } from "~/features/organizations/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { referenceNumber } from "~/lib/ids";
import { firstNameOf } from "~/lib/names";
import { safePath } from "~/lib/safe-path";
import { dayIn } from "~/lib/time";
import { shortDay } from "~/lib/time-labels";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { changeStatusAsClient } from "../commands.server";
import { CLIENT_STATUS_LABELS, TICKET_STATUS_NOT_UPDATED, TICKET_STATUS_UPDATED } from "../labels";
import { CLIENT_TRANSITIONS, clientTransitions } from "../model";
import { CLIENT_TICKETS_PATH } from "../paths";
import { currentSla, slaStateOf } from "../sla/clock";
import { targetForClient } from "../sla/explain";
import { type ClientTicket, type ClientTicketFilter, clientTicketList, type VisibleCounts } from "./definition";
import { type ClientTicketRow, clientTicketRows, countVisible } from "./definition.server";

export type ClientTicketsRead = ListRead<ClientTicket> & { counts: VisibleCounts | null };

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

export type RecentClientTickets = { tickets: ClientTicket[]; counts: VisibleCounts | null; zone: string };

const RECENT_SHOWN = 5;

export async function readRecentTickets(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: MemberActor,
  zone: string,
): Promise<RecentClientTickets> {
  const unfiltered = new URLSearchParams();
  const { page, counts } = await readClientTickets({ db }, actor, {
    filter: clientTicketList.readFilter(unfiltered),
    page: pageRequest(unfiltered),
    viewer: { actor, zone, now: now() },
  });
  return { tickets: page.rows.slice(0, RECENT_SHOWN), counts, zone };
}

type Reader = Pick<MemberActor, "userId"> & Pick<MemberActor["membership"], "role"> & { zone: string; now: number };

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
    summary: summaryOf(row, reader),
    lastMessageAt: row.lastMessageAt,
    moves: clientTransitions(reader, row, reader.now),
  };
}

function summaryOf(
  { status, priority, slaJson, resolvedAt, closedAt }: ClientTicketRow,
  { zone, now }: Reader,
): string {
  const on = (at: number | null) => (at === null ? "" : ` ${shortDay(dayIn(zone, at))}`);
  if (status === "closed") return `Closed${on(closedAt)}`;
  if (status === "resolved") return `Solved${on(resolvedAt)}`;
  if (status === "waiting_for_customer") return CLIENT_STATUS_LABELS[status];
  const sla = currentSla(slaStateOf(slaJson, priority));
  return sla ? targetForClient(sla, { zone, now, phone: null }) : "";
}

export const CARDS_PURPOSE = "ticket-cards";

export type TransitionResult = { rejection: string };

const MoveForm = z
  .object({ move: z.string().regex(/^[a-z]{1,10}\.tkt_[a-z0-9]{1,40}$/) })
  .transform(({ move }, context) => {
    const [name = "", ticketId = ""] = move.split(".");
    const known = CLIENT_TRANSITIONS.find((each) => each === name);
    if (known) return { move: known, ticketId };
    context.addIssue({ code: "custom", message: TICKET_STATUS_NOT_UPDATED });
    return z.NEVER;
  });

const rejected = (rejection: string) => invalid<TransitionResult>({ rejection });

export const cardActions = formActions<MemberActor, null, TransitionResult>({ conflict: otherOrganization })({
  move: {
    purpose: CARDS_PURPOSE,
    form: MoveForm,
    failed: TICKET_STATUS_NOT_UPDATED,
    invalid: (problem) => rejected(reasonOf(problem, TICKET_STATUS_NOT_UPDATED)),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const moved = await changeStatusAsClient(ctx, actor, { ...input, message: null, nonce });
      if (moved.ok) {
        const to = safePath(fields.return_to, ["portal"], CLIENT_TICKETS_PATH);
        return done({ to, flash: { kind: "success", ...TICKET_STATUS_UPDATED } });
      }
      if (moved.code === "ticket_not_found") return notFound();
      return rejected(moved.code === "changed_since" ? CHANGED_SINCE : TICKET_STATUS_NOT_UPDATED);
    },
  },
});
