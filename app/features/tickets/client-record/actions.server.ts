import * as z from "zod";
import { discardFiles, receivedFiles, ticketUpload } from "~/features/attachments/receive-files.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import { absentAsEmpty, type ValidationError, withoutSecrets } from "~/lib/form";
import { referenceNumber } from "~/lib/reference-number";
import { type ActionResult, done, invalid, notFound } from "~/platform/action-result";
import { type FormAction, formActions } from "~/platform/form-actions.server";
import { setPrivacy } from "../changes/change-details.server";
import { addPerson, removePerson } from "../changes/change-people.server";
import { changeStatusAsClient } from "../changes/change-status-as-client.server";
import { replyAsClient } from "../conversation/reply-as-client.server";
import { STATUS_NOT_UPDATED, STATUS_UPDATED } from "../copy";
import { CLIENT_TRANSITIONS, MESSAGE_LIMIT } from "../model";
import { CLIENT_TICKETS_PATH, clientTicketPath } from "../subject";
import {
  CHOOSE_PERSON,
  followUpOpened,
  MESSAGE_ADDED,
  MESSAGE_FAILED,
  MESSAGE_TOO_LONG,
  NOT_CHANGED,
  NOT_SENT,
  PERSON_ADDED,
  PERSON_REMOVED,
  PRIVACY_SAVED,
  WRITE_SOMETHING,
} from "./copy";

/** Names the purposes of the tokens of the page's forms: one for the reply, one for everything else. */
export const REPLY_PURPOSE = "ticket-reply";
export const CHANGE_PURPOSE = "ticket-change";

/** Says why a form of the page was not accepted, and which. */
export type ClientTicketResult = ValidationError & { intent: string };

/** `ref`: number or id of the ticket, as in the address. */
type Params = { ref: string };

type Intent = "reply" | "move" | "privacy" | "add" | "remove";

/** Says in a form of one button why nothing was changed. */
const notChanged = (intent: Intent, message: string) =>
  invalid<ClientTicketResult>({ intent, title: message, errors: { form: message }, values: {} });

const notSent = (errors: Record<string, string>, values: Record<string, string>) =>
  invalid<ClientTicketResult>({ intent: "reply", title: NOT_SENT, errors, values });

const ReplyForm = absentAsEmpty(["body"], z.object({ body: z.string().trim().max(MESSAGE_LIMIT, MESSAGE_TOO_LONG) }));

const saved = (ref: string, message: { title: string; message: string }) =>
  done({ to: clientTicketPath(ref), flash: { kind: "success", ...message } });

type Changed = { ok: true } | { ok: false; code: string };
type Answer = { intent: Intent; ref: string; message: { title: string; message: string }; failed: string };

/** Returns the answer of a form that changes the ticket by one button. */
const answer = (changed: Changed, { intent, ref, message, failed }: Answer): ActionResult<ClientTicketResult> => {
  if (changed.ok) return saved(ref, message);
  return changed.code === "ticket_not_found" ? notFound() : notChanged(intent, failed);
};

type Action<Input> = FormAction<MemberActor, Params, ClientTicketResult, Input>;

const reply: Action<{ body: string }> = {
  purpose: REPLY_PURPOSE,
  form: ReplyForm,
  invalid: (problem, posted, ctx) => {
    discardFiles(ctx, posted);
    const errors = problem.code === "token" ? { form: MESSAGE_FAILED } : problem.errors;
    return notSent(errors, problem.values);
  },
  run: async (ctx, actor, { input, nonce, params: { ref }, ...posted }) => {
    const received = receivedFiles(ctx, posted);
    const values = withoutSecrets(posted.fields, ["form_token"]);
    if (received.error !== null) return notSent({ files: received.error }, values);
    const { files } = received;
    if (input.body === "" && files.length === 0) return notSent({ body: WRITE_SOMETHING }, values);
    const replied = await replyAsClient(ctx, actor, { ticketId: ref, text: input.body, files, nonce });
    if (!replied.ok) {
      discardFiles(ctx, posted);
      return replied.code === "ticket_not_found" ? notFound() : notSent({ form: MESSAGE_FAILED }, values);
    }
    if (replied.value.kind === "follow_up") {
      const number = referenceNumber("ticket", replied.value.ticket.number);
      return saved(number, followUpOpened(number));
    }
    const to = `${clientTicketPath(ref)}#${replied.value.messageId}`;
    return done({ to, flash: { kind: "success", ...MESSAGE_ADDED } });
  },
};

const move: Action<{ move: (typeof CLIENT_TRANSITIONS)[number] }> = {
  purpose: CHANGE_PURPOSE,
  form: z.object({ move: z.enum(CLIENT_TRANSITIONS) }),
  invalid: () => notChanged("move", STATUS_NOT_UPDATED),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const moved = await changeStatusAsClient(ctx, actor, { ticketId: ref, move: input.move, message: null, nonce });
    // Whoever opens it again says what is still broken.
    const to = `${clientTicketPath(ref)}${input.move === "reopen" ? "#body" : ""}`;
    if (moved.ok) return done({ to, flash: { kind: "success", ...STATUS_UPDATED } });
    return answer(moved, { intent: "move", ref, message: STATUS_UPDATED, failed: STATUS_NOT_UPDATED });
  },
};

const privacy: Action<{ private: string }> = {
  purpose: CHANGE_PURPOSE,
  form: absentAsEmpty(["private"], z.object({ private: z.string().max(10) })),
  invalid: () => notChanged("privacy", NOT_CHANGED),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const changed = await setPrivacy(ctx, actor, { ticketId: ref, isPrivate: input.private === "on", nonce });
    return answer(changed, { intent: "privacy", ref, message: PRIVACY_SAVED, failed: NOT_CHANGED });
  },
};

const PersonForm = z.object({ user_id: z.string().regex(/^usr_[a-z0-9]{1,40}$/, CHOOSE_PERSON) });

const add: Action<{ user_id: string }> = {
  purpose: CHANGE_PURPOSE,
  form: PersonForm,
  invalid: () => notChanged("add", CHOOSE_PERSON),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const added = await addPerson(ctx, { side: "client", actor }, { ticketId: ref, userId: input.user_id, nonce });
    return answer(added, { intent: "add", ref, message: PERSON_ADDED, failed: CHOOSE_PERSON });
  },
};

const remove: Action<{ user_id: string }> = {
  purpose: CHANGE_PURPOSE,
  form: PersonForm,
  invalid: () => notChanged("remove", NOT_CHANGED),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const { user_id: userId } = input;
    const removed = await removePerson(ctx, { side: "client", actor }, { ticketId: ref, userId, nonce });
    if (!removed.ok || userId !== actor.userId) {
      return answer(removed, { intent: "remove", ref, message: PERSON_REMOVED, failed: NOT_CHANGED });
    }
    // Whoever has left may not see it any more.
    return done({ to: CLIENT_TICKETS_PATH, flash: { kind: "success", ...PERSON_REMOVED } });
  },
};

/** Handles the forms of a ticket's page in the portal. */
export const clientTicketActions = formActions<MemberActor, Params, ClientTicketResult>({
  reading: (ctx) => ({ upload: ticketUpload(ctx, [REPLY_PURPOSE]) }),
  conflict: otherOrganization,
})({ reply, move, privacy, add, remove });
