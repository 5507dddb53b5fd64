import type * as z from "zod";
import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { FieldErrors } from "~/lib/form";
import { conflict, done, invalid, notFound, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { addInternalNote } from "../conversation/add-internal-note.server";
import { contentKey, messageKeys } from "../conversation/message-key.server";
import { readOvertaken } from "../conversation/overtaken.server";
import { replyAsStaff } from "../conversation/reply-as-staff.server";
import { discardDraft, saveDraft } from "../conversation/save-draft.server";
import {
  ALREADY_RESOLVED,
  CANNED_REPLY_GONE,
  DRAFT_DELETED,
  MESSAGE_ADDED,
  RESOLUTION_NEEDED,
  TICKET_CHANGED,
  WRITE_SOMETHING,
} from "../copy";
import { InternalNoteForm, MessageForm } from "../forms.server";
import { ticketMailActions } from "../mails/actions.server";
import { MESSAGE_LIMIT, RESOLUTION_LIMITS, type ReplyEffect, WHY_LATE_LIMIT } from "../model";
import { findTicketForStaff } from "../queries.server";
import { askAboutSecrets } from "../secrets/ask-about-secrets.server";
import { changeActions } from "./change-actions.server";
import { insertCannedReply } from "./insert-canned-reply.server";
import { LAST_SOLUTION, type TicketFormError } from "./model";
import {
  type FormResult,
  invalidTicketForm,
  type Params,
  rejectedForm,
  type Sent,
  success,
  type TicketForm,
} from "./ticket-form.server";

type Message = z.output<typeof MessageForm>;

/** Returns the action of one of the buttons that send a reply. */
const replyAction = (effect: ReplyEffect): TicketForm<Message> => ({
  ability: "ticket.reply",
  purpose: "ticket-reply",
  takesFiles: true,
  form: MessageForm,
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
    const replied = await replyAsStaff(ctx, actor, {
      ticketId: params.ticket,
      text,
      files,
      effect,
      resolution: resolution ?? undefined,
      whyLate: input.why_late,
      assignToMe: input.assign_to_me,
      begunAtMessage: input.begun_at_message.messages,
      begunAtStatus: input.begun_at_message.status,
      nonce: contentKey(messageKeys(nonce, params.ticket), { text, why_late: input.why_late, files }),
    });
    if (!replied.ok && replied.code === "ticket_not_found") return notFound();
    if (!replied.ok && replied.code === "already_resolved")
      return invalid(rejectedForm(ctx, "reply", { ...sent, errors: { what_was_done: ALREADY_RESOLVED } }));
    if (!replied.ok) return overtakenReply(ctx, actor, sent);
    const place = hasMessage ? replied.value : LAST_SOLUTION;
    return done({ to: `${params.path}#${place}`, flash: success(MESSAGE_ADDED) });
  },
});

/** Returns what is missing in a reply for what its button does. */
function replyErrors(
  { what_was_done: resolution }: Message,
  { effect, isEmpty }: { effect: ReplyEffect; isEmpty: boolean },
): FieldErrors {
  if (effect !== "resolve") return isEmpty ? { body: WRITE_SOMETHING } : {};
  return (resolution?.length ?? 0) < RESOLUTION_LIMITS.min ? { what_was_done: RESOLUTION_NEEDED } : {};
}

/** Shows the reply again, with what others did while it was being written, and keeps it as a draft. */
async function overtakenReply(ctx: Ctx, { userId }: StaffActor, sent: Sent<Message>): Promise<FormResult> {
  const ticket = await findTicketForStaff(ctx.db, sent.params.ticket);
  if (!ticket) return notFound();
  const { body: text, begun_at_message: seen, why_late, what_was_done } = sent.input;
  const { messages: begunAtMessage, status: begunAtStatus } = seen;
  const draft = { text, begunAtMessage, whyLate: why_late, whatWasDone: what_was_done ?? undefined };
  const [overtaken] = await Promise.all([
    readOvertaken(ctx.db, ticket, { begunAtMessage, begunAtStatus, by: userId, nameOf: ({ author }) => author }),
    saveDraft(ctx, { ticket, userId, kind: "reply", ...draft }),
  ]);
  const error = rejectedForm(ctx, "reply", { ...sent, errors: { form: overtaken.words } });
  return conflict({ ...error, title: TICKET_CHANGED, overtaken });
}

