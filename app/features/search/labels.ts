import { MESSAGES_SCANNED, SEARCH_MIN } from "./model";

export const SEARCH_FAILED = "Failed to search";

export const STAFF_HINT =
  "Tickets with their messages and notes, submissions, organizations and people. A number such as T-1042 or L-1001 opens its page.";
export const CLIENT_HINT = "Your tickets and what was written on them. A number such as T-1042 opens its ticket.";

export const TOO_SHORT = `Type at least ${SEARCH_MIN} characters.`;
export const NO_ACCOUNT = "No account";

export const NOTHING_FOUND = "Nothing found";
export const TRY_OTHERS = "Try fewer or other words, or the beginning of a word.";

export const MESSAGES_BY_WORD = "Messages are searched by whole words and their beginnings.";
export const NEWEST_ONLY = `${MESSAGES_BY_WORD} Of many with these words, only the newest ${MESSAGES_SCANNED} are looked at.`;
