import type { ValidationError } from "~/lib/form";
import type { Overtaken } from "../conversation/overtaken.server";

/** Names the place of what was done last to resolve a ticket. */
export const LAST_SOLUTION = "solution";

/** Names the forms of a ticket's page; those of one group are one form with several buttons. */
export type TicketFormName = "reply" | "note" | "handling" | "priority" | "people";

/** Describes why a form of the page was not accepted. */
export type TicketFormError = ValidationError & {
  form: TicketFormName;
  overtaken?: Overtaken;
  inserted?: Inserted;
  /** Tells whether the text is kept as a draft, and nothing is wrong: the form goes on as it was. */
  isKept?: true;
};

/** Says that a canned reply stands in the text now. `id` differs for every insertion. */
export type Inserted = { id: string; isAtEnd: boolean; proposal: string | null };
