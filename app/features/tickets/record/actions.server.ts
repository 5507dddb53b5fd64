import type { Ability } from "~/access/policy";
import { discardFiles, receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FieldErrors } from "~/lib/form";
import { type ActionResult, conflict, done, invalid, notFound, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import type { FlashMessage } from "~/platform/flash.server";
import { type FormAction, type FormProblem, formActions, type Submitted } from "~/platform/form-actions.server";
import { changePriority } from "../changes/change-details.server";
import { addPerson, removePerson } from "../changes/change-people.server";
import { addInternalNote } from "../conversation/add-internal-note.server";
import { listNewerMessages } from "../conversation/queries.server";
import { replyAsStaff } from "../conversation/reply-as-staff.server";
import { discardDraft, saveDraft } from "../conversation/save-draft.server";
import {
  DETAILS_NOT_SAVED,
  DETAILS_SAVED,
  DRAFT_SAVED,
  MESSAGE_ADDED,
  MESSAGE_NOT_ADDED,
  NOTHING_CHANGED,
  RESOLUTION_NEEDED,
  repliedMeanwhile,
  STATUS_NOT_UPDATED,
  TICKET_CHANGED,
  WRITE_SOMETHING,
} from "../copy";
import { HandlingForm, InternalNoteForm, MessageForm, PersonForm, PriorityForm } from "../forms.server";
import { ticketMailActions } from "../mails/actions.server";
import { RESOLUTION_LIMITS, type ReplyWay, type TicketActor } from "../model";
import { findTicketForStaff } from "../queries.server";
import { allowanceActions } from "./allowance-actions.server";
import { insertCannedReply } from "./insert-canned-reply.server";
import type { TicketFormError, TicketFormName } from "./model";
import { saveHandling } from "./save-handling.server";

/** Holds which ticket it is, by number or id, and the address of the page. */
type Params = { ticket: string; path: string };

type TicketForm<Input> = FormAction<StaffActor, Params, TicketFormError, Input>;
type Sent<Input> = Submitted<Params> & { input: Input; nonce: string };
type FormResult = ActionResult<TicketFormError>;

/** Holds the message after a form that did not work. */
const FAILED: Record<TicketFormName, string> = {
  reply: MESSAGE_NOT_ADDED,
  note: MESSAGE_NOT_ADDED,
  handling: STATUS_NOT_UPDATED,
  priority: DETAILS_NOT_SAVED,
  people: DETAILS_NOT_SAVED,
  allowances: DETAILS_NOT_SAVED,
};

/** Returns the form as it was posted, with what is wrong with it. The files that came with it are not kept. */
function refused(
  ctx: Pick<Ctx, "after" | "files">,
  form: TicketFormName,
  { fields, upload, errors }: Pick<Submitted<Params>, "fields" | "upload"> & { errors: FieldErrors },
): TicketFormError {
  discardFiles(ctx, { upload });
  const { form_token: _, ...values } = fields;
  return { form, title: FAILED[form], errors, values };
}

const refuse =
  (form: TicketFormName) =>
  (problem: FormProblem, submitted: Submitted<Params>, ctx: Ctx): FormResult => {
    const errors = problem.code === "token" ? { form: FORM_TOO_OLD } : problem.errors;
    return invalid(refused(ctx, form, { ...submitted, errors }));
  };

const staffActor = ({ userId, fullName }: StaffActor): TicketActor => ({ userId, fullName, side: "staff" });

const success = (message: Pick<FlashMessage, "title" | "message">): FlashMessage => ({ kind: "success", ...message });

type Message = { message: string; resolution: string | null; begun_at_message: number };

/** Returns the action of one of the buttons that send a reply. */
const replyAction = (way: ReplyWay): TicketForm<Message> => ({
  ability: "ticket.reply",
  purpose: "ticket-reply",
  form: MessageForm,
  invalid: refuse("reply"),
  run: async (ctx, actor, sent) => {
    const { params, input, nonce, upload } = sent;
    const { files, error } = receivedFiles(ctx, { upload });
    const errors: FieldErrors = {};
    const { message: text, resolution } = input;
    if (text === "" && files.length === 0 && !error && way !== "resolve") errors.message = WRITE_SOMETHING;
    if (way === "resolve" && (resolution?.length ?? 0) < RESOLUTION_LIMITS.min) errors.resolution = RESOLUTION_NEEDED;
    if (error) errors.files = error;
    if (Object.keys(errors).length > 0) return invalid(refused(ctx, "reply", { ...sent, errors }));
    const replied = await replyAsStaff(ctx, actor, {
      ticketId: params.ticket,
      text,
      files,
      way,
      resolution: resolution ?? undefined,
      begunAtMessage: input.begun_at_message,
      nonce,
    });
    if (!replied.ok && replied.code === "ticket_not_found") return notFound();
    if (!replied.ok) return overtakenReply(ctx, actor, sent);
    return done({ to: `${params.path}#${replied.value}`, flash: success(MESSAGE_ADDED) });
  },
});

/** Shows the reply again, with what others wrote while it was being written. */
async function overtakenReply(ctx: Ctx, actor: StaffActor, sent: Sent<Message>): Promise<FormResult> {
  const ticket = await findTicketForStaff(ctx.db, sent.params.ticket);
  if (!ticket) return notFound();
  const { id, publicMessages } = ticket;
  const begun = { publicMessages, begunAtMessage: sent.input.begun_at_message, by: actor.userId };
  const newer = await listNewerMessages(ctx.db, id, begun);
  const words = repliedMeanwhile(newer.at(-1)?.author ?? "Somebody");
  const messages = newer.map(({ id: messageId, author, at, text }) => ({ id: messageId, author, at, text }));
  const error = refused(ctx, "reply", { ...sent, errors: { form: words } });
  return conflict({ ...error, title: TICKET_CHANGED, overtaken: { words, messages, upTo: publicMessages } });
}

/** Returns the action of the button that keeps what was typed for later. */
const draftAction = (kind: "reply" | "note"): TicketForm<Record<string, string>> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: refuse(kind),
  run: async (ctx, { userId }, { params, fields, upload }) => {
    discardFiles(ctx, { upload });
    const ticket = await findTicketForStaff(ctx.db, params.ticket);
    if (!ticket) return notFound();
    const text = (kind === "reply" ? fields.message : fields.note) ?? "";
    const begunAtMessage = Number(/^\d{1,9}$/.exec(fields.begun_at_message ?? "")?.[0] ?? ticket.publicMessages);
    await saveDraft(ctx, { ticket, userId, kind, text: text.slice(0, 20_000), begunAtMessage });
    return done({ to: params.path, flash: success(DRAFT_SAVED) });
  },
});

