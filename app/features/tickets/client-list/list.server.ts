import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "~/features/auth/guards.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { otherOrganization } from "~/features/organizations/model";
import type { PlanNames } from "~/features/settings/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { referenceNumber } from "~/lib/ids";
import { safePath } from "~/lib/safe-path";
import { firstNameOf, snippetOf } from "~/lib/text";
import { dayIn } from "~/lib/time";
import { dueInWords, dueOf, shortDay } from "~/lib/time-labels";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { pageRequest } from "~/lists/paging.server";
import type { Ctx } from "~/platform/context.server";
import { formActions, reasonOf } from "~/platform/form-actions.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { viewerOf, visibleToClient } from "../access.server";
import { changeStatusAsClient } from "../commands.server";
import { CLIENT_STATUS_LABELS, TICKET_STATUS_NOT_UPDATED, TICKET_STATUS_UPDATED } from "../labels";
import { CLIENT_TRANSITIONS, clientTransitions, type TicketStatus } from "../model";
import { CLIENT_TICKETS_PATH } from "../paths";
import { slaStateOf } from "../sla/clock";
import { momentForClient, targetForClient } from "../sla/explain";
import { type ClientTicket, type ClientTicketFilter, clientTicketList, type VisibleCounts } from "./definition";
import { type ClientTicketRow, clientTicketRows, countVisible } from "./definition.server";

export type ClientTicketsRead = ListRead<ClientTicket> & { counts: VisibleCounts | null };

export async function readClientTickets(
  ctx: Pick<Ctx, "db" | "publishedSettings">,
  actor: MemberActor,
  request: ListRequest<ClientTicketFilter>,
): Promise<ClientTicketsRead> {
  const { userId, membership } = actor;
  const { organizationId, role, visibility = "own" } = membership;
  const [counts, read, { planNames }] = await Promise.all([
    countVisible(ctx.db, { userId, organizationId, role }, visibility),
    clientTicketRows.read(ctx.db, request),
    effectiveBrand(ctx),
  ]);
  const { zone, now } = request.viewer;
  const rows = read.page.rows.map((row) => clientTicket(row, { userId, role, zone, now, planNames }));
  // Where the counts of the tabs know how many there are, the list says the same number.
  const { q, priority, status } = request.filter;
  const known = counts && !q && !priority ? counts[status ?? "all"] : null;
  const total = known === null ? read.total : { count: known, more: false as const };
  return { ...read, page: { ...read.page, rows }, total, counts };
}

export type RecentClientTickets = { tickets: ClientTicket[]; counts: VisibleCounts | null; zone: string };

const RECENT_SHOWN = 5;

export async function readRecentTickets(
  ctx: Pick<Ctx, "db" | "now" | "publishedSettings">,
  actor: MemberActor,
  zone: string,
): Promise<RecentClientTickets> {
  const unfiltered = new URLSearchParams();
  const { page, counts } = await readClientTickets(ctx, actor, {
    filter: clientTicketList.readFilter(unfiltered),
    page: pageRequest(unfiltered),
    viewer: { actor, zone, now: ctx.now() },
  });
  return { tickets: page.rows.slice(0, RECENT_SHOWN), counts, zone };
}

type Awaited = {
  id: string;
  number: string;
  title: string;
  status: TicketStatus;
  /** Says by when we have promised it, and how we are late; null: the client is asked. */
  due: { by: string; left: string | null; isLate: boolean } | null;
  words: string;
};

export type AwaitedTickets = { owed: Awaited[]; asked: Awaited[]; isMoreOwed: boolean };

const AWAITED_SHOWN = 6;
/** Limits how many active tickets are gone through for somebody who may see few of them. */
const AWAITED_SCANNED = 150;
const QUESTION_LENGTH = 120;

type AwaitedRow = Pick<ClientTicketRow, "id" | "number" | "title" | "status" | "creator" | "createdBy" | "assignee"> & {
  dueAt: number | null;
  asked: string | null;
  askedBy: string | null;
};

