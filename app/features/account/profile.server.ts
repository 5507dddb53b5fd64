import { and, eq } from "drizzle-orm";
import * as z from "zod";
import { isStaffRole } from "~/access/model";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import { accountOf, confirmIdentity, hasRecentProof } from "~/features/auth/confirm-identity.server";
import {
  type AccountError,
  accountError,
  EmailField,
  type FieldIds,
  FullNameField,
  IdentityForm,
  invalidAuthForm,
  NewPasswordForm,
  PhoneField,
  rejectForm,
} from "~/features/auth/forms.server";
import { PASSWORD_CHANGED, TITLES } from "~/features/auth/labels";
import { type IdentityError, mayDisableMfa, mfaRequirementNotice, type TypedIdentity } from "~/features/auth/model";
import { type Account, findProfileState, type ProfileState } from "~/features/auth/queries.server";
import { changePassword } from "~/features/auth/set-password.server";
import { nameColumns, userSubject } from "~/features/users/model";
import { PROFILE_PATH } from "~/lib/addresses";
import { describeError } from "~/lib/errors";
import { absentAsEmpty, type ValidationError, withoutSecrets } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import { type Instant, seconds } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, done, mapBody, page, rateLimited, unavailable } from "~/platform/responses.server";
import { ACCOUNT_PURPOSE, PASSWORD_FIELDS } from "./account-form.server";
import { requestEmailChange } from "./change-email.server";

/** Loads the data of the profile page. When it cannot be read, the page says so in place of the forms that need it. */
export async function loadProfilePage(ctx: Ctx, signedIn: SignedIn) {
  const known = {
    token: issueFormToken(ctx, ACCOUNT_PURPOSE),
    fullName: signedIn.fullName,
    email: signedIn.email,
    isStaff: isStaffRole(signedIn.role),
    mfaEnabled: signedIn.mfaEnabled,
    mfaNotice: mfaRequirementNotice(signedIn, ctx.now()),
    mayDisable: mayDisableMfa(signedIn),
    hasErrors: ctx.form.isRejected,
    state: null as ProfileState | null,
  };
  try {
    return page({ ...known, state: await findProfileState(ctx.db, signedIn.userId, ctx.now()) });
  } catch (error) {
    ctx.log("error", { event: "profile_unavailable", request_id: ctx.request.id, error: describeError(error) });
    return unavailable(ctx.now() + seconds(5), known);
  }
}

type ProfileFormError = ValidationError & { form: "details" | "password"; needsProof?: boolean };

const DetailsForm = absentAsEmpty(
  ["full_name", "email"],
  z
    // A page that was open before there was a phone sends none: the one that is stored stays.
    .object({ full_name: FullNameField, email: EmailField, phone: PhoneField.optional() })
    .transform(({ full_name, ...form }) => ({ fullName: full_name, ...form }))
    .and(IdentityForm),
);

type Fields = Record<string, string>;
type FormResult = ActionResult<ProfileFormError>;

const SECRETS = [...PASSWORD_FIELDS, "code"];

const NOT_SAVED = "Failed to update profile";
const NOT_CHANGED = "Failed to change password";

export const profileActions = formActions<SignedIn, null, ProfileFormError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: SECRETS,
  unknownIntent: () => rejectToken("details", {}),
})({
  details: {
    purpose: ACCOUNT_PURPOSE,
    form: DetailsForm,
    failed: NOT_SAVED,
    invalid: (problem) => invalidProfileForm("details", problem),
    run: (ctx, signedIn, { input, fields }) => saveDetails(ctx, signedIn, input, fields),
  },
  password: {
    purpose: ACCOUNT_PURPOSE,
    form: NewPasswordForm,
    failed: NOT_CHANGED,
    invalid: (problem) => invalidProfileForm("password", problem),
    run: (ctx, signedIn, { input }) => savePassword(ctx, signedIn, input),
  },
});

const rejectToken = (form: ProfileFormError["form"], values: Fields): FormResult =>
  mapBody(rejectForm(TITLES.security, values), (error) => ({ ...error, form }));

const invalidProfileForm = (form: ProfileFormError["form"], problem: FormProblem): FormResult =>
  mapBody(invalidAuthForm()(problem), (error) => ({ ...error, form }));

const SAVED = { kind: "success", title: "Success", message: "Profile updated successfully" } as const;
const UNCHANGED = {
  kind: "info",
  title: "Nothing changed",
  message: "Name, email address and phone were like that already.",
} as const;
const PENDING = {
  kind: "info",
  title: "Partial Success",
  message: "Profile updated but email change requires verification. Check your inbox.",
} as const;
const PROOF_TITLE = "Confirm it's you to change your email address";

