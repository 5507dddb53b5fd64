import type { AttachedFile } from "~/features/attachments/model";
import type { TicketStatus } from "~/lib/ticket-values";
import type { Instant } from "~/lib/time";

/** A part of a conversation as its page shows it to one reader: people have the names that the reader knows. */
export type ThreadEntry = ThreadMessage | ThreadSolution | { kind: "event"; id: string; at: Instant; words: string };

export type ThreadMessage = {
  kind: "message";
  id: string;
  at: Instant;
  author: string;
  from: "them" | "you" | "us" | "inside";
  label: string | null;
  text: string;
  impact: string | null;
  files: readonly AttachedFile[];
  /** Where its mails are, for staff; null: it has none. */
  mail: MailState | null;
  /** Names whom its author left out of its mails, for staff; null: nobody. */
  notTo: string | null;
};

/** What was done when a ticket was resolved. It stays in the conversation when the ticket is opened again. */
export type ThreadSolution = {
  kind: "solution";
  id: string;
  at: Instant;
  text: string;
  by: string;
  reopened: { by: string; at: Instant } | null;
};

export type MailState = { state: "waiting" | "sent" | "failed"; words: string };

/** What others wrote while a reply was being written. */
export type Conflict = {
  /** "Sam Lee replied while you were writing." */
  words: string;
  messages: readonly { id: string; author: string; at: Instant; text: string }[];
  /** How many public messages there are, and the status: a reply that is sent now has seen them. */
  upTo: number;
  status: TicketStatus;
};

/** A reply that can be taken back: for how many milliseconds, and until what time of the site's clock. */
export type Undoable = { id: string; left: number; until: string };

export type SentElsewhere = { reference: string; path: string; undoable: Undoable };
