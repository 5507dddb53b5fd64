import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import type { FormAnswer } from "~/lib/form";
import { queueOwner, queuePath } from "~/lib/waiting";
import { done, invalid } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { HAS_OWNER, NOT_TAKEN, NOT_WAITING, takenMessage } from "../copy";
import { takeSubmission } from "./take-submission.server";

const TakeForm = z.object({
  id: z.string().regex(/^sub_[a-z0-9_]{1,60}$/i),
  own: z
    .string()
    .optional()
    .transform((text) => queueOwner(text ?? null)),
});

const NOT_TAKEN_BECAUSE = { has_owner: HAS_OWNER, not_waiting: NOT_WAITING, submission_not_found: NOT_TAKEN };

/** Handles the forms of the dashboard. */
export const queueActions = formActions<StaffActor, null, FormAnswer>()({
  take: {
    ability: "submission.assign",
    purpose: "queue-take",
    form: TakeForm,
    invalid: ({ code }) => invalid({ rejection: code === "token" ? FORM_TOO_OLD : NOT_TAKEN }),
    run: async (ctx, actor, { input: { id, own }, nonce }) => {
      // All rows of a page share a token: without the id, taking a second one would count as the first form posted
      // again.
      const result = await takeSubmission(ctx, actor, { submissionId: id, nonce: `${nonce}:${id}` });
      if (result.ok)
        return done({ to: `${queuePath(own)}#${id}`, flash: { kind: "success", ...takenMessage(result.value.name) } });
      return invalid({ rejection: NOT_TAKEN_BECAUSE[result.code] });
    },
  },
});
