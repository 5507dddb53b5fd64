import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ListRejection } from "~/lib/form";
import { isId } from "~/lib/ids";
import { BULK_LIMIT } from "~/lists/bulk";
import { RowForm } from "~/lists/row-form.server";
import { BulkForm } from "~/lists/selection.server";
import { type ActionResult, done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { rejectList, rejectListForm } from "~/platform/list-rejection.server";
import type { PostedForm } from "~/platform/read-form.server";
import { assignTicket } from "../changes/assign-ticket.server";
import { changeStatus } from "../changes/change-status.server";
import { ASSIGNED, NOT_ASSIGNED, NOTHING_CHANGED, NOW_UNASSIGNED, STATUS_NOT_UPDATED, STATUS_UPDATED } from "../copy";
import { TICKET_STATUSES, type TicketActor } from "../model";
import { resolvePath } from "../subject";
import { changeMany } from "./change-many.server";
import { CHOOSE_ASSIGNEE, CHOOSE_STATUS, MANY_ASSIGNED, MANY_UPDATED, NONE_SELECTED } from "./copy";
import { ticketList } from "./definition";
import { ticketRows } from "./definition.server";
import { answerMany, LIST_PURPOSE, listOf, withSelection } from "./list-responses.server";
import { NOBODY } from "./model";

const StatusChoice = z.enum(TICKET_STATUSES);
const StatusOfMany = StatusChoice.exclude(["resolved"]);

/** Checks the choice of an assignee: somebody by their id, or nobody, which is null. */
const AssigneeChoice = z.union([
  z.literal(NOBODY).transform(() => null),
  z.string().refine((text) => isId("usr", text)),
]);

const staff = ({ userId, fullName }: StaffActor): TicketActor => ({ userId, fullName, side: "staff" });

/** Returns to a row that was like that already. */
const unchangedRow = (posted: PostedForm, id: string): ActionResult<never> =>
  done({ to: `${listOf(posted)}#${id}`, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });

/** Handles the forms of the list: the choices of a row, and those of the bulk bar. */
export const listActions = formActions<StaffActor, null, ListRejection>({
  reading: { lists: ["row", "status", "assignee_id"] },
})({
  status: {
    ability: "ticket.handle",
    purpose: LIST_PURPOSE,
    form: RowForm,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data: status } = StatusChoice.safeParse(posted.lists.status?.[position]);
      if (!status) return rejectList(posted, STATUS_NOT_UPDATED);
      const changed = await changeStatus(ctx, staff(actor), { ticketId: id, status, nonce });
      if (changed.ok) return done({ to: `${listOf(posted)}#${id}`, flash: { kind: "success", ...STATUS_UPDATED } });
      if (changed.code === "unchanged") return unchangedRow(posted, id);
      // Resolving says what was done. Its field is in a closed part of the ticket's page, which a new document opens.
      return changed.code === "resolution_missing"
        ? done({ to: resolvePath(id), newDocument: true })
        : rejectList(posted, changed.code === "changed_since" ? CHANGED_SINCE : STATUS_NOT_UPDATED);
    },
  },
  assign: {
    ability: "ticket.handle",
    purpose: LIST_PURPOSE,
    form: RowForm,
    invalid: rejectListForm(NOT_ASSIGNED),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data: assigneeId } = AssigneeChoice.safeParse(posted.lists.assignee_id?.[position]);
      if (assigneeId === undefined) return rejectList(posted, NOT_ASSIGNED);
      const assigned = await assignTicket(ctx, staff(actor), { ticketId: id, assigneeId, nonce });
      if (!assigned.ok && assigned.code === "unchanged") return unchangedRow(posted, id);
      if (!assigned.ok) return rejectList(posted, assigned.code === "changed_since" ? CHANGED_SINCE : NOT_ASSIGNED);
      const message = assigneeId === null ? NOW_UNASSIGNED : ASSIGNED;
      return done({ to: `${listOf(posted)}#${id}`, flash: { kind: "success", ...message } });
    },
  },
  "bulk-status": {
    ability: "ticket.handle",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(STATUS_NOT_UPDATED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, async (selection) => {
        const { data: status } = StatusOfMany.safeParse(posted.lists.status?.[0]);
        if (!status) return rejectList(posted, CHOOSE_STATUS);
        const wanted = { property: "status", value: status } as const;
        const changed = await changeMany(ctx, actor, { selection, wanted, nonce });
        return changed.ok ? answerMany(posted, MANY_UPDATED, changed.value) : rejectList(posted, STATUS_NOT_UPDATED);
      }),
  },
  "bulk-assign": {
    ability: "ticket.handle",
    purpose: LIST_PURPOSE,
    invalid: rejectListForm(NOT_ASSIGNED),
    run: (ctx, actor, { nonce, ...posted }) =>
      withSelection(ctx, actor, posted, async (selection) => {
        const { data: assigneeId } = AssigneeChoice.safeParse(posted.lists.assignee_id?.[0]);
        if (assigneeId === undefined) return rejectList(posted, CHOOSE_ASSIGNEE);
        const wanted = { property: "assignee", value: assigneeId } as const;
        const assigned = await changeMany(ctx, actor, { selection, wanted, nonce });
        return assigned.ok ? answerMany(posted, MANY_ASSIGNED, assigned.value) : rejectList(posted, NOT_ASSIGNED);
      }),
  },
  export: {
    ability: "ticket.export",
    // Changes nothing: redirects to the file, which has an address of its own.
    purpose: null,
    form: BulkForm,
    invalid: rejectListForm(NONE_SELECTED),
    run: (_ctx, actor, { input: { target, query }, ...posted }) => {
      // Selected rows go into the address by their ids; otherwise the filter does.
      if (target === "all") return done({ to: ticketList.exportPath(new URLSearchParams(query)), newDocument: true });
      const { rows } = ticketRows.selectPosted(posted.lists.row ?? [], actor);
      if (rows.length === 0) return rejectList(posted, NONE_SELECTED);
      const ids = rows.slice(0, BULK_LIMIT).map(({ id }) => id);
      return done({ to: ticketList.exportPath(new URLSearchParams({ ids: ids.join(",") })), newDocument: true });
    },
  },
});
