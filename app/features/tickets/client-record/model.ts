import type { AttachedFile } from "~/features/attachments/model";
import type { ValidationError } from "~/lib/form";
import type { Overtaken } from "../conversation/overtaken.server";
import type { ClientTransition, TicketPriority, TicketStatus } from "../model";
import type { Reason } from "../promise/explain";
import type { Undoable } from "../ui/undo";

/** Says why a form of the page was not accepted, and which. */
export type ClientTicketResult = ValidationError & { intent: string; overtaken?: Overtaken };

/** Describes a message as a client reads it. */
export type ClientMessage = {
  id: string;
  author: string;
  from: "you" | "colleague" | "support";
  at: number;
  text: string;
  files: readonly AttachedFile[];
};

/**
 * Describes a person who reads the ticket. `name` is "You" for the reader. `userId` is set for people that the reader
 * may take off it.
 */
export type TicketPerson = { name: string; fullName: string; note: string; userId: string | null };

/** Describes what was done when the ticket was resolved, as a client reads it. */
export type ClientSolution = {
  id: string;
  at: number;
  text: string;
  by: string;
  reopened: { by: string; at: number } | null;
};

/** Holds the question whether a ticket is solved, as its page asks it. */
export type SolveBandQuestion = {
  title: string;
  text: string;
  /** Tells whether "Yes" is still to be said. */
  isOpen: boolean;
  /** Tells whether "No" opens the ticket again. */
  reopens: boolean;
  /** Says what it is about, which its form sends: how many messages there are and when the ticket ended, "3 17000". */
  asked: string;
};

/** Names the part of the page that asks whether it is solved, and the field that says what is still wrong. */
export const BAND = "solved";
export const STILL_WRONG = "still-wrong";

/** Holds what the page of a ticket shows to one client. */
export type ClientTicketPage = {
  organizationId: string;
  /** Holds the reference number, shown as `T-1042`. */
  number: string;
  title: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  /** Says who of us has it, while it is active: "Jordan is on it". */
  holder: string | null;
  isPrivate: boolean;
  impact: string | null;
  /** Asks whether it is solved, or says that it is; null: not theirs to answer, or not any more. */
  question: SolveBandQuestion | null;
  /** Says what was done each time it was resolved, the oldest first. */
  solutions: readonly ClientSolution[];
  /** Says what is promised, and how each time comes about: of a reply, and of the resolution where that is promised. */
  promises: readonly { text: string; reasons: readonly Reason[] }[];
  /** Lists the description and the public messages, the oldest first. */
  messages: readonly ClientMessage[];
  /** Holds the id of the first message that is shown, where there are earlier ones. */
  earlier: string | null;
  /** Holds the id of the last of many messages; null: there are few, or later ones. */
  latest: string | null;
  /** Names the message that the reader has just sent; null: none. */
  sent: string | null;
  /** Names the message that the reader can take back; null: there is none. */
  undoable: Undoable | null;
  /** Says what the reader has begun to write; null: nothing. */
  draft: { text: string; begunAtMessage: number } | null;
  /** Counts the public messages so far. */
  publicMessages: number;
  timeline: readonly { id: string; at: number; text: string }[];
  people: readonly TicketPerson[];
  /** Names who reads what is written here, as a sentence. */
  readers: string;
  /** Says how much room is left for files, where it is getting short. */
  room: string | null;
  /** Lists the colleagues who can be added. */
  colleagues: readonly { id: string; name: string }[];
  /** Tells whether there are more, who are added by their address. */
  hasMoreColleagues: boolean;
  /** Says where the reader chooses which addresses get copies. Null: not theirs to choose. */
  copiesPath: string | null;
  /** Tells whether the reader wants to hear nothing of it. */
  isMuted: boolean;
  /** Tells whether the reader may change who sees it. */
  mayChange: boolean;
  moves: readonly ClientTransition[];
  /** Tells whether it ended so long ago that an answer becomes a new ticket. */
  isOver: boolean;
  /** Names the tickets before and after it, by number. */
  followUpOf: string | null;
  followUps: readonly { number: string; title: string }[];
  zone: string;
};
