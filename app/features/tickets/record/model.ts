import type { ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";

/** Names the forms of a ticket's page; those of one group are one form with several buttons. */
export type TicketFormName = "reply" | "note" | "handling" | "priority" | "people" | "allowances" | "move";

/** Holds what others wrote while a reply was being written. */
export type Overtaken = {
  /** "Sam Lee replied while you were writing." */
  words: string;
  messages: readonly { id: string; author: string; at: Instant; text: string }[];
  /** Public messages so far: a reply that is sent now has seen them. */
  upTo: number;
};

/** Describes why a form of the page was not accepted. */
export type TicketFormError = ValidationError & { form: TicketFormName; overtaken?: Overtaken; inserted?: Inserted };

/** Says that a prepared reply stands at the end of the text now. `id` differs for every insertion. */
export type Inserted = { id: string; proposal: string | null };
