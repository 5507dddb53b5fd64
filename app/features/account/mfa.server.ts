import { isStaffRole } from "~/access/model";
import { commit } from "~/db/client.server";
import { accountOf, renewSession } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  confirmCodesSaved,
  disableTotp,
  findEnrollment,
  renewBackupCodes,
} from "~/features/auth/factor-commands.server";
import { countBackupCodes, ownCodes, takeNewCodes } from "~/features/auth/factors.server";
import { accountError, CodeForm, enrollmentError, IdentityForm } from "~/features/auth/forms.server";
import { requireStepUp } from "~/features/auth/guards.server";
import { CODES_RENEWED, CODES_SAVED, MFA_SET_UP, mfaDisabled, TITLES } from "~/features/auth/labels";
import {
  backupCodesFile,
  destinationOf,
  MFA_CHANGES,
  type MfaChange,
  mayDisableMfa,
  mfaRequirementNotice,
  returnPath,
  type TypedIdentity,
} from "~/features/auth/model";
import { effectiveBrand } from "~/features/settings/queries.server";
import { MFA_PATH, SHOW_BACKUP_CODES_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { fold } from "~/lib/text";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, badRequest, done, download, rateLimited } from "~/platform/responses.server";
import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "./account-form.server";

export async function loadMfaPage(ctx: Ctx, signedIn: SignedIn) {
  const query = ctx.request.url.searchParams;
  const step = query.get("step");
  const allowed: readonly string[] = MFA_CHANGES[signedIn.mfaEnabled ? "on" : "off"].filter(
    (change) => change !== "disable" || mayDisableMfa(signedIn),
  );
  const requested = query.get("do") ?? "";
  const enrollment = step === "setup" ? await findEnrollment(ctx, signedIn) : null;
  return {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    email: signedIn.email,
    isEnabled: signedIn.mfaEnabled,
    mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
    /** Tells whether it may be switched off: staff may, but must set it up again before they can continue. */
    mayDisable: mayDisableMfa(signedIn),
    codesUnsaved: signedIn.codesUnsaved,
    codesLeft: signedIn.mfaEnabled ? await countBackupCodes(ctx.db, signedIn.userId) : 0,
    change: allowed.includes(requested) ? (requested as MfaChange) : null,
    method: query.get("method") === "backup" ? ("backup" as const) : ("totp" as const),
    isNotFound: !signedIn.mfaEnabled && MFA_CHANGES.on.some((change) => change === requested),
    isRenewal: query.has("renewed"),
    isCodesStep: step === "codes",
    codes: step === "codes" ? takeNewCodes(ctx, signedIn.userId) : null,
    enrollment,
    showsKey: query.get("view") === "key",
    redirectTo: returnPath(query.get("redirectTo")),
    hasErrors: ctx.form.isRejected,
  };
}

const SETUP = withParams(MFA_PATH, { step: "setup" });
const SHOW_RENEWED_CODES = withParams(SHOW_BACKUP_CODES_PATH, { renewed: "1" });

type FormResult = ActionResult<ValidationError>;

const form = { purpose: ACCOUNT_PURPOSE, invalid: rejectAccountForm };

export const mfaActions = accountActions()({
  enable: {
    ...form,
    failed: TITLES.setup,
    form: IdentityForm,
    run: (ctx, signedIn, { input }) => begin(ctx, signedIn, input),
  },
  reconfigure: {
    ...form,
    failed: TITLES.setup,
    form: IdentityForm,
    run: (ctx, signedIn, { input }) => begin(ctx, signedIn, input),
  },
  "verify-setup": {
    ...form,
    failed: TITLES.setup,
    form: CodeForm,
    run: (ctx, _signedIn, { input }) => finish(ctx, input.code),
  },
  codes: {
    ...form,
    failed: TITLES.codes,
    form: IdentityForm,
    run: async (ctx, signedIn, { input }) => {
      const proof = await renewBackupCodes(ctx, signedIn, input);
      if (!proof.ok) return accountError(ctx, { title: TITLES.codes, error: proof.error });
      return done({ to: SHOW_RENEWED_CODES, flash: { kind: "success", ...CODES_RENEWED } });
    },
  },
  disable: {
    ...form,
    failed: TITLES.disable,
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
    failed: TITLES.setup,
    run: async (ctx, signedIn, { fields }) => {
      await confirmCodesSaved(ctx, signedIn.userId);
      const redirectTo = returnPath(fields.redirectTo);
      const to = redirectTo ? destinationOf(signedIn, redirectTo, (await effectiveBrand(ctx)).domain) : MFA_PATH;
      if (!signedIn.mfaEnabled) return done({ to });
      return done({ to, flash: { kind: "success", ...(fields.renewed ? CODES_SAVED : MFA_SET_UP) } });
    },
  },
});

async function begin(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<FormResult> {
  const proof = await renewSession(ctx, signedIn, typed);
  if (!proof.ok) return accountError(ctx, { title: TITLES.setup, error: proof.error });
  await commit(ctx.db, [beginEnrollment(ctx, signedIn.userId)]);
  return done({ to: SETUP });
}

async function finish(ctx: Ctx, code: string): Promise<FormResult> {
  const signedIn = await requireStepUp(ctx);
  if (code !== "") {
    const limit = await takeLimit(ctx.db, "mfa", signedIn.userId, ctx.now());
    if (!limit.allowed) return enrollmentError(ctx, { code: "too_many_attempts", retryAt: limit.retryAt });
  }
  const completed = await completeEnrollment(ctx, { person: await accountOf(ctx, signedIn), code });
  return completed.ok ? done({ to: SHOW_BACKUP_CODES_PATH }) : enrollmentError(ctx, { code: completed.code });
}

/** Only hashes are stored, so the form posts the shown codes back; only those of the person's own set are returned. */
export const codesActions = formActions<SignedIn, null, null>({ intentField: null })({
  download: {
    purpose: ACCOUNT_PURPOSE,
    invalid: badRequest,
    run: async (ctx, signedIn, { fields }) => {
      const limit = await takeLimit(ctx.db, "codes_user", signedIn.userId, ctx.now());
      if (!limit.allowed) return rateLimited(limit.retryAt, null);
      const codes = await ownCodes(ctx, signedIn.userId, (fields.codes ?? "").split(/\s+/));
      const generated = new Date(ctx.now()).toISOString().replace("T", " ").slice(0, 19);
      const { totpIssuer } = await effectiveBrand(ctx);
      return download({
        fileName: `${fileNamePrefix(totpIssuer)}backup-codes.txt`,
        contentType: "text/plain; charset=utf-8",
        content: backupCodesFile(codes, totpIssuer, signedIn.email, `${generated} UTC`),
      });
    },
  },
});

/** Converts a name to a prefix of a file name in ASCII: "Ångström IT" → "angstrom-it-". */
function fileNamePrefix(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g);
  return words ? `${words.join("-")}-` : "";
}
