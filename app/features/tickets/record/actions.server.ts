import type * as z from "zod";
import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { countUse } from "~/features/canned-replies/actions.server";
import { appended, fillIn, insertedAt, PROPOSALS, type Variable } from "~/features/canned-replies/model";
import { findCannedReply } from "~/features/canned-replies/queries.server";
import { contactReviewActions } from "~/features/contacts/actions.server";
import { MESSAGE_ADDED, MESSAGE_NOT_ADDED, TICKET_CHANGED, WRITE_SOMETHING } from "~/features/conversation/labels";
import { contentKey, messageKeys, saveDraft } from "~/features/conversation/messages.server";
import type { Conflict } from "~/features/conversation/model";
import { askAboutSecrets } from "~/features/conversation/secrets";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { CHANGED_SINCE, FORM_TOO_OLD, TAKEN } from "~/lib/error-texts";
import { fail, ok, type Result } from "~/lib/errors";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { firstNameOf } from "~/lib/text";
import { momentInWords } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import {
  discardFiles,
  type FormAction,
  type FormProblem,
  formActions,
  rejectButton,
  type Submitted,
} from "~/platform/form-actions.server";
import { type ActionResult, badRequest, conflict, done, invalid, notFound, page } from "~/platform/responses.server";
import { changedValues } from "~/platform/run-command.server";
import { leftOutOf, type SentForm, type TicketPageParams, ticketPageHandlers, UndoFields } from "../actions.server";
import { proposedCcActions } from "../cc/actions.server";
import { addNamedPerson, changePriority, removePerson, saveTicketProperties } from "../commands.server";
import { readConflict } from "../conflict.server";
import {
  AddPersonForm,
  InternalNoteForm,
  MessageForm,
  MuteFields,
  PersonForm,
  PriorityForm,
  TicketPropertiesForm,
} from "../forms.server";
import { addInternalNote } from "../internal-note.server";
import {
  ALREADY_RESOLVED,
  CANNED_REPLY_GONE,
  DETAILS_NOT_SAVED,
  DETAILS_SAVED,
  NOBODY_HAS_ADDRESS,
  NOBODY_LEFT,
  NOTHING_CHANGED,
  RESOLUTION_NEEDED,
  TICKET_ASSIGNED,
  TICKET_NOT_ASSIGNED,
  TICKET_STATUS_NOT_UPDATED,
  TICKET_STATUS_UPDATED,
  TICKET_UNASSIGNED,
} from "../labels";
import { ticketMailActions } from "../mails/delivery.server";
import { asStaff, LAST_SOLUTION, RESOLUTION_LIMITS, type ReplyEffect } from "../model";
import { findTicketForStaff, type StoredTicket } from "../queries.server";
import { replyAsStaff } from "../reply-as-staff.server";
import { readPlaceInList, type readTicket } from "./read-ticket.server";

export type TicketFormName = "reply" | "note" | "handling" | "priority" | "people";

export type TicketPage = NonNullable<Awaited<ReturnType<typeof readTicket>>> & {
  tokens: Record<keyof typeof ticketActions.actions, string | null>;
};

export type TicketFormError = ValidationError & {
  form: TicketFormName;
  conflict?: Conflict;
  inserted?: Inserted;
  /** Tells whether the text is kept as a draft, and nothing is wrong: the form goes on as it was. */
  isKept?: true;
};

type Inserted = { id: string; isAtEnd: boolean; proposal: string | null };

type TicketForm<Input> = FormAction<StaffActor, TicketPageParams, TicketFormError, Input>;
type FormResult = ActionResult<TicketFormError>;

const FAILED: Record<TicketFormName, string> = {
  reply: MESSAGE_NOT_ADDED,
  note: MESSAGE_NOT_ADDED,
  handling: TICKET_STATUS_NOT_UPDATED,
  priority: DETAILS_NOT_SAVED,
  people: DETAILS_NOT_SAVED,
};

/** Returns the form as it was posted, with what is wrong with it. The files that came with it are not kept. */
function rejectedForm(
  ctx: Pick<Ctx, "after" | "files">,
  form: TicketFormName,
  { errors, ...sent }: Pick<Submitted<TicketPageParams>, "fields" | "lists" | "upload"> & { errors: FieldErrors },
): TicketFormError {
  discardFiles(ctx, sent);
  return { form, title: FAILED[form], errors, values: submittedValues(sent) };
}

function submittedValues({
  fields: { form_token: _, listed = "", ...values },
  lists,
}: Pick<Submitted<TicketPageParams>, "fields" | "lists">): Record<string, string> {
  return { ...values, not_to: leftOutOf({ fields: { listed }, lists }).join(" ") };
}

