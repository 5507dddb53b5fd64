import { sql } from "drizzle-orm";
import * as z from "zod";
import { countUpTo } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { getSettings, readSelection } from "~/features/settings/queries.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ListRejection } from "~/lib/form";
import { isId, referenceNumber } from "~/lib/ids";
import { type CappedCount, capped } from "~/lib/numbers";
import { safePath } from "~/lib/safe-path";
import { fold } from "~/lib/text";
import { dayIn, type Instant } from "~/lib/time";
import { type Due, dueInWords, dueOf, momentInWords, shortDay } from "~/lib/time-labels";
import { WAITING_COUNTED } from "~/lib/waiting";
import type { ListRequest } from "~/lists/define-rows.server";
import { BULK_LIMIT, type ListRead } from "~/lists/model";
import { BulkForm, RowForm, type Selection } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, rejectList, rejectListForm } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done } from "~/platform/responses.server";
import { staffPathOf } from "~/platform/subjects.server";
import { RESULT_ID } from "~/ui/page";
import { assignTicket, changeStatus } from "../commands.server";
import {
  NOTHING_CHANGED,
  TICKET_ASSIGNED,
  TICKET_NOT_ASSIGNED,
  TICKET_STATUS_NOT_UPDATED,
  TICKET_STATUS_UPDATED,
  TICKET_UNASSIGNED,
} from "../labels";
import { asStaff, isActive, TICKET_STATUSES, type TicketPriority } from "../model";
import { resolvePath } from "../paths";
import { changeMany, type ManyOutcome } from "./change-many.server";
import {
  type ListedTicket,
  NOBODY,
  type SearchedPart,
  type StaffChoice,
  type TicketFilter,
  ticketList,
} from "./definition";
import {
  countTickets,
  countTicketViews,
  LOOKUPS,
  PROMISES,
  type ReadTicket,
  type TicketCounts,
  ticketRows,
} from "./definition.server";
import {
  CHOOSE_ASSIGNEE,
  CHOOSE_TICKET_STATUS,
  MANY_ASSIGNED,
  MANY_UPDATED,
  NO_TICKET_SELECTED,
  noneChanged,
  outcomeText,
  resolutionInWords,
  WAITING_FOR_CLIENT,
} from "./labels";

export type TicketsRead = ListRead<ListedTicket> & {
  counts: TicketCounts;
  views: Awaited<ReturnType<typeof countTicketViews>>;
  /** Null: who they are could not be read. */
  staff: readonly StaffChoice[] | null;
};

export async function readTickets(
  { db, subjects }: Pick<Ctx, "db" | "subjects">,
  request: ListRequest<TicketFilter>,
  staffRead: Promise<TicketsRead["staff"]>,
): Promise<TicketsRead> {
  const { actor, zone, now } = request.viewer;
  const [counts, views, staff, read] = await Promise.all([
    countTickets(db),
    countTicketViews(db, actor.userId, now),
    staffRead,
    ticketRows.read(db, request),
  ]);
  const term = fold(request.filter.q);
  const staffIds = new Set(staff?.map(({ id }) => id));
  // The page is sent twice, as HTML and as data for its scripts, so a row has nothing that says nothing.
  const rows = read.page.rows.map(
    ({ dueAt, resolveBy, answeredAt, waitingSince, organizationId, assignee, ...row }) => ({
      ...row,
      ...(assignee !== null && !staffIds.has(row.assigneeId ?? "") ? { formerAssignee: assignee } : {}),
      organizationPath: staffPathOf(subjects, actor, { type: "organization", id: organizationId }),
      due: dueLabel({ status: row.status, dueAt, resolveBy, answeredAt, waitingSince }, { zone, now }),
      ...(term ? { matched: matchedPart(row, term) } : {}),
    }),
  );
  return { ...read, page: { ...read.page, rows }, counts, views, staff };
}

