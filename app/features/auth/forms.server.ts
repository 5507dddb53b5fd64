import * as z from "zod";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { absentAsEmpty } from "~/lib/form";
import { visibleName } from "~/lib/text";
import { SENTENCES } from "./copy";
import type { FactorMethod, TypedIdentity } from "./model";

/** Reads the credentials step. Checks only presence: text that is not an address matches no account. */
export const SignInForm = z.object({
  email: z.string().transform(normalizeEmail).pipe(z.string().min(1)),
  /** Holds the password as typed, neither trimmed nor shortened. */
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

/** Reads the code step. */
export const CodeForm = z.object(codeFields);

/** Reads the proof of identity from a form; missing fields count as empty. */
export const IdentityForm: z.ZodType<TypedIdentity> = z
  .object({ ...codeFields, current_password: z.string().default("") })
  .transform(({ current_password, ...typed }) => ({ ...typed, password: current_password }));

const typedPassword = z.string().default("");

/** Reads a new password, its repetition and the current password. The policy is checked by the command. */
export const NewPasswordForm = z
  .object({ new_password: typedPassword, confirm_password: typedPassword, current_password: typedPassword })
  .transform((form) => ({ next: form.new_password, repeated: form.confirm_password, current: form.current_password }));

/** Accepts one address that mail can be sent to. */
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

export const EmailForm = absentAsEmpty(["email"], z.object({ email: EmailField }));

/** Reads a password and its repetition. The rest of the policy is checked by the command. */
const repeatedPassword = {
  password: z.string().min(1, SENTENCES.password_too_short),
  confirm_password: z.string(),
};

/** Lists the fields of a new account. The password policy is checked after all other fields are valid. */
export const newAccountFields = {
  full_name: FullNameField,
  email: EmailField,
  ...repeatedPassword,
};

/** Tells whether both passwords are the same, for `refine`. */
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

/** Reads the sign-up form. */
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

/**
 * Reads the form that confirms a sign-up: what its owner wants the account to be. The link says which address it is.
 * The password is typed once: who mistypes it chooses another by mail.
 */
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

/** Reads the form that opens an invited account. */
export const InvitedAccountForm = absentAsEmpty(
  ["full_name", "password", "confirm_password"],
  z
    .object({ full_name: FullNameField, ...repeatedPassword })
    .refine(passwordsMatch, PASSWORDS_DIFFER)
    .refine(isPasswordTyped, NOT_REPEATED)
    .transform((form) => ({ fullName: form.full_name, password: form.password })),
);