const invalidTicketForm =
  (form: TicketFormName) =>
  (problem: FormProblem, submitted: Submitted<TicketPageParams>, ctx: Ctx): FormResult => {
    const errors = problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors;
    return invalid(rejectedForm(ctx, form, { ...submitted, errors }));
  };

const success = (message: Pick<FlashMessage, "title" | "message">): FlashMessage => ({
  kind: "success",
  ...message,
});

/** `caret`: the place in the draft; null: its end. */
async function insertCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { ref, replyId, draft, caret }: { ref: string; replyId: string; draft: string; caret: number | null },
): Promise<Result<Inserted & { text: string }, "ticket_not_found" | "reply_not_found">> {
  const [ticket, reply, { timeZone: zone }, site] = await Promise.all([
    findTicketForStaff(ctx.db, ref),
    findCannedReply(ctx.db, replyId, actor.userId),
    getSettings(ctx.db),
    effectiveBrand(ctx),
  ]);
  if (!ticket) return fail("ticket_not_found");
  if (!reply) return fail("reply_not_found");
  await countUse(ctx.db, reply.id);
  const values: Record<Variable, string> = {
    "client.first_name": firstNameOf(ticket.creator.name),
    "ticket.number": referenceNumber("ticket", ticket.number),
    "ticket.subject": ticket.title,
    "org.name": ticket.organization.name,
    "agent.first_name": firstNameOf(actor.fullName),
    "promise.next_reply": nextReply(ticket, ctx.now(), zone),
    "site.name": site.name,
    "site.phone": site.phone?.display ?? "",
  };
  const text = fillIn(reply.message, values);
  return ok({
    id: ctx.newId("ins"),
    text: caret === null ? appended(draft, text) : insertedAt(draft, text, caret),
    isAtEnd: caret === null,
    proposal: reply.status && PROPOSALS[reply.status],
  });
}

const nextReply = ({ sla: { dueAt } }: StoredTicket, now: number, zone: string): string =>
  dueAt === null || dueAt <= now ? "soon" : momentInWords(dueAt, now, zone);

type ReplyInput = z.output<typeof MessageForm>;

const replyAction = (effect: ReplyEffect, { goesOn = false } = {}): TicketForm<ReplyInput> => ({
  ability: "ticket.reply",
  purpose: "ticket-reply",
  takesFiles: true,
  form: MessageForm,
  failed: MESSAGE_NOT_ADDED,
  invalid: invalidTicketForm("reply"),
  run: async (ctx, actor, sent) => {
    const { params, input, nonce, upload } = sent;
    const { files, error } = receivedFiles(ctx, { upload });
    const { body: text, what_was_done: resolution } = input;
    const hasMessage = text !== "" || files.length > 0;
    const errors = replyErrors(input, { effect, isEmpty: !hasMessage && !error });
    if (error) errors.files = error;
    // Only what this button sends.
    const texts = { body: text, why_late: input.why_late, what_was_done: effect === "resolve" ? resolution : null };
    const question = askAboutSecrets(texts, sent.fields.secret);
    Object.assign(errors, question?.errors);
    if (Object.keys(errors).length > 0) {
      const again = rejectedForm(ctx, "reply", { ...sent, errors });
      return invalid(question ? { ...again, values: { ...again.values, secret: question.secret } } : again);
    }
    // The answer moves the ticket in the list.
    const next = goesOn ? await readNext(ctx, actor, params.ticket) : null;
    const replied = await replyAsStaff(ctx, actor, {
      ticketId: params.ticket,
      text,
      files,
      effect,
      resolution: resolution ?? undefined,
      whyLate: input.why_late,
      assignToMe: input.assign_to_me,
      notTo: leftOutOf(sent),
      baseMessage: input.begun_at_message.messages,
      baseStatus: input.begun_at_message.status,
      nonce: contentKey(messageKeys(nonce, params.ticket), { text, why_late: input.why_late, files }),
    });
    if (!replied.ok) return refusedReply(ctx, actor, sent, replied.code);
    if (next) return done({ to: next.path, flash: success({ ...MESSAGE_ADDED, message: next.message }) });
    const place = hasMessage ? replied.value : LAST_SOLUTION;
    return done({ to: `${params.path}#${place}`, flash: success(MESSAGE_ADDED) });
  },
});

/** Returns the next ticket of the list that this one was opened from; after the last one the list itself. */
async function readNext(ctx: Ctx, actor: StaffActor, ref: string) {
  const ticket = await findTicketForStaff(ctx.db, ref);
  if (!ticket) return null;
  const { searchParams: params } = ctx.request.url;
  const { next, path } = await readPlaceInList(ctx, actor, { id: ticket.id, params });
  const message = `${MESSAGE_ADDED.message} to ${referenceNumber("ticket", ticket.number)}.`;
  return next === null ? { path, message: `${message} It was the last of this list.` } : { path: next, message };
}

