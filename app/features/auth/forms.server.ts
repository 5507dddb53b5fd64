import * as z from "zod";
import { EMAIL_MAX, isSingleAddress, normalizeEmail } from "~/lib/email";
import { absentAsEmpty } from "~/lib/form";
import { SENTENCES } from "./copy";
import type { FactorMethod, TypedIdentity } from "./model";

/** The credentials step. Shape only: a text that is no address is an account that does not exist. */
export const SignInForm = z.object({
  email: z.string().transform(normalizeEmail).pipe(z.string().min(1)),
  /** As typed: no trimming, no cutting. */
  password: z.string().min(1),
});
export type Credentials = z.output<typeof SignInForm>;

/** People type codes in groups, so spaces are not held against them; other digits than 0-9 are. */
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

/** The code step. */
export const CodeForm = z.object(codeFields);

/** The proof of identity that comes with a form, as far as one did. */
export const IdentityForm: z.ZodType<TypedIdentity> = z
  .object({ ...codeFields, current_password: z.string().default("") })
  .transform(({ current_password, ...typed }) => ({ ...typed, password: current_password }));

const typedPassword = z.string().default("");

/** A new password, typed twice, with the current one where the person is signed in. Its rules are the policy's. */
export const NewPasswordForm = z
  .object({ new_password: typedPassword, confirm_password: typedPassword, current_password: typedPassword })
  .transform((form) => ({ next: form.new_password, repeated: form.confirm_password, current: form.current_password }));

/** An address we may send a mail to. */
export const EmailField = z
  .string()
  .trim()
  .min(1, SENTENCES.email_required)
  .refine((text) => text === "" || isSingleAddress(text), SENTENCES.email_invalid)
  .max(EMAIL_MAX, `Email can have at most ${EMAIL_MAX} characters`)
  .transform(normalizeEmail);

export const FullNameField = z
  .string()
  .trim()
  .min(1, "Full name is required")
  .max(100, "Full name can have at most 100 characters");

export const EmailForm = absentAsEmpty(["email"], z.object({ email: EmailField }));

/** Who a new account is for. The password itself is judged by the policy, after everything else was right. */
export const newAccountFields = {
  full_name: FullNameField,
  email: EmailField,
  password: z.string(),
  confirm_password: z.string(),
};

/** For `refine`: the new password was typed twice alike. */
export const isTypedAlike = (form: { password: string; confirm_password: string }) =>
  form.password === form.confirm_password;

export const TYPED_DIFFERENTLY = {
  path: ["confirm_password"],
  message: SENTENCES.passwords_differ,
  // Said together with what is wrong in the fields above, not only once these are right.
  when: () => true,
};

/** Create an account. */
export const SignUpForm = absentAsEmpty(
  [...Object.keys(newAccountFields), "organization_name"],
  z
    .object({
      ...newAccountFields,
      organization_name: z.string().trim().max(200, "Organization name can have at most 200 characters"),
    })
    .refine(isTypedAlike, TYPED_DIFFERENTLY)
    .transform((form) => ({
      fullName: form.full_name,
      email: form.email,
      password: form.password,
      organizationName: form.organization_name,
    })),
);
export type NewAccount = z.output<typeof SignUpForm>;
