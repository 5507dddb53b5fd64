import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import type { ValidationError } from "~/lib/form";
import { conflict, done, invalid } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { moreThanShown, NOT_ADMIN_ANY_MORE, NOT_PURGED, NOTHING_TO_PURGE, PURGING } from "./copy";
import { PurgeForm } from "./forms.server";
import { PURGE_PATH } from "./model";
import { requestPurge } from "./request-purge.server";

/**
 * Handles the form that purges old submissions: the word has to be typed, with a proof of identity if the last one is
 * old.
 */
export const purgeActions = formActions<StaffActor, null, ValidationError>({
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  purge: {
    ability: "submission.delete",
    purpose: "privacy-purge",
    form: PurgeForm,
    invalid: invalidForm(NOT_PURGED),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { confirm: input.confirm };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const requested = await requestPurge(ctx, actor, { days: input.days, counted: input.counted, nonce });
      if (requested.ok) return done({ to: PURGE_PATH, flash: { kind: "success", ...PURGING } });
      if (requested.code === "more_than_shown") {
        return conflict({ title: NOT_PURGED, errors: { form: moreThanShown(requested) }, values: {} });
      }
      const text = requested.code === "nothing_to_purge" ? NOTHING_TO_PURGE : NOT_ADMIN_ANY_MORE;
      return invalid({ title: NOT_PURGED, errors: { form: text }, values });
    },
  },
});