function replyErrors(
  { what_was_done: resolution }: ReplyInput,
  { effect, isEmpty }: { effect: ReplyEffect; isEmpty: boolean },
): FieldErrors {
  if (effect !== "resolve") return isEmpty ? { body: WRITE_SOMETHING } : {};
  return (resolution?.length ?? 0) < RESOLUTION_LIMITS.min ? { what_was_done: RESOLUTION_NEEDED } : {};
}

const REFUSED: Record<string, FieldErrors | undefined> = {
  already_resolved: { what_was_done: ALREADY_RESOLVED },
  nobody_left: { to: NOBODY_LEFT },
};

async function refusedReply(
  ctx: Ctx,
  { userId }: StaffActor,
  sent: SentForm<ReplyInput>,
  code: string,
): Promise<FormResult> {
  const errors = REFUSED[code];
  if (errors) return invalid(rejectedForm(ctx, "reply", { ...sent, errors }));
  const ticket = await findTicketForStaff(ctx.db, sent.params.ticket);
  if (!ticket) return notFound();
  const { body: text, begun_at_message: seen, why_late, what_was_done } = sent.input;
  const { messages: baseMessage, status: baseStatus } = seen;
  const draft = {
    text,
    baseMessage,
    whyLate: why_late,
    whatWasDone: what_was_done ?? undefined,
    notTo: leftOutOf(sent),
  };
  const [newer] = await Promise.all([
    readConflict(ctx.db, ticket, { baseMessage, baseStatus, by: userId, nameOf: ({ author }) => author }),
    saveDraft(ctx, { ticket, userId, kind: "reply", ...draft }),
  ]);
  const error = rejectedForm(ctx, "reply", { ...sent, errors: { form: newer.words } });
  return conflict({ ...error, title: TICKET_CHANGED, conflict: newer });
}

const staffPage = ticketPageHandlers<StaffActor>({
  side: "staff",
  find: ({ db }, _actor, ref) => findTicketForStaff(db, ref),
});

/** The form comes back as it was, with what a draft does not hold. */
const draftAction = (kind: "reply" | "note", { byItself = false } = {}): TicketForm<unknown> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: invalidTicketForm(kind),
  run: staffPage.keepDraft<TicketFormError>(
    {
      kind,
      saved: (sent) => page({ form: kind, title: "", errors: {}, values: submittedValues(sent), isKept: true }),
    },
    { byItself },
  ),
});

const discardAction = (kind: "reply" | "note"): TicketForm<unknown> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: invalidTicketForm(kind),
  run: staffPage.discardDraft(kind),
});

type Message = { title: string; message: string };

function propertiesSaved({ had, takes: _, ...values }: z.output<typeof TicketPropertiesForm>): Message {
  const chosen = changedValues({ values, had }, null);
  const names = Object.keys(chosen).join();
  if (names === "status") return TICKET_STATUS_UPDATED;
  if (names !== "assigneeId") return DETAILS_SAVED;
  return chosen.assigneeId === null ? TICKET_UNASSIGNED : TICKET_ASSIGNED;
}

function changed(
  form: TicketFormName,
  { path }: TicketPageParams,
  outcome: { ok: true } | { ok: false; code: string },
  saved: Message = DETAILS_SAVED,
): FormResult {
  if (outcome.ok) return done({ to: path, flash: success(saved) });
  if (outcome.code === "ticket_not_found") return notFound();
  if (outcome.code === "unchanged")
    return done({ to: path, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });
  const message = { changed_since: CHANGED_SINCE, taken: TAKEN }[outcome.code] ?? FAILED[form];
  return done({ to: path, flash: { kind: "error", title: "Error", message } });
}

const notChanged = (problem: FormProblem, { params }: { params: TicketPageParams }) =>
  rejectButton(params.path, problem, FAILED.people);