/** Says how the promise that is due first stands. A ticket that waits for its client owes nothing, and says so. */
function dueLabel({ dueAt, resolveBy, answeredAt, waitingSince, status }: Promises, clock: Clock): ListedTicket["due"] {
  if (resolveBy !== null && (dueAt === null || resolveBy < dueAt)) {
    const { words, ...rest } = shown(dueOf({ ...clock, dueAt: resolveBy, answeredAt: null }), clock);
    return { words: resolutionInWords(words), ...rest };
  }
  if (dueAt !== null) return shown(dueOf({ ...clock, dueAt, answeredAt: null }), clock);
  const moment = (at: Instant) => momentInWords(at, clock.now, clock.zone);
  if (status === "waiting_for_customer")
    return { words: WAITING_FOR_CLIENT, isLate: false, ...(waitingSince && { sla: `since ${moment(waitingSince)}` }) };
  return isActive(status) && answeredAt !== null ? { words: `answered ${moment(answeredAt)}`, isLate: false } : null;
}

type Promises = Pick<ReadTicket, "status" | "dueAt" | "resolveBy" | "answeredAt" | "waitingSince">;

export type ActiveTicket = {
  id: string;
  number: string;
  title: string;
  creator: string;
  priority: TicketPriority;
  assignee: string | null;
  due: ListedTicket["due"];
  waitsFor: string;
};

const CLIENT_TICKETS = 10;

/**
 * Lists the active tickets of an organization that are due first, and counts those that are late or wait for it. As
 * many rows are read as are shown, or counted.
 */
export async function readActiveTickets(
  { db, now }: Pick<Ctx, "db" | "now">,
  organizationId: string,
): Promise<{ shown: ActiveTicket[]; late: CappedCount; waiting: number }> {
  const [rows, [counts], { timeZone: zone }] = await Promise.all([
    db.all<ActiveTicketRow>(sql`
      SELECT t.id, t.number, t.title, t.creator_name AS creator, t.priority, t.status,
        ${sql.raw(PROMISES)}, ${sql.raw(LOOKUPS.assignee)} AS assignee
      FROM support_tickets t INDEXED BY active_tickets_of_organization
      WHERE t.organization_id = ${organizationId} AND t.status IN ('open', 'in_progress', 'waiting_for_customer')
      ORDER BY t.due_rank, t.number LIMIT ${CLIENT_TICKETS}`),
    db.all<{ late: number; waiting: number }>(sql`SELECT
      ${countUpTo(
        sql`SELECT 1 FROM support_tickets t INDEXED BY active_tickets_of_organization
        WHERE t.organization_id = ${organizationId} AND t.status IN ('open', 'in_progress', 'waiting_for_customer')
          AND t.due_rank < ${now()}`,
        WAITING_COUNTED,
      )} AS late,
      coalesce((SELECT waiting_for_customer FROM ticket_counts
        WHERE organization_id = ${organizationId}), 0) AS waiting`),
    getSettings(db),
  ]);
  const clock = { zone, now: now() };
  const tickets = rows.map(({ number, status, dueAt, resolveBy, answeredAt, waitingSince, ...row }) => ({
    ...row,
    number: referenceNumber("ticket", number),
    due: dueLabel({ status, dueAt, resolveBy, answeredAt, waitingSince }, clock),
    waitsFor: waitsFor({ status, dueAt, creator: row.creator }),
  }));
  return { shown: tickets, late: capped(counts?.late ?? 0, WAITING_COUNTED), waiting: counts?.waiting ?? 0 };
}

type ActiveTicketRow = Omit<ActiveTicket, "number" | "due" | "waitsFor"> & Promises & { number: number };

function waitsFor({ status, dueAt, creator }: Pick<ActiveTicketRow, "status" | "dueAt" | "creator">): string {
  if (status === "waiting_for_customer") return `an answer of ${creator}`;
  return dueAt === null ? "our next step" : "our reply";
}

