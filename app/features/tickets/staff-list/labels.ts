import { plural } from "~/lib/text";
import { daysInWords } from "~/lib/time-labels";
import { TICKET_STATUS_LABELS, UNASSIGNED } from "../labels";

export const ONE_ORGANIZATION = "One organization";
export const ONE_PERSON = "One person";

export const STATUS_FILTER_LABELS = { active: "Active", ...TICKET_STATUS_LABELS } as const;

export const assignedTo = (name: string): string => `Assigned: ${name}`;
export const ASSIGNEE_CHIPS: Readonly<Record<string, string>> = { me: assignedTo("me"), none: UNASSIGNED };

export const DUE_LABELS = { late: "Late", today: "Due today or late" } as const;

/** Both days inclusive: "Opened Nov 10–20, 2026". */
export function openedInWords(days: Parameters<typeof daysInWords>[0]): string | null {
  const words = daysInWords(days);
  return words && `Opened ${words}`;
}

export const NOTHING_DUE = "Nothing is due on tickets that are resolved or closed.";

export const NONE_YET = "No tickets yet.";
export const NONE_ACTIVE = "No active tickets.";
export const NOTHING_LATE = "Nothing is late.";

export const WAITING_FOR_CLIENT = "waiting on client";

/** "resolution due Mon 12:00". */
export const resolutionInWords = (due: string): string => `resolution ${due}`;

/** The title and the number stand in the row. */
export const FOUND_IN = {
  title: "Found in the title",
  number: "Found in the number",
  oldNumber: "Found in the old number",
  description: "Found in the description",
  organization: "Found in the organization",
} as const;

export const NO_TICKET_SELECTED = "Select at least one ticket first.";
export const CHOOSE_TICKET_STATUS =
  "Choose a status first. Tickets are resolved one by one, with a note of what was done.";
export const CHOOSE_ASSIGNEE = "Choose a person first.";
export const MANY_ASSIGNED = "Tickets assigned";
export const MANY_UPDATED = "Tickets updated";

type Outcome = { changed: number; unchanged: number; skipped: number; waiting: number };

const skippedText = (skipped: number) => (skipped > 0 ? `${skipped} skipped: changed since you opened the list.` : "");

export const outcomeText = ({ changed, unchanged, skipped, waiting }: Outcome): string =>
  [
    changed > 0 ? `Changed ${plural(changed, "ticket")}.` : "",
    unchanged > 0 ? `${unchanged} needed no change.` : "",
    skippedText(skipped),
    waiting > 0 ? `${plural(waiting, "more follows", "more follow")} within the next minutes.` : "",
  ]
    .filter(Boolean)
    .join(" ");

export const noneChanged = ({ skipped }: Outcome): string =>
  `Failed to update tickets. ${skipped > 0 ? skippedText(skipped) : "They are gone."}`;
