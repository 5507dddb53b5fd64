import * as z from "zod";
import { receivedFiles } from "~/features/attachments/receive-files.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { absentAsEmpty, withoutSecrets } from "~/lib/form";
import { referenceNumber } from "~/lib/reference-number";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { discardFiles, type FormAction } from "~/platform/form-actions.server";
import { viewerOf } from "../access.server";
import { contentKey, messageKeys } from "../conversation/message-key.server";
import { readOvertaken } from "../conversation/overtaken.server";
import { type ClientReplied, replyAsClient } from "../conversation/reply-as-client.server";
import { discardDraft, saveDraft } from "../conversation/save-draft.server";
import {
  DRAFT_DELETED,
  DRAFT_SAVED,
  followUpOpened,
  MESSAGE_ADDED,
  MESSAGE_NOT_ADDED,
  MESSAGE_TOO_LONG,
  NOT_SENT,
  SAY_WHAT_IS_WRONG,
  SOLVED_MEANWHILE,
  TICKET_CHANGED,
  WRITE_SOMETHING,
} from "../labels";
import { MESSAGE_LIMIT } from "../model";
import { findTicketForClient } from "../queries.server";
import { secretIn } from "../secrets/find-secret";
import { secretWarning } from "../secrets/words";
import { clientTicketPath } from "../subject";
import type { ClientTicketResult } from "./model";
import { askedOf, authorName } from "./read-client-ticket.server";

/** Names the purpose of the token of the forms in which a client writes. */
export const REPLY_PURPOSE = "ticket-reply";

/** Names the ticket by `ref`, its number or id, as in the address. */
export type ClientTicketParams = { ref: string };

export type ClientTicketForm<Input> = FormAction<MemberActor, ClientTicketParams, ClientTicketResult, Input>;

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

const rejected = (errors: Record<string, string>, values: Record<string, string>): ClientTicketResult => {
  return { intent: "reply", title: NOT_SENT, errors, values };
};
const notSent = (errors: Record<string, string>, values: Record<string, string>) => invalid(rejected(errors, values));

const invalidReplyForm: ClientTicketForm<unknown>["invalid"] = (problem, posted, ctx) => {
  discardFiles(ctx, posted);
  const errors = problem.code === "token" ? { form: MESSAGE_NOT_ADDED } : problem.errors;
  return notSent(errors, problem.values);
};

const reply: ClientTicketForm<Reply> = {
  purpose: REPLY_PURPOSE,
  takesFiles: true,
  form: ReplyForm,
  invalid: invalidReplyForm,
  run: async (ctx, actor, { input, nonce, params: { ref }, ...posted }) => {
    const received = receivedFiles(ctx, posted);
    const values = withoutSecrets(posted.fields, ["form_token"]);
    if (received.error !== null) return notSent({ files: received.error }, values);
    const { files } = received;
    const { body: text, begun_at_message: begunAtMessage } = input;
    if (text === "" && files.length === 0) return notSent({ body: WRITE_SOMETHING }, values);
    const secret = secretIn(text);
    if (secret && values.secret !== secret) {
      discardFiles(ctx, posted);
      return notSent({ body: secretWarning(secret) }, { ...values, secret });
    }
    const key = contentKey(messageKeys(nonce, ref), { text, files });
    const replied = await replyAsClient(ctx, actor, { ticketId: ref, text, files, begunAtMessage, nonce: key });
    if (!replied.ok) {
      discardFiles(ctx, posted);
      return replied.code === "ticket_not_found" ? notFound() : overtakenReply(ctx, actor, { ref, input, values });
    }
    return sent(ref, replied.value);
  },
};

/** Leads to what was written: the message, or the ticket that it has become. */
function sent(ref: string, replied: ClientReplied): ActionResult<ClientTicketResult> {
  if (replied.kind === "follow_up") {
    const number = referenceNumber("ticket", replied.ticket.number);
    return done({ to: clientTicketPath(number), flash: { kind: "success", ...followUpOpened(number) } });
  }
  const to = `${clientTicketPath(ref)}#${replied.messageId}`;
  return done({ to, flash: { kind: "success", ...MESSAGE_ADDED } });
}

const brokenForm = (errors: Record<string, string>, values: Record<string, string>) =>
  invalid<ClientTicketResult>({ intent: "broken", title: NOT_SENT, errors, values });

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

/**
 * Says what is still wrong, in answer to the question whether it is solved. What ended is open again; what ended after
 * the page was shown is shown first.
 */
