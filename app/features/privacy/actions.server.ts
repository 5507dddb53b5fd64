import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { PRIVACY_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { conflict, done, invalid } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import {
  CLOSURE_DECLINED,
  CLOSURE_GONE,
  ERASED,
  eraseError,
  HELD,
  HOLD_COPY,
  LIFTED,
  NOT_DECLINED,
  NOT_ERASED,
  NOT_HELD,
  NOT_LIFTED,
} from "./copy";
import { DeclineForm, EraseForm, HoldForm, LiftForm } from "./forms.server";
import { liftHold, placeHold } from "./holds/change-holds.server";
import { findHeldSubject } from "./holds/find-held-subject.server";
import { personPath } from "./model";
import { declineClosure } from "./own/closure.server";
import { erasePerson } from "./person/erase-person.server";

const OPTIONS = { reading: { raw: ["current_password"] }, secrets: ["current_password", "code"] };

/** Handles the forms of legal holds. Each takes password and code if the last proof of identity is old. */
export const holdActions = formActions<StaffActor, null, ValidationError>(OPTIONS)({
  hold: {
    ability: "privacy.manage",
    purpose: "privacy-hold",
    form: HoldForm,
    invalid: invalidForm(NOT_HELD),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { subject: input.subject, reason: input.reason };
      const subject = await findHeldSubject(ctx.db, input.subject);
      if (!subject) return invalid({ title: NOT_HELD, errors: { subject: HOLD_COPY.subject_unknown }, values });
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const placed = await placeHold(ctx, actor, { subject, reason: input.reason, nonce });
      if (placed.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...HELD } });
      return invalid({ title: NOT_HELD, errors: { subject: HOLD_COPY[placed.code] }, values });
    },
  },
  lift: {
    ability: "privacy.manage",
    purpose: "privacy-lift",
    form: LiftForm,
    invalid: invalidForm(NOT_LIFTED),
    run: async (ctx, actor, { input, nonce, fields }) => {
      const values = { reason: input.reason };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const lifted = await liftHold(ctx, actor, { holdId: input.hold_id, reason: input.reason, nonce });
      if (lifted.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...LIFTED } });
      return invalid({ title: NOT_LIFTED, errors: { form: HOLD_COPY[lifted.code] }, values });
    },
  },
});

/**
 * Handles the forms about a person: one erases them, for which the word has to be typed, with a proof of identity if
 * the last one is old; the other declines to close their account.
 */
export const personActions = formActions<StaffActor, { personId: string }, ValidationError>(OPTIONS)({
  erase: {
    ability: "privacy.manage",
    purpose: "privacy-erase",
    form: EraseForm,
    invalid: invalidForm(NOT_ERASED),
    run: async (ctx, actor, { input, nonce, fields, params: { personId } }) => {
      const values = { confirm: input.confirm };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const erased = await erasePerson(ctx, actor, { personId, nonce });
      if (erased.ok) return done({ to: PRIVACY_PATH, flash: { kind: "success", ...ERASED } });
      return invalid({ title: NOT_ERASED, errors: { form: eraseError(erased.code) }, values });
    },
  },
  decline: {
    ability: "privacy.manage",
    purpose: "privacy-decline",
    form: DeclineForm,
    invalid: invalidForm(NOT_DECLINED),
    run: async (ctx, actor, { input: { reason }, params: { personId } }) => {
      const declined = await declineClosure(ctx, actor, { personId, reason });
      if (declined.ok) return done({ to: personPath(personId), flash: { kind: "success", ...CLOSURE_DECLINED } });
      return conflict({ title: NOT_DECLINED, errors: { form: CLOSURE_GONE }, values: { reason } });
    },
  },
});