type Clock = { zone: string; now: number };

const shown = (due: Due, clock: Clock) => ({
  words: dueInWords(due),
  isLate: due.state === "late",
  sla: targetInWords(due, clock),
});

/** Returns the time of a promise beside its words: "promised by Mon 12:00", "by 15:43", "Nov 24" below a weekday. */
function targetInWords({ state, dueAt }: Due, { zone, now }: Clock): string {
  if (state === "later") return shortDay(dayIn(zone, dueAt));
  return `${state === "late" ? "promised by" : "by"} ${momentInWords(dueAt, now, zone)}`;
}

/**
 * Returns the first part of a ticket that has the term. It is in one of them: what the others lack, the description
 * has.
 */
function matchedPart(
  { title, number, oldNumber, organization }: Pick<ReadTicket, SearchedPart & keyof ReadTicket>,
  term: string,
) {
  const parts: [SearchedPart, string][] = [
    ["title", title],
    ["number", number],
    ["oldNumber", oldNumber ?? ""],
    ["organization", organization],
  ];
  return parts.find(([, text]) => fold(text).includes(term))?.[0] ?? "description";
}

export const TICKET_LIST_PURPOSE = "ticket-list";

const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], ticketList.path);

function answerMany(posted: PostedForm, title: string, outcome: ManyOutcome): ActionResult<ListRejection> {
  const { changed, unchanged, waiting } = outcome;
  if (changed + unchanged + waiting === 0) return rejectList(posted, noneChanged(outcome));
  const flash =
    changed > 0
      ? { kind: "success" as const, title, message: outcomeText(outcome) }
      : { kind: "info" as const, title: NOTHING_CHANGED.title, message: outcomeText(outcome) };
  return done({ to: `${listOf(posted)}#${RESULT_ID}`, flash });
}

async function withSelection(
  ctx: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  posted: PostedForm,
  run: (selection: Selection) => Promise<ActionResult<ListRejection>>,
): Promise<ActionResult<ListRejection>> {
  const selection = await readSelection(ctx, actor, posted, ticketRows);
  return selection.rows.length === 0 ? rejectList(posted, NO_TICKET_SELECTED) : run(selection);
}

const StatusChoice = z.enum(TICKET_STATUSES);
const StatusOfMany = StatusChoice.exclude(["resolved"]);

/** Checks the choice of an assignee: somebody by their id, or nobody, which is null. */
const AssigneeChoice = z.union([
  z.literal(NOBODY).transform(() => null),
  z.string().refine((text) => isId("usr", text)),
]);

const unchangedRow = (posted: PostedForm, id: string): ActionResult<never> =>
  done({ to: `${listOf(posted)}#${id}`, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });

const assignMany = (
  assigneeIn: (posted: PostedForm, actor: StaffActor) => string | null | undefined,
): FormAction<StaffActor, null, ListRejection, unknown> => ({
  ability: "ticket.handle",
  purpose: TICKET_LIST_PURPOSE,
  failed: TICKET_NOT_ASSIGNED,
  invalid: rejectListForm(TICKET_NOT_ASSIGNED),
  run: (ctx, actor, { nonce, ...posted }) =>
    withSelection(ctx, actor, posted, async (selection) => {
      const assigneeId = assigneeIn(posted, actor);
      if (assigneeId === undefined) return rejectList(posted, CHOOSE_ASSIGNEE);
      const wanted = { property: "assignee", value: assigneeId } as const;
      const assigned = await changeMany(ctx, actor, { selection, wanted, nonce });
      return assigned.ok ? answerMany(posted, MANY_ASSIGNED, assigned.value) : rejectList(posted, TICKET_NOT_ASSIGNED);
    }),
});

