import * as z from "zod";
import { ticketUpload } from "~/features/attachments/receive-files.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { setMuted } from "~/features/notifications/queries.server";
import { otherOrganization } from "~/features/organizations/model";
import { CHANGED_SINCE } from "~/lib/error-texts";
import { absentAsEmpty } from "~/lib/form";
import { type ActionResult, badRequest, done, invalid, notFound } from "~/platform/action-result";
import { formActions, reasonOf, rejectButton } from "~/platform/form-actions.server";
import { viewerOf } from "../access.server";
import { addNamedPerson, changeStatusAsClient, removePerson, setPrivacy } from "../commands.server";
import { undoReply } from "../conversation/undo-reply.server";
import { MuteForm, typedEmail } from "../forms.server";
import {
  CHOOSE_COLLEAGUE,
  MUTED,
  NOBODY_HAS_ADDRESS,
  NOT_CHANGED,
  PERSON_ADDED,
  PERSON_REMOVED,
  PRIVACY_SAVED,
  REPLY_UNDONE,
  STATUS_NOT_UPDATED,
  STATUS_UPDATED,
  TOO_LATE_TO_UNDO,
  UNMUTED,
} from "../labels";
import { CLIENT_TRANSITIONS } from "../model";
import { findTicketForClient } from "../queries.server";
import { CLIENT_TICKETS_PATH, clientTicketPath } from "../subject";
import { BAND, type ClientTicketResult } from "./model";
import { type ClientTicketForm, type ClientTicketParams, REPLY_PURPOSE, replyActions } from "./reply-actions.server";

/** Names the purpose of the tokens of the page's forms beside those. */
export const CHANGE_PURPOSE = "ticket-change";

type Intent = "move" | "privacy" | "add" | "remove";

/** Says in a form of one button why nothing was changed. */
const notChanged = (intent: Intent, message: string) =>
  invalid<ClientTicketResult>({ intent, title: message, errors: { form: message }, values: {} });

/** Returns what a form of one button does when it is not valid, or cannot be done now, which its problem says. */
const invalidChange =
  (intent: Intent, message: string): ClientTicketForm<unknown>["invalid"] =>
  (problem) =>
    notChanged(intent, reasonOf(problem, message));

const saved = (ref: string, message: { title: string; message: string }) =>
  done({ to: clientTicketPath(ref), flash: { kind: "success", ...message } });

type Changed = { ok: true } | { ok: false; code: string };
type Answer = { intent: Intent; ref: string; message: { title: string; message: string }; failed: string };

/** Returns the answer of a form that changes the ticket by one button. */
const answer = (changed: Changed, { intent, ref, message, failed }: Answer): ActionResult<ClientTicketResult> => {
  if (changed.ok) return saved(ref, message);
  if (changed.code === "ticket_not_found") return notFound();
  return notChanged(intent, changed.code === "changed_since" ? CHANGED_SINCE : failed);
};

const move: ClientTicketForm<{ move: (typeof CLIENT_TRANSITIONS)[number] }> = {
  purpose: CHANGE_PURPOSE,
  form: z.object({ move: z.enum(CLIENT_TRANSITIONS) }),
  invalid: invalidChange("move", STATUS_NOT_UPDATED),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const moved = await changeStatusAsClient(ctx, actor, { ticketId: ref, move: input.move, message: null, nonce });
    const to = `${clientTicketPath(ref)}#${BAND}`;
    if (moved.ok) return done({ to, flash: { kind: "success", ...STATUS_UPDATED } });
    return answer(moved, { intent: "move", ref, message: STATUS_UPDATED, failed: STATUS_NOT_UPDATED });
  },
};

const privacy: ClientTicketForm<{ private: string }> = {
  purpose: CHANGE_PURPOSE,
  form: absentAsEmpty(["private"], z.object({ private: z.string().max(10) })),
  invalid: invalidChange("privacy", NOT_CHANGED),
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const changed = await setPrivacy(ctx, actor, { ticketId: ref, isPrivate: input.private === "on", nonce });
    return answer(changed, { intent: "privacy", ref, message: PRIVACY_SAVED, failed: NOT_CHANGED });
  },
};

const userId = z.string().regex(/^usr_[a-z0-9]{1,40}$/);
const PersonForm = z.object({ user_id: userId });
const AddPersonForm = absentAsEmpty(
  ["user_id", "email"],
  z
    .object({ user_id: userId.or(z.literal("")), email: typedEmail })
    .refine((named) => named.user_id !== "" || named.email !== "", CHOOSE_COLLEAGUE),
);

const add: ClientTicketForm<z.output<typeof AddPersonForm>> = {
  purpose: CHANGE_PURPOSE,
  form: AddPersonForm,
  invalid: invalidChange("add", CHOOSE_COLLEAGUE),
  run: async (ctx, actor, { input, nonce, fields, params: { ref } }) => {
    const { user_id: userId, email } = input;
    const added = await addNamedPerson(ctx, { side: "client", actor }, { ticketId: ref, userId, email, nonce });
    if (!added.ok && added.code === "person_not_found" && email !== "") {
      const values = { email: fields.email ?? "" };
      return invalid({ intent: "add", title: NOT_CHANGED, errors: { email: NOBODY_HAS_ADDRESS }, values });
    }
    return answer(added, { intent: "add", ref, message: PERSON_ADDED, failed: CHOOSE_COLLEAGUE });
  },
};

const remove: ClientTicketForm<{ user_id: string }> = {
  purpose: CHANGE_PURPOSE,
  form: PersonForm,
  invalid: invalidChange("remove", NOT_CHANGED),
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

const mute: ClientTicketForm<{ muted: "yes" | "no" }> = {
  purpose: CHANGE_PURPOSE,
  form: MuteForm,
  invalid: (problem, { params }) => rejectButton(clientTicketPath(params.ref), problem, NOT_CHANGED),
  run: async (ctx, actor, { input, params: { ref } }) => {
    const ticket = await findTicketForClient(ctx.db, ref, viewerOf(actor));
    if (!ticket) return notFound();
    const muted = input.muted === "yes";
    await setMuted(ctx.db, { subject: { type: "ticket", id: ticket.id }, userId: actor.userId }, muted);
    return saved(ref, muted ? MUTED : UNMUTED);
  },
};

const undo: ClientTicketForm<{ message: string }> = {
  purpose: CHANGE_PURPOSE,
  form: z.object({ message: z.string().max(60) }),
  invalid: badRequest,
  run: async (ctx, actor, { input, nonce, params: { ref } }) => {
    const find = () => findTicketForClient(ctx.db, ref, viewerOf(actor));
    const undone = await undoReply(ctx, actor, { ticketId: ref, messageId: input.message, nonce, find });
    const path = clientTicketPath(ref);
    if (undone.ok) return done({ to: `${path}#body`, flash: { kind: "success", ...REPLY_UNDONE } });
    if (undone.code === "ticket_not_found") return notFound();
    return done({ to: path, flash: { kind: "error", title: "Error", message: TOO_LATE_TO_UNDO } });
  },
};

/** Handles the forms of a ticket's page in the portal. */
export const clientTicketActions = formActions<MemberActor, ClientTicketParams, ClientTicketResult>({
  reading: (ctx) => ({ upload: ticketUpload(ctx, [REPLY_PURPOSE]) }),
  conflict: otherOrganization,
})({ ...replyActions, move, privacy, add, remove, mute, undo });
