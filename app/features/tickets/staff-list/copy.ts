import { daysInWords } from "~/lib/days-in-words";
import { plural } from "~/lib/text";
import { STATUS_LABELS, UNASSIGNED } from "../copy";
import type { SearchedPart } from "./model";

/** Stands in for a name that the list is limited to, which only the page reads. */
export const ONE_ORGANIZATION = "One organization";
export const ONE_PERSON = "One person";

export const STATUS_FILTER_LABELS = { active: "Active", ...STATUS_LABELS } as const;

/** Names a filter by assignee where it stands alone. */
export const assignedTo = (name: string): string => `Assigned: ${name}`;
/** Names those that are no person's id. */
export const ASSIGNEE_CHIPS: Readonly<Record<string, string>> = { me: assignedTo("me"), none: UNASSIGNED };

export const DUE_LABELS = { late: "Late", today: "Due today or late" } as const;

/** Names the days on which tickets were opened, both inclusive: "Opened Nov 10–20, 2026". */
export function openedInWords(days: Parameters<typeof daysInWords>[0]): string | null {
  const words = daysInWords(days);
  return words && `Opened ${words}`;
}

export const NOTHING_DUE = "Nothing is due on tickets that are resolved or closed.";

export const LIST_FAILED = "Failed to fetch tickets";
export const NONE_FOUND = "No tickets found";
export const NONE_YET = "No tickets yet.";

export const WAITING_FOR_CLIENT = "waiting on client";

/** Tells the promise of a resolution from that of a reply: "resolution due Mon 12:00". */
export const resolutionInWords = (due: string): string => `resolution ${due}`;

/** Says where a search was found, where that cannot be seen: the title and the number stand in the row. */
export const FOUND_IN: Readonly<Record<SearchedPart, string>> = {
  title: "Found in the title",
  number: "Found in the number",
  description: "Found in the description",
  organization: "Found in the organization",
};

export const NONE_SELECTED = "Select at least one ticket first.";
export const CHOOSE_STATUS = "Choose a status first. Tickets are resolved one by one, with a note of what was done.";
export const CHOOSE_ASSIGNEE = "Choose a person first.";
export const MANY_ASSIGNED = "Tickets assigned";
export const MANY_UPDATED = "Tickets updated";
export const NOTHING_CHANGED = "Nothing changed";

type Outcome = { changed: number; unchanged: number; skipped: number; waiting: number };

const skippedText = (skipped: number) => (skipped > 0 ? `${skipped} skipped: changed since you opened the list.` : "");

/** Says what became of the selected tickets. */
export const outcomeText = ({ changed, unchanged, skipped, waiting }: Outcome): string =>
  [
    changed > 0 ? `Changed ${plural(changed, "ticket")}.` : "",
    unchanged > 0 ? `${unchanged} needed no change.` : "",
    skippedText(skipped),
    waiting > 0 ? `${plural(waiting, "more follows", "more follow")} within the next minutes.` : "",
  ]
    .filter(Boolean)
    .join(" ");

/** Says that no ticket was changed, because all of them had changed before, or are gone. */
export const noneChanged = ({ skipped }: Outcome): string =>
  `Failed to update tickets. ${skipped > 0 ? skippedText(skipped) : "They are gone."}`;
