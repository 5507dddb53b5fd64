import type { CappedCount } from "~/lib/numbers";
import { plural, waitInWords } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { type EraseError, type HeldSubject, PURGE_DAYS } from "./model";

export const PRIVACY_FAILED = { event: "privacy_not_read", title: "Failed to load privacy" } as const;
export const NOT_ERASED = "No one was erased";
export const NOT_HELD = "No hold was placed";
export const NOT_LIFTED = "The hold was not lifted";

export const ERASED = {
  title: "Success",
  message: "The person is erased. Where their name still stands, it is replaced within the next minutes.",
} as const;
export const HELD = { title: "Success", message: "It is on legal hold." } as const;
export const LIFTED = { title: "Success", message: "The hold is lifted." } as const;

export const wordNotTyped = (word: string) => `Type ${word} in capital letters`;

/** Of a row that is imported. */
export const ERASED_ROW = "This person was erased. If they are with you again, add them by hand";

export const ERASED_FILE = "A person was erased while the file waited, so it was deleted. Upload it again";

export const ERASURE_LEAVES =
  "Tickets and messages belong to the organization and stay, written by “Former member”. The record of who changed what shows “Former member” too; its sealed events keep name and address until they are 400 days old. Mails as they arrived from others, with their address among the recipients or quoted, are deleted 90 days after they came. This cannot be undone.";

const REJECTIONS: Record<EraseError, string> = {
  person_not_found: "There is nothing about this person any more.",
  own_account: "You can't erase yourself.",
  last_admin: "There must be at least one admin.",
  sole_owner: "The person is the only owner of an organization. Transfer its ownership first.",
  on_hold:
    "The person, a submission or a ticket of theirs, or an organization they belong or belonged to is on legal hold. Lift the hold first.",
  denied: "Nothing was erased: the account has changed meanwhile. Look at it again.",
};

export const eraseError = (code: EraseError): string => REJECTIONS[code];

export const CLOSURE_REQUESTED = {
  title: "Sent",
  message: "We look at it and tell you by mail when your account is closed.",
} as const;
export const CLOSURE_WITHDRAWN = { title: "Taken back", message: "Your account stays open." } as const;
export const CLOSURE_DECLINED = { title: "Success", message: "The account stays open, and a mail says why." } as const;
export const NOT_REQUESTED = "Your account cannot be closed yet";
export const askedTooOften = (until: Instant, now: Instant): string =>
  `You have asked for it, and taken it back, several times today. Try again in ${waitInWords(until, now)}.`;
export const NOT_DECLINED = "Nothing was sent";
export const CLOSURE_GONE = "This was taken back, or a colleague has answered it.";

export const closureObstacle = (code: "sole_owner" | "last_admin", organizations: readonly string[]): string =>
  code === "last_admin"
    ? "You are the only administrator. Make a colleague one first."
    : `You are the only owner of ${organizations.join(", ")}. Transfer ownership first.`;

export const HELD_NOUNS: Record<HeldSubject, string> = {
  submission: "Submission",
  ticket: "Ticket",
  organization: "Organization",
  user: "Person",
};

export const HOLD_COPY = {
  subject_required: "Say what is held",
  subject_unknown:
    "There is no submission, ticket, organization or account of this name. Use L-1001, T-1001, a short name, or an address.",
  held_already: "It is on hold already.",
  hold_gone: "This hold was lifted already.",
} as const;

export const EXPORT_LIMITED = { title: "Export Failed", message: "Failed to export data" } as const;

export const NOT_PURGED = "Nothing was purged";
export const DAYS_WRONG = `Give a whole number of days, from ${PURGE_DAYS.min} to ${PURGE_DAYS.max.toLocaleString("en-US")}`;
export const NOTHING_TO_PURGE = "There is nothing to purge.";
export const NOT_ADMIN_ANY_MORE = "You are no administrator any more.";

export const PURGING = {
  title: "Success",
  message: "The submissions are being deleted. “Last purges” shows how far it is.",
};

export const countedText = ({ count, isMore }: CappedCount): string =>
  `${isMore ? "More than " : ""}${plural(count, "submission")}`;

export const moreThanShown = (counted: CappedCount): string =>
  `Meanwhile there are more. ${countedText(counted)} would go. Look again, and type the word again if that is right.`;

/** "12 tickets", "at least 1,000 tickets" */
export const countText = (count: number, { max, one, many }: { max: number; one: string; many?: string }): string =>
  count < max ? plural(count, one, many) : `at least ${plural(max, one, many)}`;
