import * as z from "zod";
import { receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { MemberActor } from "~/features/auth/guards.server";
import {
  DRAFT_SAVED,
  MESSAGE_ADDED,
  MESSAGE_NOT_ADDED,
  secretWarning,
  TICKET_CHANGED,
  WRITE_SOMETHING,
} from "~/features/conversation/labels";
import { contentKey, messageKeys, saveDraft } from "~/features/conversation/messages.server";
import { secretIn } from "~/features/conversation/secrets";
import { otherOrganization } from "~/features/organizations/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { absentAsEmpty, withoutSecrets } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, type FormAction, formActions, reasonOf, rejectButton } from "~/platform/form-actions.server";
import { type ActionResult, badRequest, conflict, done, invalid, notFound } from "~/platform/responses.server";
import { viewerOf } from "../access.server";
import { type TicketPageParams, ticketPageHandlers, UndoFields } from "../actions.server";
import { addNamedPerson, changeStatusAsClient, removePerson, setPrivacy } from "../commands.server";
import { readConflict } from "../conflict.server";
import { MuteFields, typedEmail } from "../forms.server";
import {
  CHOOSE_COLLEAGUE,
  followUpOpened,
  MESSAGE_TOO_LONG,
  NOBODY_HAS_ADDRESS,
  NOT_CHANGED,
  NOT_SENT,
  PERSON_ADDED,
  PERSON_REMOVED,
  PRIVACY_SAVED,
  SAY_WHAT_IS_WRONG,
  SOLVED_MEANWHILE,
  TICKET_STATUS_NOT_UPDATED,
  TICKET_STATUS_UPDATED,
} from "../labels";
import { BAND, CLIENT_TRANSITIONS, MESSAGE_LIMIT } from "../model";
import { CLIENT_TICKETS_PATH, clientTicketPath } from "../paths";
import { findTicketForClient } from "../queries.server";
import { type ClientReplied, replyAsClient } from "../reply-as-client.server";
import { askedOf, authorName, type ClientTicketResult } from "./read-client-ticket.server";

export const REPLY_PURPOSE = "ticket-reply";

type ClientTicketForm<Input> = FormAction<MemberActor, TicketPageParams, ClientTicketResult, Input>;

const ReplyForm = absentAsEmpty(
  ["body", "begun_at_message"],
  z.object({
    body: z.string().trim().max(MESSAGE_LIMIT, MESSAGE_TOO_LONG),
    begun_at_message: z
      .string()
      .regex(/^\d{0,9}$/)
      .transform((text) => (text === "" ? undefined : Number(text))),
  }),
);
type Reply = z.output<typeof ReplyForm>;

type Texts = Record<string, string>;

const rejected = (intent: "reply" | "broken", errors: Texts, values: Texts): ClientTicketResult => {
  return { intent, title: NOT_SENT, errors, values };
};
const notSent = (errors: Texts, values: Texts) => invalid(rejected("reply", errors, values));
const brokenForm = (errors: Texts, values: Texts) => invalid(rejected("broken", errors, values));

const invalidReplyForm: ClientTicketForm<unknown>["invalid"] = (problem, posted, ctx) => {
  discardFiles(ctx, posted);
  const errors = problem.code === "token" ? { form: MESSAGE_NOT_ADDED } : problem.errors;
  return notSent(errors, problem.values);
};

function sent(ref: string, replied: ClientReplied): ActionResult<ClientTicketResult> {
  if (replied.kind === "follow_up") {
    const number = referenceNumber("ticket", replied.ticket.number);
    return done({ to: clientTicketPath(number), flash: { kind: "success", ...followUpOpened(number) } });
  }
  const to = `${clientTicketPath(ref)}#${replied.messageId}`;
  return done({ to, flash: { kind: "success", ...MESSAGE_ADDED } });
}

const BrokenForm = absentAsEmpty(
  ["body", "begun_at_message"],
  z.object({
    body: z.string().trim().min(1, SAY_WHAT_IS_WRONG).max(MESSAGE_LIMIT, MESSAGE_TOO_LONG),
    begun_at_message: z
      .string()
      .regex(/^(\d{1,9}( \d{1,15})?)?$/)
      .transform((asked) => {
        const [messages, endedAt] = asked.split(" ");
        return { messages: messages ? Number(messages) : undefined, endedAt: endedAt ? Number(endedAt) : null };
      }),
  }),
);
type Broken = z.output<typeof BrokenForm>;

async function conflictingBroken(
  ctx: Ctx,
  actor: MemberActor,
  { ref, input, values }: { ref: string; input: Broken; values: Texts },
): Promise<ActionResult<ClientTicketResult>> {
  const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
  if (!ticket) return notFound();
  const baseMessage = input.begun_at_message.messages ?? ticket.publicMessages;
  const newer = await readConflict(ctx.db, ticket, { baseMessage, by: actor.userId, nameOf: authorName });
  const words = newer.messages.length > 0 ? newer.words : SOLVED_MEANWHILE;
  return conflict({
    ...{ intent: "broken", title: TICKET_CHANGED, errors: { form: words } },
    values: { ...values, begun_at_message: askedOf(ticket) },
    conflict: { ...newer, words },
  });
}

async function conflictingReply(
  ctx: Ctx,
  actor: MemberActor,
  { ref, input, values }: { ref: string; input: Reply; values: Texts },
): Promise<ActionResult<ClientTicketResult>> {
  const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
  if (!ticket) return notFound();
  const { body: text, begun_at_message: baseMessage = ticket.publicMessages } = input;
  const { userId } = actor;
  const [newer] = await Promise.all([
    readConflict(ctx.db, ticket, { baseMessage, by: userId, nameOf: authorName }),
    text === "" ? null : saveDraft(ctx, { ticket, userId, kind: "reply", text, baseMessage }),
  ]);
  return conflict({ ...rejected("reply", { form: newer.words }, values), title: TICKET_CHANGED, conflict: newer });
}

const clientPage = ticketPageHandlers<MemberActor>({
  side: "client",
  find: ({ db }, actor, ref) => findTicketForClient(db, ref, viewerOf(actor)),
});

const draftAction = ({ byItself }: { byItself: boolean }): ClientTicketForm<unknown> => ({
  purpose: REPLY_PURPOSE,
  invalid: invalidReplyForm,
  run: clientPage.keepDraft<ClientTicketResult>(
    {
      kind: "reply",
      saved: ({ params: { path } }) => done({ to: path, flash: { kind: "success", ...DRAFT_SAVED } }),
    },
    { byItself },
  ),
});

export const CHANGE_PURPOSE = "ticket-change";

type Intent = "move" | "privacy" | "add" | "remove";

const notChanged = (intent: Intent, message: string) =>
  invalid<ClientTicketResult>({ intent, title: message, errors: { form: message }, values: {} });

const invalidChange =
  (intent: Intent, message: string): ClientTicketForm<unknown>["invalid"] =>
  (problem) =>
    notChanged(intent, reasonOf(problem, message));

type Changed = { ok: true } | { ok: false; code: string };
type Answer = { intent: Intent; to: string; message: { title: string; message: string }; failed: string };

const answer = (changed: Changed, { intent, to, message, failed }: Answer): ActionResult<ClientTicketResult> => {
  if (changed.ok) return done({ to, flash: { kind: "success", ...message } });
  if (changed.code === "ticket_not_found") return notFound();
  return notChanged(intent, changed.code === "changed_since" ? CHANGED_SINCE : failed);
};

const userId = z.string().regex(/^usr_[a-z0-9]{1,40}$/);
const AddPersonForm = absentAsEmpty(
  ["user_id", "email"],
  z
    .object({ user_id: userId.or(z.literal("")), email: typedEmail })
    .refine((named) => named.user_id !== "" || named.email !== "", CHOOSE_COLLEAGUE),
);

export const clientTicketActions = formActions<MemberActor, TicketPageParams, ClientTicketResult>({
  reading: (ctx) => ({ upload: ticketUpload(ctx, [REPLY_PURPOSE]) }),
  conflict: otherOrganization,
})({
  reply: {
    purpose: REPLY_PURPOSE,
    takesFiles: true,
    form: ReplyForm,
    failed: MESSAGE_NOT_ADDED,
    invalid: invalidReplyForm,
    run: async (ctx, actor, { input, nonce, params: { ticket: ref }, ...posted }) => {
      const received = receivedFiles(ctx, posted);
      const values = withoutSecrets(posted.fields, ["form_token"]);
      if (received.error !== null) return notSent({ files: received.error }, values);
      const { files } = received;
      const { body: text, begun_at_message: baseMessage } = input;
      if (text === "" && files.length === 0) return notSent({ body: WRITE_SOMETHING }, values);
      const secret = secretIn(text);
      if (secret && values.secret !== secret) {
        discardFiles(ctx, posted);
        return notSent({ body: secretWarning(secret) }, { ...values, secret });
      }
      const key = contentKey(messageKeys(nonce, ref), { text, files });
      const replied = await replyAsClient(ctx, actor, { ticketId: ref, text, files, baseMessage, nonce: key });
      if (!replied.ok) {
        discardFiles(ctx, posted);
        return replied.code === "ticket_not_found" ? notFound() : conflictingReply(ctx, actor, { ref, input, values });
      }
      return sent(ref, replied.value);
    },
  },
  draft: draftAction({ byItself: false }),
  autosave: draftAction({ byItself: true }),
  discard: {
    purpose: REPLY_PURPOSE,
    invalid: invalidReplyForm,
    run: clientPage.discardDraft("reply"),
  },
  /**
   * Says what is still wrong, in answer to the question whether it is solved. What ended is open again; what ended
   * after the page was shown is shown first.
   */
  broken: {
    purpose: REPLY_PURPOSE,
    form: BrokenForm,
    failed: MESSAGE_NOT_ADDED,
    invalid: ({ values, ...problem }) =>
      brokenForm(problem.code === "token" ? { form: MESSAGE_NOT_ADDED } : problem.errors, values),
    run: async (ctx, actor, { input, nonce, params: { ticket: ref }, fields }) => {
      const { body: text, begun_at_message: asked } = input;
      const values = withoutSecrets(fields, ["form_token"]);
      const secret = secretIn(text);
      if (secret && fields.secret !== secret) return brokenForm({ body: secretWarning(secret) }, { ...values, secret });
      const replied = await replyAsClient(ctx, actor, {
        ...{ ticketId: ref, text, baseMessage: asked.messages, stillBroken: { endedAt: asked.endedAt } },
        nonce: contentKey(messageKeys(nonce, ref), { text }),
      });
      if (replied.ok) return sent(ref, replied.value);
      return replied.code === "ticket_not_found" ? notFound() : conflictingBroken(ctx, actor, { ref, input, values });
    },
  },
  move: {
    purpose: CHANGE_PURPOSE,
    form: z.object({ move: z.enum(CLIENT_TRANSITIONS) }),
    failed: TICKET_STATUS_NOT_UPDATED,
    invalid: invalidChange("move", TICKET_STATUS_NOT_UPDATED),
    run: async (ctx, actor, { input, nonce, params: { ticket: ref } }) => {
      const moved = await changeStatusAsClient(ctx, actor, { ticketId: ref, move: input.move, message: null, nonce });
      const to = `${clientTicketPath(ref)}#${BAND}`;
      return answer(moved, { intent: "move", to, message: TICKET_STATUS_UPDATED, failed: TICKET_STATUS_NOT_UPDATED });
    },
  },
  privacy: {
    purpose: CHANGE_PURPOSE,
    form: absentAsEmpty(["private"], z.object({ private: z.string().max(10) })),
    invalid: invalidChange("privacy", NOT_CHANGED),
    run: async (ctx, actor, { input, nonce, params: { ticket: ticketId } }) => {
      const to = clientTicketPath(ticketId);
      const changed = await setPrivacy(ctx, actor, { ticketId, isPrivate: input.private === "on", nonce });
      return answer(changed, { intent: "privacy", to, message: PRIVACY_SAVED, failed: NOT_CHANGED });
    },
  },
  add: {
    purpose: CHANGE_PURPOSE,
    form: AddPersonForm,
    invalid: invalidChange("add", CHOOSE_COLLEAGUE),
    run: async (ctx, actor, { input, nonce, fields, params: { ticket: ref } }) => {
      const { user_id: userId, email } = input;
      const added = await addNamedPerson(ctx, { side: "client", actor }, { ticketId: ref, userId, email, nonce });
      if (!added.ok && added.code === "person_not_found" && email !== "") {
        const values = { email: fields.email ?? "" };
        return invalid({ intent: "add", title: NOT_CHANGED, errors: { email: NOBODY_HAS_ADDRESS }, values });
      }
      const to = clientTicketPath(ref);
      return answer(added, { intent: "add", to, message: PERSON_ADDED, failed: CHOOSE_COLLEAGUE });
    },
  },
  remove: {
    purpose: CHANGE_PURPOSE,
    form: z.object({ user_id: userId }),
    invalid: invalidChange("remove", NOT_CHANGED),
    run: async (ctx, actor, { input, nonce, params: { ticket: ref } }) => {
      const { user_id: userId } = input;
      const removed = await removePerson(ctx, { side: "client", actor }, { ticketId: ref, userId, nonce });
      // Whoever has left may not see it any more.
      const to = userId === actor.userId ? CLIENT_TICKETS_PATH : clientTicketPath(ref);
      return answer(removed, { intent: "remove", to, message: PERSON_REMOVED, failed: NOT_CHANGED });
    },
  },
  mute: {
    purpose: CHANGE_PURPOSE,
    form: MuteFields,
    invalid: (problem, { params }) => rejectButton(params.path, problem, NOT_CHANGED),
    run: clientPage.mute,
  },
  undo: {
    purpose: CHANGE_PURPOSE,
    form: UndoFields,
    invalid: badRequest,
    run: clientPage.undo,
  },
});
