import type { ClientTransition, TicketPriority, TicketStatus } from "../model";

/** Describes a ticket as lists of the portal show it. */
export type ClientTicket = {
  id: string;
  /** Holds the reference number, shown as `T-1042`. */
  number: string;
  title: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  isPrivate: boolean;
  /** Says who opened it: "opened by you", "opened for Chris Adeyemi". */
  opened: string;
  /** Holds the first name of the member of staff who has it. */
  assignee: string | null;
  /** Says how it stands: "Next reply promised by Mon 10:00", "Waiting for you", "Solved Nov 18". */
  standing: string;
  lastMessageAt: number;
  /** Holds what the reader may do to it now. */
  moves: ClientTransition[];
};

/** Counts the tickets that somebody sees, by status. `solved`: resolved, or closed after having been resolved. */
export type VisibleCounts = Record<TicketStatus | "all" | "solved", number>;
