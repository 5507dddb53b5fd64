import { isStaffRole } from "~/access/model";
import { commit } from "~/db/client.server";
import { accountOf, renewSession } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  confirmCodesSaved,
  disableTotp,
  renewBackupCodes,
} from "~/features/auth/factor-commands.server";
import { accountError, CodeForm, enrollmentError, IdentityForm } from "~/features/auth/forms.server";
import { requireStepUp } from "~/features/auth/guards.server";
import { CODES_RENEWED, CODES_SAVED, MFA_SET_UP, mfaDisabled, TITLES } from "~/features/auth/labels";
import { destinationOf, returnPath, type TypedIdentity } from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { MFA_PATH, SHOW_BACKUP_CODES_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { type ActionResult, done } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "./account-form.server";

const SETUP = withParams(MFA_PATH, { step: "setup" });
/** Names the page that shows new codes of a factor that was set up before. */
const SHOW_RENEWED_CODES = withParams(SHOW_BACKUP_CODES_PATH, { renewed: "1" });

type FormResult = ActionResult<ValidationError>;

const form = { purpose: ACCOUNT_PURPOSE, invalid: rejectAccountForm };

/** Handles changes of the second factor. Sensitive ones require password and code in the same form. */
export const mfaActions = accountActions()({
  enable: { ...form, form: IdentityForm, run: (ctx, signedIn, { input }) => begin(ctx, signedIn, input) },
  reconfigure: { ...form, form: IdentityForm, run: (ctx, signedIn, { input }) => begin(ctx, signedIn, input) },
  "verify-setup": { ...form, form: CodeForm, run: (ctx, _signedIn, { input }) => finish(ctx, input.code) },
  codes: {
    ...form,
    form: IdentityForm,
    run: async (ctx, signedIn, { input }) => {
      const proof = await renewBackupCodes(ctx, signedIn, input);
      if (!proof.ok) return accountError(ctx, { title: TITLES.codes, error: proof.error });
      return done({ to: SHOW_RENEWED_CODES, flash: { kind: "success", ...CODES_RENEWED } });
    },
  },
  disable: {
    ...form,
    form: IdentityForm,
    run: async (ctx, signedIn, { input }) => {
      const proof = await disableTotp(ctx, signedIn, input);
      if (!proof.ok) return accountError(ctx, { title: TITLES.disable, error: proof.error });
      return done({
        to: MFA_PATH,
        flash: { kind: "success", ...mfaDisabled({ isStaff: isStaffRole(signedIn.role) }) },
      });
    },
  },
  complete: {
    ...form,
    run: async (ctx, signedIn, { fields }) => {
      await confirmCodesSaved(ctx, signedIn.userId);
      const redirectTo = returnPath(fields.redirectTo);
      const to = redirectTo ? destinationOf(signedIn, redirectTo, (await effectiveBrand(ctx)).domain) : MFA_PATH;
      if (!signedIn.mfaEnabled) return done({ to });
      return done({ to, flash: { kind: "success", ...(fields.renewed ? CODES_SAVED : MFA_SET_UP) } });
    },
  },
});

/** Creates a new secret after a fresh proof of identity. */
async function begin(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<FormResult> {
  const proof = await renewSession(ctx, signedIn, typed);
  if (!proof.ok) return accountError(ctx, { title: TITLES.setup, error: proof.error });
  await commit(ctx.db, [beginEnrollment(ctx, signedIn.userId)]);
  return done({ to: SETUP });
}

/** Makes the shown secret the second factor, with its first code. */
async function finish(ctx: Ctx, code: string): Promise<FormResult> {
  const signedIn = await requireStepUp(ctx);
  if (code !== "") {
    const limit = await takeLimit(ctx.db, "mfa", signedIn.userId, ctx.now());
    if (!limit.allowed) return enrollmentError(ctx, { code: "too_many_attempts", retryAt: limit.retryAt });
  }
  const completed = await completeEnrollment(ctx, { person: await accountOf(ctx, signedIn), code });
  return completed.ok ? done({ to: SHOW_BACKUP_CODES_PATH }) : enrollmentError(ctx, { code: completed.code });
}
