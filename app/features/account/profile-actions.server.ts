import * as z from "zod";
import {
  type AccountError,
  accountError,
  EmailField,
  type FieldIds,
  FullNameField,
  IdentityForm,
  invalidAuthForm,
  NewPasswordForm,
  rejectForm,
} from "~/features/auth/forms.server";
import { PASSWORD_CHANGED, TITLES } from "~/features/auth/labels";
import { changePassword } from "~/features/auth/set-password.server";
import { PROFILE_PATH } from "~/lib/addresses";
import { absentAsEmpty, type ValidationError, withoutSecrets } from "~/lib/form";
import { tooManyAttempts } from "~/lib/text";
import { type ActionResult, done, mapBody, rateLimited } from "~/platform/action-result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import { ACCOUNT_PURPOSE, PASSWORD_FIELDS } from "./account-form.server";
import { saveProfile } from "./save-profile.server";

/** Names the form of the page that failed, and whether it must ask for a proof of identity. */
type ProfileFormError = ValidationError & { form: "details" | "password"; needsProof?: boolean };

const DetailsForm = absentAsEmpty(
  ["full_name", "email"],
  z
    .object({ full_name: FullNameField, email: EmailField })
    .transform((form) => ({ fullName: form.full_name, email: form.email }))
    .and(IdentityForm),
);

type Fields = Record<string, string>;
type FormResult = ActionResult<ProfileFormError>;

const SECRETS = [...PASSWORD_FIELDS, "code"];

/** Handles the two forms of the profile page. */
export const profileActions = formActions<SignedIn, null, ProfileFormError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: SECRETS,
  unknownIntent: () => rejectToken("details", {}),
})({
  details: {
    purpose: ACCOUNT_PURPOSE,
    form: DetailsForm,
    invalid: (problem) => invalidProfileForm("details", problem),
    run: (ctx, signedIn, { input, fields }) => saveDetails(ctx, signedIn, input, fields),
  },
  password: {
    purpose: ACCOUNT_PURPOSE,
    form: NewPasswordForm,
    invalid: (problem) => invalidProfileForm("password", problem),
    run: (ctx, signedIn, { input }) => savePassword(ctx, signedIn, input),
  },
});

/** Rejects a form whose token was not issued for the page in this session. */
const rejectToken = (form: ProfileFormError["form"], values: Fields): FormResult =>
  mapBody(rejectForm(TITLES.security, values), (error) => ({ ...error, form }));

/** Returns the page with a form whose token or fields are not valid. */
const invalidProfileForm = (form: ProfileFormError["form"], problem: FormProblem): FormResult =>
  mapBody(invalidAuthForm()(problem), (error) => ({ ...error, form }));

const SAVED = { kind: "success", title: "Success", message: "Profile updated successfully" } as const;
const UNCHANGED = {
  kind: "info",
  title: "Nothing changed",
  message: "Name and email address were like that already.",
} as const;
const PENDING = {
  kind: "info",
  title: "Partial Success",
  message: "Profile updated but email change requires verification. Check your inbox.",
} as const;
const NOT_SAVED = "Failed to update profile";
const PROOF_TITLE = "Confirm it's you to change your email address";

/** Maps the fields of the details form to their ids; the password form on the same page has the default ids. */
const DETAILS_IDS: FieldIds = { current_password: "details_current_password", code: "details_code" };

async function saveDetails(
  ctx: Ctx,
  signedIn: SignedIn,
  { fullName, email, ...typed }: z.output<typeof DetailsForm>,
  fields: Fields,
): Promise<FormResult> {
  const saved = await saveProfile(ctx, signedIn, { fullName, email }, typed);
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
    mapBody(accountError(ctx, { title: "Failed to change password", error }), (body): ProfileFormError => {
      return { ...body, form: "password" };
    });
  if (next !== repeated) return failed({ code: "new_passwords_differ" });
  if ([...next.normalize("NFKC")].length < FAR_TOO_SHORT) return failed({ code: "password_far_too_short" });
  const changed = await changePassword(ctx, signedIn, { current, next, staySignedIn: true });
  if (!changed.ok) return failed(changed.error);
  return done({ to: "/profile#password", flash: { kind: "success", ...PASSWORD_CHANGED } });
}
