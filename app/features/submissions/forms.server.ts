import * as z from "zod";
import { EMAIL_MAX, looksLikeEmail, normalizeEmail } from "~/lib/email";
import { CONTACT_COPY } from "./copy";
import { SUBMISSION_STATUSES } from "./model";

const tooLong = (name: string, max: number) => `${name} can have at most ${max.toLocaleString("en-US")} characters`;

const required = (max: number, message: string, name: string) =>
  z.string().trim().min(1, message).max(max, tooLong(name, max));

/** An optional text; nothing typed is stored as nothing. */
const optional = (max: number, name: string) =>
  z
    .string()
    .trim()
    .max(max, tooLong(name, max))
    .optional()
    .transform((text) => text || null);

/** The assessment request. The order of the fields is the order in which the rules are checked. */
export const ContactForm = z.object({
  first_name: required(100, CONTACT_COPY.first_name_required, "First name"),
  last_name: required(100, CONTACT_COPY.last_name_required, "Last name"),
  email: z
    .string()
    .trim()
    .min(1, CONTACT_COPY.email_required)
    .refine((text) => text === "" || looksLikeEmail(text), CONTACT_COPY.email_invalid)
    .max(EMAIL_MAX, tooLong("Email", EMAIL_MAX))
    .transform(normalizeEmail),
  agreed_to_terms: z.literal("on", CONTACT_COPY.terms_required),
  phone: optional(40, "Phone"),
  company: optional(200, "Company"),
  message: optional(10_000, "Message"),
});

export type ContactInput = z.output<typeof ContactForm>;

/** A browser leaves out what is empty or not ticked; the schema must see it as empty to say the right sentence. */
export const withAbsentFields = (fields: Record<string, string>): Record<string, string> => ({
  first_name: "",
  last_name: "",
  email: "",
  agreed_to_terms: "",
  ...fields,
});

export const StatusForm = z.object({ status: z.enum(SUBMISSION_STATUSES) });