/** Maps the fields of the details form to their ids; the password form on the same page has the default ids. */
const DETAILS_IDS: FieldIds = { current_password: "details_current_password", code: "details_code" };

async function saveDetails(
  ctx: Ctx,
  signedIn: SignedIn,
  { fullName, email, phone, ...typed }: z.output<typeof DetailsForm>,
  fields: Fields,
): Promise<FormResult> {
  const saved = await saveProfile(ctx, signedIn, { fullName, email, phone }, typed);
  if (saved.ok && !saved.changed) return done({ to: PROFILE_PATH, flash: UNCHANGED, unchanged: true });
  if (saved.ok) return done({ to: PROFILE_PATH, flash: saved.pending ? PENDING : SAVED });
  const { error } = saved;
  const values = withoutSecrets(fields, [...SECRETS, "form_token"]);
  if (error.code === "mails_too_many") {
    const errors = { email: tooManyAttempts(error.retryAt, ctx.now()) };
    return rateLimited(error.retryAt, { title: NOT_SAVED, errors, values, form: "details" });
  }
  const failed =
    error.code === "proof_missing"
      ? accountError(ctx, {
          title: PROOF_TITLE,
          error: { code: "current_password_missing" },
          values,
          ids: { current_password: "form" },
        })
      : accountError(ctx, { title: NOT_SAVED, error, values, ids: DETAILS_IDS });
  return mapBody(failed, (body) => ({ ...body, form: "details", needsProof: true }));
}

/** Sets the length below which a password gets its own message, before the policy is checked. */
const FAR_TOO_SHORT = 6;

async function savePassword(
  ctx: Ctx,
  signedIn: SignedIn,
  { next, repeated, current }: z.output<typeof NewPasswordForm>,
): Promise<FormResult> {
  const failed = (error: AccountError) =>
    mapBody(accountError(ctx, { title: NOT_CHANGED, error }), (body): ProfileFormError => {
      return { ...body, form: "password" };
    });
  if (next !== repeated) return failed({ code: "new_passwords_differ" });
  if ([...next.normalize("NFKC")].length < FAR_TOO_SHORT) return failed({ code: "password_far_too_short" });
  const changed = await changePassword(ctx, signedIn, { current, next, staySignedIn: true });
  if (!changed.ok) return failed(changed.error);
  return done({ to: "/profile#password", flash: { kind: "success", ...PASSWORD_CHANGED } });
}

type SavedProfile =
  /** Is `pending` while the new address is not confirmed yet; not `changed` where all was like that already. */
  | { ok: true; pending: boolean; changed: boolean }
  /** Is `proof_missing` where changing the address requires a proof of identity, in the same form. */
  | { ok: false; error: IdentityError | { code: "mails_too_many"; retryAt: Instant } | { code: "proof_missing" } };

/**
 * Saves name, phone and e-mail address. A new name or phone takes effect at once. A new address requires a fresh proof
 * of identity and then a confirmation link. Without it nothing is saved, so that the same form can be sent again.
 */
async function saveProfile(
  ctx: Ctx,
  signedIn: SignedIn,
  details: { fullName: string; email: string; phone?: string },
  typed: TypedIdentity,
): Promise<SavedProfile> {
  const { email } = details;
  const [account, stored] = await Promise.all([
    accountOf(ctx, signedIn),
    findProfileState(ctx.db, signedIn.userId, ctx.now()),
  ]);
  const { fullName, phone = stored.phone } = details;
  const isSame = account.fullName === fullName && stored.phone === phone;
  const saved = isSame ? [] : detailsStatements(ctx, account, { fullName, phone });
  if (email === account.email) {
    await commit(ctx.db, saved);
    return { ok: true, pending: false, changed: !isSame };
  }
  const proof = await proofFor(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  const requested = await requestEmailChange(ctx, { account, email, with: [...proof.statements, ...saved] });
  return requested.ok ? { ok: true, pending: true, changed: true } : requested;
}

type Proof = { ok: true; statements: Statement[] } | Extract<SavedProfile, { ok: false }>;

async function proofFor(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<Proof> {
  if (hasRecentProof(ctx, signedIn)) return { ok: true, statements: [] };
  if (typed.password === "" && typed.code === "") return { ok: false, error: { code: "proof_missing" } };
  return confirmIdentity(ctx, signedIn, typed);
}

const detailsStatements = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { userId }: Account,
  { fullName, phone }: { fullName: string; phone: string },
): Statement[] => [
  ctx.db
    .update(users)
    .set({ ...nameColumns(fullName), phone, updated_at: ctx.now() })
    .where(and(eq(users.id, userId), eq(users.status, "active"))),
  expectChange(ctx.db),
  recordAudit(ctx, "user.profile_changed", { subject: userSubject({ userId, fullName }) }),
];