const broken: ClientTicketForm<Broken> = {
  purpose: REPLY_PURPOSE,
  form: BrokenForm,
  invalid: ({ values, ...problem }) =>
    brokenForm(problem.code === "token" ? { form: MESSAGE_NOT_ADDED } : problem.errors, values),
  run: async (ctx, actor, { input, nonce, params: { ref }, fields }) => {
    const { body: text, begun_at_message: asked } = input;
    const values = withoutSecrets(fields, ["form_token"]);
    const secret = secretIn(text);
    if (secret && fields.secret !== secret) return brokenForm({ body: secretWarning(secret) }, { ...values, secret });
    const replied = await replyAsClient(ctx, actor, {
      ...{ ticketId: ref, text, begunAtMessage: asked.messages, stillBroken: { endedAt: asked.endedAt } },
      nonce: contentKey(messageKeys(nonce, ref), { text }),
    });
    if (replied.ok) return sent(ref, replied.value);
    return replied.code === "ticket_not_found" ? notFound() : overtakenBroken(ctx, actor, { ref, input, values });
  },
};

type UnsentBroken = { ref: string; input: Broken; values: Record<string, string> };

/** Shows what is still wrong again, with what was written or done since the page was shown. */
async function overtakenBroken(
  ctx: Ctx,
  actor: MemberActor,
  { ref, input, values }: UnsentBroken,
): Promise<ActionResult<ClientTicketResult>> {
  const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
  if (!ticket) return notFound();
  const begunAtMessage = input.begun_at_message.messages ?? ticket.publicMessages;
  const newer = await readOvertaken(ctx.db, ticket, { begunAtMessage, by: actor.userId, nameOf: authorName });
  const words = newer.messages.length > 0 ? newer.words : SOLVED_MEANWHILE;
  return conflict({
    ...{ intent: "broken", title: TICKET_CHANGED, errors: { form: words } },
    values: { ...values, begun_at_message: askedOf(ticket) },
    overtaken: { ...newer, words },
  });
}

type Unsent = { ref: string; input: Reply; values: Record<string, string> };

/** Shows the reply again, with what others wrote while it was being written, and keeps it as a draft. */
async function overtakenReply(
  ctx: Ctx,
  actor: MemberActor,
  { ref, input, values }: Unsent,
): Promise<ActionResult<ClientTicketResult>> {
  const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
  if (!ticket) return notFound();
  const { body: text, begun_at_message: begunAtMessage = ticket.publicMessages } = input;
  const { userId } = actor;
  const [overtaken] = await Promise.all([
    readOvertaken(ctx.db, ticket, { begunAtMessage, by: userId, nameOf: authorName }),
    text === "" ? null : saveDraft(ctx, { ticket, userId, kind: "reply", text, begunAtMessage }),
  ]);
  return conflict({ ...rejected({ form: overtaken.words }, values), title: TICKET_CHANGED, overtaken });
}

/** Returns the action that keeps what was typed for later: of the button, or by itself. */
const draftAction = ({ byItself }: { byItself: boolean }): ClientTicketForm<unknown> => ({
  purpose: REPLY_PURPOSE,
  invalid: invalidReplyForm,
  run: async (ctx, actor, { params: { ref }, nonce, fields }) => {
    const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
    if (!ticket) return notFound();
    const { body = "", begun_at_message: begun = "" } = fields;
    await saveDraft(ctx, {
      ticket,
      userId: actor.userId,
      kind: "reply",
      text: body.slice(0, MESSAGE_LIMIT),
      begunAtMessage: Number(/^\d{1,9}$/.exec(begun)?.[0] ?? ticket.publicMessages),
      unlessSent: byItself ? messageKeys(nonce, ref) : undefined,
    });
    const flash = { kind: "success", ...DRAFT_SAVED } as const;
    return done({ to: clientTicketPath(ref), flash: byItself ? undefined : flash });
  },
});

const discard: ClientTicketForm<unknown> = {
  purpose: REPLY_PURPOSE,
  invalid: invalidReplyForm,
  run: async (ctx, actor, { params: { ref } }) => {
    const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
    if (!ticket) return notFound();
    await discardDraft(ctx.db, { ticketId: ticket.id, userId: actor.userId, kind: "reply" });
    return done({ to: clientTicketPath(ref), flash: { kind: "success", ...DRAFT_DELETED } });
  },
};

/** Handles what a client writes: the reply, its draft, and what is still wrong. */
export const replyActions = {
  reply,
  draft: draftAction({ byItself: false }),
  autosave: draftAction({ byItself: true }),
  discard,
  broken,
};