export const ticketActions = formActions<StaffActor, TicketPageParams, TicketFormError>({
  reading: (ctx) => ({ lists: ["to"], upload: ticketUpload(ctx, ["ticket-reply", "ticket-note"]) }),
})({
  reply: replyAction("send"),
  reply_next: replyAction("send", { goesOn: true }),
  reply_wait: replyAction("wait"),
  reply_resolve: replyAction("resolve"),
  draft: draftAction("reply"),
  autosave: draftAction("reply", { byItself: true }),
  discard: discardAction("reply"),
  insert: {
    ability: "ticket.reply",
    purpose: "ticket-reply",
    invalid: invalidTicketForm("reply"),
    run: async (ctx, actor, { params, fields, lists, upload }) => {
      const { canned = "", caret = "", ...values } = submittedValues({ fields, lists });
      const inserted = await insertCannedReply(ctx, actor, {
        ref: params.ticket,
        replyId: canned,
        draft: values.body ?? "",
        caret: /^\d{1,6}$/.test(caret) ? Number(caret) : null,
      });
      const errors = { canned: CANNED_REPLY_GONE };
      if (!inserted.ok && inserted.code === "reply_not_found")
        return invalid(rejectedForm(ctx, "reply", { fields, lists, upload, errors }));
      if (!inserted.ok) return notFound();
      const { text, ...insertion } = inserted.value;
      return page({ form: "reply", title: "", errors: {}, values: { ...values, body: text }, inserted: insertion });
    },
  },
  note: {
    ability: "ticket.handle",
    purpose: "ticket-note",
    takesFiles: true,
    form: InternalNoteForm,
    failed: FAILED.note,
    invalid: invalidTicketForm("note"),
    run: async (ctx, actor, sent) => {
      const { params, input, nonce, upload } = sent;
      const { files, error } = receivedFiles(ctx, { upload });
      const errors: FieldErrors = error ? { files: error } : {};
      if (!error && input.body === "" && files.length === 0) errors.body = WRITE_SOMETHING;
      if (Object.keys(errors).length > 0) return invalid(rejectedForm(ctx, "note", { ...sent, errors }));
      const { body: text } = input;
      const key = contentKey(messageKeys(nonce, params.ticket), { text, files });
      const added = await addInternalNote(ctx, actor, { ticketId: params.ticket, text, files, nonce: key });
      if (!added.ok) return notFound();
      const { id, notified, notNotified } = added.value;
      const saved = success({
        ...MESSAGE_ADDED,
        message: [MESSAGE_ADDED.message, notified].filter(Boolean).join(". "),
      });
      const warned = {
        kind: "warning",
        title: "Note added.",
        message: [notified, notNotified].filter(Boolean).join(" "),
      } as const;
      return done({ to: `${params.path}#${id}`, flash: notNotified ? warned : saved });
    },
  },
  note_draft: draftAction("note"),
  note_autosave: draftAction("note", { byItself: true }),
  note_discard: discardAction("note"),
  undo: {
    ability: "ticket.reply",
    purpose: "ticket-undo",
    form: UndoFields,
    invalid: badRequest,
    run: staffPage.undo,
  },
  handling: {
    ability: "ticket.handle",
    purpose: "ticket-handling",
    form: TicketPropertiesForm,
    failed: ({ status, had_status, assignee_id, had_assignee_id }) => {
      if (status !== had_status) return TICKET_STATUS_NOT_UPDATED;
      return assignee_id === had_assignee_id ? DETAILS_NOT_SAVED : TICKET_NOT_ASSIGNED;
    },
    invalid: invalidTicketForm("handling"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const saved = await saveTicketProperties(ctx, asStaff(actor), { ticketId: params.ticket, ...input, nonce });
      return changed("handling", params, saved, propertiesSaved(input));
    },
  },
  priority: {
    ability: "ticket.handle",
    purpose: "ticket-priority",
    form: PriorityForm,
    invalid: invalidTicketForm("priority"),
    run: async (ctx, actor, { params, input, nonce }) =>
      changed(
        "priority",
        params,
        await changePriority(ctx, asStaff(actor), { ticketId: params.ticket, ...input, nonce }),
      ),
  },
  mute: {
    ability: "ticket.view",
    purpose: "ticket-mute",
    form: MuteFields,
    invalid: notChanged,
    run: staffPage.mute,
  },
  add_person: {
    ability: "ticket.handle",
    purpose: "ticket-people",
    form: AddPersonForm,
    invalid: invalidTicketForm("people"),
    run: async (ctx, actor, { input, nonce, ...sent }) => {
      const { params } = sent;
      const editor = { side: "staff", by: asStaff(actor) } as const;
      const named = { ticketId: params.ticket, userId: input.person, email: input.email, nonce };
      const added = await addNamedPerson(ctx, editor, named);
      if (!added.ok && added.code === "person_not_found" && input.email !== "")
        return invalid(rejectedForm(ctx, "people", { ...sent, errors: { email: NOBODY_HAS_ADDRESS } }));
      return changed("people", params, added);
    },
  },
  remove_person: {
    ability: "ticket.handle",
    purpose: "ticket-people",
    form: PersonForm,
    invalid: notChanged,
    run: async (ctx, actor, { params, input, nonce }) => {
      const editor = { side: "staff", by: asStaff(actor) } as const;
      const person = { ticketId: params.ticket, userId: input.person, nonce };
      return changed("people", params, await removePerson(ctx, editor, person));
    },
  },
  ...ticketMailActions,
  ...contactReviewActions<TicketPageParams>(
    async ({ db }, { ticket }) => (await findTicketForStaff(db, ticket))?.organization.id ?? null,
  ),
  ...proposedCcActions,
});
