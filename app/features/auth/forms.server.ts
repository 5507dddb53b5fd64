import * as z from "zod";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { visibleName } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { FormProblem } from "~/platform/form-actions.server";
import { type ActionResult, invalid, rateLimited, unavailable } from "~/platform/responses.server";
import { type AccountCode, errorText, SENTENCES, TITLES } from "./labels";
import type { EnrollmentError, FactorMethod, TypedIdentity } from "./model";

/** Checks only presence: text that is not an address matches no account. */
export const SignInForm = z.object({
  email: z.string().transform(normalizeEmail).pipe(z.string().min(1)),
  password: z.string().min(1),
});
export type Credentials = z.output<typeof SignInForm>;

/** Reads a code and its method. Spaces are removed because people type codes in groups. */
const codeFields = {
  code: z
    .string()
    .default("")
    .transform((text) => text.replace(/\s+/g, "")),
  method: z
    .enum(["totp", "backup"])
    .catch("totp")
    .transform((method): FactorMethod => (method === "backup" ? "backup_code" : "totp")),
};

export const CodeForm = z.object(codeFields);

export const IdentityForm: z.ZodType<TypedIdentity> = z
  .object({ ...codeFields, current_password: z.string().default("") })
  .transform(({ current_password, ...typed }) => ({ ...typed, password: current_password }));

const typedPassword = z.string().default("");

export const NewPasswordForm = z
  .object({ new_password: typedPassword, confirm_password: typedPassword, current_password: typedPassword })
  .transform((form) => ({ next: form.new_password, repeated: form.confirm_password, current: form.current_password }));

export const EmailField = z
  .string()
  .trim()
  .min(1, SENTENCES.email_required)
  .refine((text) => text === "" || isEmailAddress(text), SENTENCES.email_invalid)
  .max(EMAIL_MAX, `Email can have at most ${EMAIL_MAX} characters`)
  .transform(normalizeEmail);

/** Accepts the name of a person or an organization, which lists show as a link: something of it has to be seen. */
export const nameField = (max: number, { missing, tooLong }: { missing: string; tooLong: string }) =>
  z.string().transform(visibleName).pipe(z.string().min(1, missing).max(max, tooLong));

export const FullNameField = nameField(100, {
  missing: "Full name is required",
  tooLong: "Full name can have at most 100 characters",
});

/** Accepts what a person dials, as it was typed. */
export const PhoneField = z
  .string()
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .pipe(z.string().max(40, "Phone can have at most 40 characters"));

export const EmailForm = absentAsEmpty(["email"], z.object({ email: EmailField }));

const repeatedPassword = {
  password: z.string().min(1, SENTENCES.password_too_short),
  confirm_password: z.string(),
};

/** The password policy is checked after all other fields are valid. */
export const newAccountFields = {
  full_name: FullNameField,
  email: EmailField,
  ...repeatedPassword,
};

export const passwordsMatch = (form: { password: string; confirm_password: string }) =>
  form.password === form.confirm_password;

export const PASSWORDS_DIFFER = {
  path: ["confirm_password"],
  message: SENTENCES.passwords_differ,
  // Shown together with the errors of the other fields, not only once these are valid.
  when: () => true,
};

/** Tells whether anything was typed in either field of a password, for `refine`: an empty form marks both. */
export const isPasswordTyped = (form: { password: string; confirm_password: string }) =>
  form.password !== "" || form.confirm_password !== "";

export const NOT_REPEATED = {
  path: ["confirm_password"],
  message: SENTENCES.password_not_repeated,
  when: () => true,
};

const OrganizationNameField = z
  .string()
  .transform(visibleName)
  .pipe(z.string().max(200, "Organization name can have at most 200 characters"));

export const SignUpForm = absentAsEmpty(
  [...Object.keys(newAccountFields), "organization_name"],
  z
    .object({ ...newAccountFields, organization_name: OrganizationNameField })
    .refine(passwordsMatch, PASSWORDS_DIFFER)
    .refine(isPasswordTyped, NOT_REPEATED)
    .transform((form) => ({
      fullName: form.full_name,
      email: form.email,
      password: form.password,
      organizationName: form.organization_name,
    })),
);
export type NewAccount = z.output<typeof SignUpForm>;

/** The password is typed once: who mistypes it chooses another by mail. */
export const ConfirmSignUpForm = absentAsEmpty(
  ["full_name", "organization_name", "password"],
  z
    .object({
      full_name: FullNameField,
      organization_name: OrganizationNameField,
      password: repeatedPassword.password,
    })
    .transform((form) => ({
      fullName: form.full_name,
      password: form.password,
      organizationName: form.organization_name,
    })),
);
export type ConfirmedAccount = z.output<typeof ConfirmSignUpForm>;

export const InvitedAccountForm = absentAsEmpty(
  ["full_name", "password", "confirm_password"],
  z
    .object({ full_name: FullNameField, ...repeatedPassword })
    .refine(passwordsMatch, PASSWORDS_DIFFER)
    .refine(isPasswordTyped, NOT_REPEATED)
    .transform((form) => ({ fullName: form.full_name, password: form.password })),
);

export type AccountError = { code: AccountCode } | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

type AccountField = "form" | "email" | "current_password" | "new_password" | "confirm_password" | "code";

/** The others are of the form as a whole. */
const FIELDS: Partial<Record<AccountCode, AccountField>> = {
  email_required: "email",
  email_invalid: "email",
  email_taken: "email",
  password_not_repeated: "confirm_password",
  passwords_differ: "confirm_password",
  new_passwords_differ: "confirm_password",
  password_far_too_short: "new_password",
  password_too_short: "new_password",
  password_too_long: "new_password",
  password_too_simple: "new_password",
  password_too_common: "new_password",
  password_unchanged: "new_password",
  current_password_missing: "current_password",
  current_password_wrong: "current_password",
  code_missing: "code",
  code_malformed: "code",
  code_wrong: "code",
  enrollment_code_missing: "code",
  enrollment_code_wrong: "code",
};

export type FieldIds = Partial<Record<AccountField, string>>;

export function accountError(
  ctx: Pick<Ctx, "now">,
  { title, error, values = {}, ids = {} }: { title: string; error: AccountError; values?: FormValues; ids?: FieldIds },
): ActionResult<ValidationError> {
  if (error.code === "too_many_attempts" || error.code === "unavailable") {
    const result = error.code === "unavailable" ? unavailable : rateLimited;
    return result(error.retryAt, { title, errors: { form: errorText(error, ctx.now()).sentence }, values });
  }
  const field = FIELDS[error.code] ?? "form";
  return invalid({ title, errors: { [ids[field] ?? field]: SENTENCES[error.code] }, values });
}

export const rejectForm = (title: string, values: FormValues = {}): ActionResult<ValidationError> =>
  invalid({ title, errors: { form: SENTENCES.form_not_accepted }, values });

export const invalidAuthForm =
  (title: string = TITLES.validation) =>
  (problem: FormProblem): ActionResult<ValidationError> =>
    problem.code === "token"
      ? rejectForm(TITLES.security, problem.values)
      : invalid({ title, errors: problem.errors, values: problem.values });

export const enrollmentError = (
  ctx: Pick<Ctx, "now">,
  error: { code: EnrollmentError } | { code: "too_many_attempts"; retryAt: Instant },
): ActionResult<ValidationError> =>
  accountError(ctx, { title: error.code === "enrollment_code_missing" ? TITLES.verification : TITLES.setup, error });
