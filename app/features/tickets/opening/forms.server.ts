import * as z from "zod";
import { absentAsEmpty, type FieldErrors } from "~/lib/form";
import {
  DESCRIPTION_REQUIRED,
  DESCRIPTION_TOO_LONG,
  IMPACT_REQUIRED,
  IMPACT_TOO_LONG,
  SUBJECT_REQUIRED,
  SUBJECT_TOO_LONG,
  UNKNOWN_CATEGORY,
  UNKNOWN_PRIORITY,
} from "../labels";
import {
  DEFAULT_PRIORITY,
  IMPACT_LIMIT,
  MESSAGE_LIMIT,
  TICKET_CATEGORIES,
  TICKET_PRIORITIES,
  TITLE_LIMIT,
} from "../model";

/** Checks the form of a new ticket, in the order of the specification. */
export const NewTicketForm = absentAsEmpty(
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

/** Returns the error of an urgent ticket that does not say what has stopped working, beside those of other fields. */
export const impactError = ({ priority, impact }: { priority?: string; impact?: string }): FieldErrors =>
  priority === "urgent" && !impact?.trim() ? { impact: IMPACT_REQUIRED } : {};
