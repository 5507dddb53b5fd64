import * as z from "zod";
import { EMAIL_MAX, isEmailAddress, normalizeEmail } from "~/lib/email";
import { absentAsEmpty, tooLong } from "~/lib/form";
import { isId } from "~/lib/ids";
import { isDay } from "~/lib/time";
import { CONTACT_COPY, REPLY_REQUIRED } from "./labels";
import { SUBMISSION_STATUSES } from "./model";

const required = (max: number, message: string, name: string) =>
  z.string().trim().min(1, message).max(max, tooLong(name, max));

const optional = (max: number, name: string) =>
  z
    .string()
    .trim()
    .max(max, tooLong(name, max))
    .optional()
    .transform((text) => text || null);

/** The order of the fields is the order in which they are checked. */
export const ContactFields = absentAsEmpty(
  ["first_name", "last_name", "email", "agreed_to_terms"],
  z.object({
    first_name: required(100, CONTACT_COPY.first_name_required, "First name"),
    last_name: required(100, CONTACT_COPY.last_name_required, "Last name"),
    email: z
      .string()
      .trim()
      .min(1, CONTACT_COPY.email_required)
      .refine((text) => text === "" || isEmailAddress(text), CONTACT_COPY.email_invalid)
      .max(EMAIL_MAX, tooLong("Email", EMAIL_MAX))
      .transform(normalizeEmail),
    agreed_to_terms: z.literal("on", CONTACT_COPY.terms_required),
    phone: optional(40, "Phone"),
    company: optional(200, "Company"),
    message: optional(10_000, "Message"),
  }),
);

export type ContactInput = z.output<typeof ContactFields>;

export const StatusForm = z.object({ status: z.enum(SUBMISSION_STATUSES) });

const day = z
  .string()
  .refine((text) => text === "" || isDay(text), "Choose a day of the calendar")
  .transform((text) => text || null);

const owner = z
  .string()
  .regex(/^[a-z0-9_]{0,60}$/)
  .transform((text) => text || null);

/** Each value comes with the one it had when the page was rendered; empty: no owner, no day. */
export const SubmissionPropertiesForm = z
  .object({
    status: z.enum(SUBMISSION_STATUSES).optional(),
    owner: owner.optional(),
    follow_up_on: day.optional(),
    had_status: z.string().optional(),
    had_owner: owner.optional(),
    had_follow_up_on: z
      .string()
      .transform((text) => text || null)
      .optional(),
    takes: z.literal("on").optional(),
  })
  .transform(({ status, owner, follow_up_on, had_status, had_owner, had_follow_up_on, takes }) => ({
    takes: takes === "on",
    status,
    ownerId: owner,
    followUpOn: follow_up_on,
    had: { status: had_status, ownerId: had_owner, followUpOn: had_follow_up_on },
  }));

export const UnlinkForm = z.object({ organization_id: z.string().refine((id) => isId("org", id)) });

export const ResendForm = z.object({ reply: z.string().regex(/^srp_[a-z0-9]{1,60}$/) });

export const SubmissionReplyForm = absentAsEmpty(
  ["message"],
  z.object({
    message: z.string().trim().min(1, REPLY_REQUIRED).max(10_000, tooLong("A reply", 10_000)),
    contacted: z.literal("on").optional(),
    assign_to_me: z.literal("on").optional(),
  }),
);
