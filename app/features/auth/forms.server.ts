import * as z from "zod";
import { EMAIL_MAX, isSingleAddress, normalizeEmail } from "~/lib/email";
import { SENTENCES } from "./copy";

/** The credentials step. Shape only: a text that is no address is an account that does not exist. */
export const SignInForm = z.object({
  email: z.string().transform(normalizeEmail).pipe(z.string().min(1)),
  /** As typed: no trimming, no cutting. */
  password: z.string().min(1),
});
export type Credentials = z.output<typeof SignInForm>;

/** The code step. People type codes in groups, so spaces are not held against them; other digits than 0-9 are. */
export const CodeForm = z.object({
  code: z
    .string()
    .default("")
    .transform((text) => text.replace(/\s+/g, "")),
  method: z.enum(["totp", "backup"]).catch("totp"),
});

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

export const EmailForm = z.object({ email: EmailField });

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
export const SignUpForm = z
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
  }));
export type NewAccount = z.output<typeof SignUpForm>;

/** A browser leaves nothing out, but whoever posts by hand may; absent is empty, and empty gets its sentence. */
export const withEmpty = (names: readonly string[], fields: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(names.map((name) => [name, ""])),
  ...fields,
});
