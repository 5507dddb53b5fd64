import * as z from "zod";
import { normalizeEmail } from "~/lib/email";
import { absentAsEmpty, type FieldErrors, tooLong } from "~/lib/form";
import {
  DESCRIPTION_REQUIRED,
  DESCRIPTION_TOO_LONG,
  IMPACT_REQUIRED,
  IMPACT_TOO_LONG,
  SUBJECT_REQUIRED,
  SUBJECT_TOO_LONG,
  UNKNOWN_CATEGORY,
  UNKNOWN_PRIORITY,
} from "./labels";
import {
  DEFAULT_PRIORITY,
  IMPACT_LIMIT,
  MESSAGE_LIMIT,
  RESOLUTION_LIMITS,
  TICKET_CATEGORIES,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
  TITLE_LIMIT,
  WHY_LATE_LIMIT,
} from "./model";

const REASON_LIMIT = 500;

/** Whether there is a text or a file, its action decides. */
export const MessageForm = absentAsEmpty(
  ["body", "begun_at_message"],
  z.object({
    body: z.string().trim().max(MESSAGE_LIMIT, tooLong("A message", MESSAGE_LIMIT)),
    what_was_done: z
      .string()
      .trim()
      .max(RESOLUTION_LIMITS.max, tooLong("What was done", RESOLUTION_LIMITS.max))
      .optional()
      .transform((text) => text || null),
    why_late: z
      .string()
      .transform((text) => text.replace(/\s+/g, " ").trim())
      .pipe(z.string().max(WHY_LATE_LIMIT, tooLong("Why it was late", WHY_LATE_LIMIT)))
      .optional(),
    assign_to_me: z.literal("on").optional().transform(Boolean),
    begun_at_message: z
      .string()
      .regex(/^\d{0,9}( [a-z_]{1,30})?$/)
      .transform((seen) => {
        const [messages, status] = seen.split(" ");
        return { messages: Number(messages), status: TICKET_STATUSES.find((known) => known === status) };
      }),
  }),
);

export const InternalNoteForm = absentAsEmpty(
  ["body"],
  z.object({ body: z.string().trim().max(MESSAGE_LIMIT, tooLong("A note", MESSAGE_LIMIT)) }),
);

const orNull = (text: string) => text || null;
const assignee = z
  .string()
  .regex(/^[a-z0-9_]{0,60}$/)
  .transform(orNull);
const category = z
  .string()
  .refine((text) => text === "" || (TICKET_CATEGORIES as readonly string[]).includes(text), "Choose a category")
  .transform(orNull);

/** Checks status, assignee and category. Each comes with the value it had when the page was rendered. */
export const TicketPropertiesForm = z
  .object({
    status: z.enum(TICKET_STATUSES).optional(),
    assignee_id: assignee.optional(),
    category: category.optional(),
    had_status: z.string().optional(),
    had_assignee_id: z.string().transform(orNull).optional(),
    had_category: z.string().transform(orNull).optional(),
    takes: z.literal("on").optional(),
  })
  .transform(({ status, assignee_id, category, had_status, had_assignee_id, had_category, takes }) => ({
    takes: takes === "on",
    status,
    assigneeId: assignee_id,
    category,
    had: { status: had_status, assigneeId: had_assignee_id, category: had_category },
  }));

export const PriorityForm = absentAsEmpty(
  ["reason"],
  z.object({
    priority: z.enum(TICKET_PRIORITIES, "Choose a priority"),
    reason: z
      .string()
      .trim()
      .min(1, "Say why. The client reads it.")
      .max(REASON_LIMIT, tooLong("A reason", REASON_LIMIT)),
  }),
);

export const ReversalForm = absentAsEmpty(
  ["reason"],
  z.object({
    entry: z.string().regex(/^alw_[a-z0-9_]{1,60}$/, "Choose an entry"),
    reason: z
      .string()
      .trim()
      .min(1, "Say why. The client reads it.")
      .max(REASON_LIMIT, tooLong("A reason", REASON_LIMIT)),
  }),
);

const CHOOSE_PERSON = "Choose a person";
const person = z.string().regex(/^usr_[a-z0-9_]{1,60}$/, CHOOSE_PERSON);

export const PersonForm = z.object({ person });

export const typedEmail = z.string().max(300, tooLong("An address", 300)).transform(normalizeEmail);

export const AddPersonForm = absentAsEmpty(
  ["person", "email"],
  z
    .object({ person: person.or(z.literal("")), email: typedEmail })
    .refine((named) => named.person !== "" || named.email !== "", { path: ["email"], error: CHOOSE_PERSON }),
);

export const OrganizationForm = z.object({
  organization_id: z.string().regex(/^org_[a-z0-9_]{1,60}$/, "Choose an organization"),
});

export const MuteFields = z.object({ muted: z.enum(["yes", "no"]) });

export const NewTicketFields = absentAsEmpty(
  ["title", "description", "priority", "category", "impact", "private"],
  z
    .object({
      organization_id: z.string().max(60),
      title: z.string().trim().min(1, SUBJECT_REQUIRED).max(TITLE_LIMIT, SUBJECT_TOO_LONG),
      description: z.string().trim().min(1, DESCRIPTION_REQUIRED).max(MESSAGE_LIMIT, DESCRIPTION_TOO_LONG),
      priority: z.preprocess((value) => value || DEFAULT_PRIORITY, z.enum(TICKET_PRIORITIES, UNKNOWN_PRIORITY)),
      category: z.preprocess((value) => value || null, z.enum(TICKET_CATEGORIES, UNKNOWN_CATEGORY).nullable()),
      impact: z.string().trim().max(IMPACT_LIMIT, IMPACT_TOO_LONG),
      private: z.string().max(10),
    })
    .refine((fields) => Object.keys(impactError(fields)).length === 0, { message: IMPACT_REQUIRED, path: ["impact"] })
    .transform(({ impact, private: isPrivate, ...fields }) => ({
      ...fields,
      // Of other tickets nobody has asked.
      impact: fields.priority === "urgent" ? impact : null,
      isPrivate: isPrivate === "on",
    })),
);

export const impactError = ({ priority, impact }: { priority?: string; impact?: string }): FieldErrors =>
  priority === "urgent" && !impact?.trim() ? { impact: IMPACT_REQUIRED } : {};