export const ticketListActions = formActions<StaffActor, null, ListRejection>({
  reading: { lists: ["row", "status", "assignee_id"] },
})({
  status: {
    ability: "ticket.handle",
    purpose: TICKET_LIST_PURPOSE,
    form: RowForm,
    failed: TICKET_STATUS_NOT_UPDATED,
    invalid: rejectListForm(TICKET_STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data: status } = StatusChoice.safeParse(posted.lists.status?.[position]);
      if (!status) return rejectList(posted, TICKET_STATUS_NOT_UPDATED);
      const changed = await changeStatus(ctx, asStaff(actor), { ticketId: id, status, nonce });
      if (changed.ok)
        return done({ to: `${listOf(posted)}#${id}`, flash: { kind: "success", ...TICKET_STATUS_UPDATED } });
      if (changed.code === "unchanged") return unchangedRow(posted, id);
      // Resolving says what was done. Its field is in a closed part of the ticket's page, which a new document opens.
      return changed.code === "resolution_missing"
        ? done({ to: resolvePath(id), newDocument: true })
        : rejectList(posted, changed.code === "changed_since" ? CHANGED_SINCE : TICKET_STATUS_NOT_UPDATED);
    },
  },
  assign: {
    ability: "ticket.handle",
    purpose: TICKET_LIST_PURPOSE,
    form: RowForm,
    failed: TICKET_NOT_ASSIGNED,
    invalid: rejectListForm(TICKET_NOT_ASSIGNED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data: assigneeId } = AssigneeChoice.safeParse(posted.lists.assignee_id?.[position]);
      if (assigneeId === undefined) return rejectList(posted, TICKET_NOT_ASSIGNED);
      const assigned = await assignTicket(ctx, asStaff(actor), { ticketId: id, assigneeId, nonce });
      if (!assigned.ok && assigned.code === "unchanged") return unchangedRow(posted, id);
      if (!assigned.ok)
        return rejectList(posted, assigned.code === "changed_since" ? CHANGED_SINCE : TICKET_NOT_ASSIGNED);
      const message = assigneeId === null ? TICKET_UNASSIGNED : TICKET_ASSIGNED;
      return done({ to: `${listOf(posted)}#${id}`, flash: { kind: "success", ...message } });
    },
  },
  "bulk-status": {
    ability: "ticket.handle",
    purpose: TICKET_LIST_PURPOSE,
    failed: TICKET_STATUS_NOT_UPDATED,
    invalid: rejectListForm(TICKET_STATUS_NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, async (selection) => {
        const { data: status } = StatusOfMany.safeParse(posted.lists.status?.[0]);
        if (!status) return rejectList(posted, CHOOSE_TICKET_STATUS);
        const wanted = { property: "status", value: status } as const;
        const changed = await changeMany(ctx, actor, { selection, wanted, nonce });
        return changed.ok
          ? answerMany(posted, MANY_UPDATED, changed.value)
          : rejectList(posted, TICKET_STATUS_NOT_UPDATED);
      }),
  },
  "bulk-assign": assignMany((posted) => AssigneeChoice.safeParse(posted.lists.assignee_id?.[0]).data),
  "bulk-take": assignMany((_, actor) => actor.userId),
  export: {
    ability: "ticket.export",
    // Changes nothing: redirects to the file, which has an address of its own.
    purpose: null,
    form: BulkForm,
    invalid: rejectListForm(NO_TICKET_SELECTED),
    run: (_ctx, actor, { input: { target, query }, ...posted }) => {
      // Selected rows go into the address by their ids; otherwise the filter does.
      if (target === "all") return done({ to: ticketList.exportPath(new URLSearchParams(query)), newDocument: true });
      const { rows } = ticketRows.selectPosted(posted.lists.row ?? [], actor);
      if (rows.length === 0) return rejectList(posted, NO_TICKET_SELECTED);
      const ids = rows.slice(0, BULK_LIMIT).map(({ id }) => id);
      return done({ to: ticketList.exportPath(new URLSearchParams({ ids: ids.join(",") })), newDocument: true });
    },
  },
});
