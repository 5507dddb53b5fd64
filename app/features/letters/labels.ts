import { REASON_LENGTH, SENTENCE_LENGTH } from "./model";

export const LETTERS_FAILED = "Failed to load letters";

export const NO_DRAFTS = "No drafts are waiting.";
export const NO_DRAFTS_HINT =
  "Drafts for the month before are made on the 1st at 08:00, one for each organization with a plan.";
export const NONE_RELEASED = "No letter was released yet.";
export const NO_LETTER_FOUND = "No letters found.";
export const NO_OWN_LETTERS = "There is no letter yet.";
export const NO_OWN_LETTERS_HINT =
  "Each month we write how it went: what you asked, what we promised, and what we kept.";

export const LETTER_NOT_SAVED = "Not saved";
export const LETTER_SAVE_FAILED = "Failed to save the letter";
export const LETTER_NOT_RELEASED = "Not released";
export const LETTER_RELEASE_FAILED = "Failed to release the letter";
export const LETTER_SAVED = { title: "Saved", message: "The draft was saved." } as const;
export const SENTENCE_TOO_LONG = `A sentence can have at most ${SENTENCE_LENGTH} characters`;
export const REASON_TOO_LONG = `A reason can have at most ${REASON_LENGTH} characters`;
export const REASON_MISSING = "Say why this promise was missed";
export const LETTER_CHANGED_MEANWHILE =
  "This letter changed while you were working. It is shown as it is now; what you typed is still here. Send it again to keep that.";
export const LETTER_ALREADY_RELEASED = "This letter was released already.";

const NAMED = 5;

export function mailedTo(names: readonly string[]): string {
  if (names.length === 0) return "No mail is sent: no active owner or admin wants it.";
  const more = names.length - NAMED;
  return `Mailed to ${names.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}

/** "Send to Chris Adeyemi and 2 more" */
export function sendTo(names: readonly string[]): string {
  const [first, ...more] = names;
  if (!first) return "Release to the portal";
  return `Send to ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`;
}

export const released = (recipients: number) =>
  ({
    title: "Released",
    message:
      recipients === 0
        ? "The letter is in the portal. No mail is sent: no active owner or admin wants it."
        : `The letter is in the portal, and mail to ${recipients === 1 ? "one person" : `${recipients} people`} is queued.`,
  }) as const;