/** Returns the action of the button that throws what was kept away. */
const discardAction = (kind: "reply" | "note"): TicketForm<unknown> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: refuse(kind),
  run: async (ctx, { userId }, { params, upload }) => {
    discardFiles(ctx, { upload });
    const ticket = await findTicketForStaff(ctx.db, params.ticket);
    if (!ticket) return notFound();
    await discardDraft(ctx.db, { ticketId: ticket.id, userId, kind });
    return done({ to: params.path });
  },
});

type Changed = { ok: true } | { ok: false; code: string };

/** Returns to the page after a change of the ticket, or says why there was none. */
function changed(form: TicketFormName, { path }: Params, outcome: Changed): FormResult {
  if (outcome.ok) return done({ to: path, flash: success(DETAILS_SAVED) });
  if (outcome.code === "ticket_not_found") return notFound();
  return done({ to: path, flash: { kind: "error", title: "Error", message: FAILED[form] } });
}

const HANDLES: Ability = "ticket.handle";

/** Handles the forms of a ticket's page. */
export const ticketActions = formActions<StaffActor, Params, TicketFormError>({
  reading: (ctx) => ({ upload: ticketUpload(ctx, ["ticket-reply", "ticket-note"]) }),
})({
  reply: replyAction("send"),
  reply_wait: replyAction("wait"),
  reply_resolve: replyAction("resolve"),
  draft: draftAction("reply"),
  discard: discardAction("reply"),
  insert: {
    ability: "ticket.reply",
    purpose: "ticket-reply",
    invalid: refuse("reply"),
    run: async (ctx, actor, { params, fields, upload }) => {
      discardFiles(ctx, { upload });
      const { form_token: _, canned = "", ...values } = fields;
      const inserted = await insertCannedReply(ctx, actor, {
        ref: params.ticket,
        replyId: canned,
        draft: values.message ?? "",
      });
      if (!inserted) return notFound();
      const { message, ...said } = inserted;
      return page({ form: "reply", title: "", errors: {}, values: { ...values, message }, inserted: said });
    },
  },
  note: {
    ability: HANDLES,
    purpose: "ticket-note",
    form: InternalNoteForm,
    invalid: refuse("note"),
    run: async (ctx, actor, sent) => {
      const { params, input, nonce, upload } = sent;
      const { files, error } = receivedFiles(ctx, { upload });
      const errors: FieldErrors = error ? { files: error } : {};
      if (!error && input.note === "" && files.length === 0) errors.note = WRITE_SOMETHING;
      if (Object.keys(errors).length > 0) return invalid(refused(ctx, "note", { ...sent, errors }));
      const added = await addInternalNote(ctx, actor, { ticketId: params.ticket, text: input.note, files, nonce });
      if (!added.ok) return notFound();
      return done({ to: `${params.path}#${added.value}`, flash: success(MESSAGE_ADDED) });
    },
  },
  note_draft: draftAction("note"),
  note_discard: discardAction("note"),
  handling: {
    ability: HANDLES,
    purpose: "ticket-handling",
    form: HandlingForm,
    invalid: refuse("handling"),
    run: async (ctx, actor, { params, input, nonce }) => {
      if (Object.values(input).every((value) => value === undefined))
        return done({ to: params.path, flash: { kind: "info", ...NOTHING_CHANGED }, unchanged: true });
      const saved = await saveHandling(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce });
      return changed("handling", params, saved);
    },
  },
  priority: {
    ability: HANDLES,
    purpose: "ticket-priority",
    form: PriorityForm,
    invalid: refuse("priority"),
    run: async (ctx, actor, { params, input, nonce }) =>
      changed(
        "priority",
        params,
        await changePriority(ctx, staffActor(actor), { ticketId: params.ticket, ...input, nonce }),
      ),
  },
  add_person: personAction(addPerson),
  remove_person: personAction(removePerson),
  ...ticketMailActions,
  ...allowanceActions,
});

/** Returns the action of a form that names a person. */
function personAction(command: typeof addPerson): TicketForm<{ person: string }> {
  return {
    ability: HANDLES,
    purpose: "ticket-people",
    form: PersonForm,
    invalid: refuse("people"),
    run: async (ctx, actor, { params, input, nonce }) => {
      const editor = { side: "staff", by: staffActor(actor) } as const;
      const person = { ticketId: params.ticket, userId: input.person, nonce };
      return changed("people", params, await command(ctx, editor, person));
    },
  };
}
