import type { StaffActor } from "~/features/auth/guards.server";
import type { ValidationError } from "~/lib/form";
import { conflict, denied, done, notFound } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { idParam } from "~/platform/route-responses.server";
import { deleteCannedReply, saveCannedReply } from "./change-canned-reply.server";
import { CHANGED_MEANWHILE, DELETED, NOT_DELETED, NOT_SAVED, SAVED, tooManyReplies } from "./copy";
import { CannedReplyForm } from "./forms.server";
import { CANNED_REPLIES_PATH } from "./paths";

/** Names the reply by its id; null: a new one. */
type Params = { id: string | null };

/** Returns which reply an address names; null: a new one. Throws a 404 for what is no id. */
export const replyParam = (reply: string | undefined): string | null =>
  reply === "new" ? null : idParam("can", reply);

/** Handles the forms of the page of a canned reply. */
export const cannedReplyActions = formActions<StaffActor, Params, ValidationError>()({
  save: {
    purpose: "canned-reply",
    form: CannedReplyForm,
    invalid: invalidForm(NOT_SAVED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveCannedReply(ctx, actor, { id: params.id, input, nonce });
      if (saved.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...SAVED } });
      if (saved.code === "reply_not_found") return notFound();
      if (saved.code === "not_allowed") return denied();
      const why = saved.code === "too_many" ? tooManyReplies(input.shared === "on") : CHANGED_MEANWHILE;
      return conflict({ title: NOT_SAVED, errors: { form: why }, values });
    },
  },
  delete: {
    purpose: "canned-reply-delete",
    invalid: invalidForm(NOT_DELETED),
    run: async (ctx, actor, { params, nonce }) => {
      if (params.id === null) return notFound();
      const deleted = await deleteCannedReply(ctx, actor, { id: params.id, nonce });
      if (deleted.ok) return done({ to: CANNED_REPLIES_PATH, flash: { kind: "success", ...DELETED } });
      return deleted.code === "not_allowed" ? denied() : notFound();
    },
  },
});
