import * as z from "zod";
import { normalizeEmail } from "~/lib/email";

/** The credentials step. Shape only: a text that is no address is an account that does not exist. */
export const SignInForm = z.object({
  email: z.string().transform(normalizeEmail).pipe(z.string().min(1)),
  /** As typed: no trimming, no cutting. */
  password: z.string().min(1),
});
export type Credentials = z.output<typeof SignInForm>;

/** The code step. People type codes in groups, so spaces are not held against them; other digits than 0-9 are. */
export const CodeForm = z.object({
  code: z.string().transform((text) => text.replace(/\s+/g, "")),
});
