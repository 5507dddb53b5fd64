import type { StaffActor } from "~/features/auth/guards.server";
import type { ValidationError } from "~/lib/form";
import { conflict, done, invalid, notFound } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { releaseLetter, saveDraft } from "./change-letter.server";
import { ALREADY_RELEASED, CHANGED_MEANWHILE, NOT_RELEASED, NOT_SAVED, REASON_MISSING, released, SAVED } from "./copy";
import { LetterForm } from "./forms.server";
import { letterPath } from "./model";

type Params = { id: string };

/**
 * Returns the conflict that somebody else was faster, with what was typed but without its version: the form takes that
 * of now from its page, which shows the letter as it is, so that it can be sent again.
 */
const tooLate = (title: string, why: string, { version: _, ...values }: Record<string, string>) =>
  conflict({ title, errors: { form: why }, values });

const WHY = { letter_changed: CHANGED_MEANWHILE, already_released: ALREADY_RELEASED } as const;

/** Handles the form of a draft: it is saved, or released. */
export const letterActions = formActions<StaffActor, Params, ValidationError>()({
  save: {
    purpose: "letter",
    form: LetterForm,
    invalid: invalidForm(NOT_SAVED),
    run: async (ctx, _actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const saved = await saveDraft(ctx, { id: params.id, nonce, ...input });
      if (saved.ok) return done({ to: letterPath(params.id), flash: { kind: "success", ...SAVED } });
      if (saved.code === "letter_not_found") return notFound();
      return tooLate(NOT_SAVED, WHY[saved.code], values);
    },
  },
  release: {
    purpose: "letter",
    form: LetterForm,
    invalid: invalidForm(NOT_RELEASED),
    run: async (ctx, actor, { params, input, nonce, fields: { form_token: _, ...values } }) => {
      const result = await releaseLetter(ctx, actor, { id: params.id, nonce, ...input });
      if (result.ok)
        return done({
          to: letterPath(params.id),
          flash: { kind: "success", ...released(result.value.recipients) },
        });
      if (result.code === "reasons_missing") {
        const errors = Object.fromEntries(result.fields.map((field) => [field, REASON_MISSING]));
        return invalid({ title: NOT_RELEASED, errors, values });
      }
      if (result.code === "letter_not_found") return notFound();
      return tooLate(NOT_RELEASED, WHY[result.code], values);
    },
  },
});