/**
 * Returns the action of the button that keeps what was typed for later. The form comes back as it was, with what a
 * draft does not hold.
 */
const draftAction = (kind: "reply" | "note", { byItself = false } = {}): TicketForm<Record<string, string>> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: invalidTicketForm(kind),
  run: async (ctx, { userId }, { params, fields, nonce }) => {
    const ticket = await findTicketForStaff(ctx.db, params.ticket);
    if (!ticket) return notFound();
    const begunAtMessage = Number(/^\d{1,9}(?= |$)/.exec(fields.begun_at_message ?? "")?.[0] ?? ticket.publicMessages);
    const draft = {
      ticket,
      userId,
      kind,
      begunAtMessage,
      text: (fields.body ?? "").slice(0, MESSAGE_LIMIT),
      whyLate: fields.why_late?.slice(0, WHY_LATE_LIMIT),
      whatWasDone: fields.what_was_done?.slice(0, RESOLUTION_LIMITS.max),
    };
    await saveDraft(ctx, byItself ? { ...draft, unlessSent: messageKeys(nonce, params.ticket) } : draft);
    if (byItself) return done({ to: params.path });
    const { form_token: _, ...values } = fields;
    return page({ form: kind, title: "", errors: {}, values, isKept: true });
  },
});

/** Returns the action of the button that throws what was kept away. */
const discardAction = (kind: "reply" | "note"): TicketForm<unknown> => ({
  ability: "ticket.reply",
  purpose: `ticket-${kind}`,
  invalid: invalidTicketForm(kind),
  run: async (ctx, { userId }, { params }) => {
    const ticket = await findTicketForStaff(ctx.db, params.ticket);
    if (!ticket) return notFound();
    await discardDraft(ctx.db, { ticketId: ticket.id, userId, kind });
    return done({ to: params.path, flash: { kind: "success", ...DRAFT_DELETED } });
  },
});

/** Handles the forms of a ticket's page. */
export const ticketActions = formActions<StaffActor, Params, TicketFormError>({
  reading: (ctx) => ({ upload: ticketUpload(ctx, ["ticket-reply", "ticket-note"]) }),
})({
  reply: replyAction("send"),
  reply_wait: replyAction("wait"),
  reply_resolve: replyAction("resolve"),
  draft: draftAction("reply"),
  autosave: draftAction("reply", { byItself: true }),
  discard: discardAction("reply"),
  insert: {
    ability: "ticket.reply",
    purpose: "ticket-reply",
    invalid: invalidTicketForm("reply"),
    run: async (ctx, actor, { params, fields, upload }) => {
      const { form_token: _, canned = "", caret = "", ...values } = fields;
      const inserted = await insertCannedReply(ctx, actor, {
        ref: params.ticket,
        replyId: canned,
        draft: values.body ?? "",
        caret: /^\d{1,6}$/.test(caret) ? Number(caret) : null,
      });
      const errors = { canned: CANNED_REPLY_GONE };
      if (!inserted.ok && inserted.code === "reply_not_found")
        return invalid(rejectedForm(ctx, "reply", { fields, upload, errors }));
      if (!inserted.ok) return notFound();
      const { text, ...said } = inserted.value;
      return page({ form: "reply", title: "", errors: {}, values: { ...values, body: text }, inserted: said });
    },
  },
  note: {
    ability: "ticket.handle",
    purpose: "ticket-note",
    takesFiles: true,
    form: InternalNoteForm,
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
      const { id, told, notTold } = added.value;
      const said = success({ ...MESSAGE_ADDED, message: [MESSAGE_ADDED.message, told].filter(Boolean).join(". ") });
      const warned = {
        kind: "warning",
        title: "Note added.",
        message: [told, notTold].filter(Boolean).join(" "),
      } as const;
      return done({ to: `${params.path}#${id}`, flash: notTold ? warned : said });
    },
  },
  note_draft: draftAction("note"),
  note_autosave: draftAction("note", { byItself: true }),
  note_discard: discardAction("note"),
  ...changeActions,
  ...ticketMailActions,
});