export async function readAwaited(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: MemberActor,
  zone: string,
): Promise<AwaitedTickets> {
  const viewer = viewerOf(actor);
  const last = (column: string) => sql`(SELECT ${sql.raw(column)} FROM ticket_messages m
    WHERE m.ticket_id = t.id AND m.side = 'staff' AND ${isPublic()} ORDER BY m.created_at DESC, m.id DESC LIMIT 1)`;
  const rowsWhere = (condition: SQL) =>
    db.all<AwaitedRow>(sql`
      SELECT t.id, t.number, t.title, t.status, t.creator_name AS creator, t.created_by AS createdBy,
        (SELECT u.full_name FROM users u WHERE u.id = t.assigned_to) AS assignee, t.due_at AS dueAt,
        ${last(`substr(m.message, 1, ${QUESTION_LENGTH + 1})`)} AS asked, ${last("m.author_name")} AS askedBy
      FROM (SELECT * FROM support_tickets INDEXED BY active_tickets_of_organization
        WHERE organization_id = ${viewer.organizationId}
          AND status in ('open', 'in_progress', 'waiting_for_customer') AND ${condition}
        ORDER BY due_rank, number LIMIT ${AWAITED_SCANNED}) t
      WHERE ${visibleToClient(viewer)} ORDER BY t.due_rank, t.number LIMIT ${AWAITED_SHOWN + 1}`);
  const [owed, asked] = await Promise.all([
    rowsWhere(sql`due_at IS NOT NULL`),
    rowsWhere(sql`status = 'waiting_for_customer'`),
  ]);
  const clock = { zone, now: now() };
  return {
    owed: owed.slice(0, AWAITED_SHOWN).map((row) => awaited(row, owedWords(row, actor.userId), clock)),
    asked: asked.slice(0, AWAITED_SHOWN).map((row) => awaited({ ...row, dueAt: null }, askedWords(row), clock)),
    isMoreOwed: owed.length > AWAITED_SHOWN,
  };
}

function awaited(
  { id, number, title, status, dueAt }: AwaitedRow,
  words: string,
  clock: { zone: string; now: number },
) {
  const due = dueAt === null ? null : dueOf({ ...clock, dueAt, answeredAt: null });
  return {
    id,
    number: referenceNumber("ticket", number),
    title,
    status,
    due: due && {
      by: `By ${momentForClient(due.dueAt, clock)}`,
      left: due.state === "today" ? `in ${due.time}` : due.state === "late" ? dueInWords(due) : null,
      isLate: due.state === "late",
    },
    words,
  };
}

function owedWords({ creator, createdBy, assignee, asked }: AwaitedRow, ownId: string): string {
  const whom = createdBy === ownId ? "you" : firstNameOf(creator);
  const who = assignee ? `${firstNameOf(assignee)} is on it` : "We have it";
  return `Our ${asked === null ? "first" : "next"} answer to ${whom}. ${who}.`;
}

function askedWords({ asked, askedBy }: AwaitedRow): string {
  const question = asked && snippetOf(asked, QUESTION_LENGTH);
  return question ? `${firstNameOf(askedBy ?? "")} wrote: “${question}”` : "We wait for your answer.";
}

type Reader = Pick<MemberActor, "userId"> &
  Pick<MemberActor["membership"], "role"> & { zone: string; now: number; planNames: PlanNames };

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
  { zone, now, planNames }: Reader,
): string {
  const on = (at: number | null) => (at === null ? "" : ` ${shortDay(dayIn(zone, at))}`);
  if (status === "closed") return `Closed${on(closedAt)}`;
  if (status === "resolved") return `Solved${on(resolvedAt)}`;
  if (status === "waiting_for_customer") return CLIENT_STATUS_LABELS[status];
  const { running: sla } = slaStateOf(slaJson, priority);
  return sla ? targetForClient(sla, { zone, now, planNames, phone: null }) : "";
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
