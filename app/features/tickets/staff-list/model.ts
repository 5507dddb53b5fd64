import type { Instant } from "~/lib/time";
import type { TicketPriority, TicketStatus } from "../model";

/** Names the parts of a ticket that a search reads. */
export type SearchedPart = "title" | "number" | "description" | "organization";

/** Describes a ticket in the list of staff. */
export type ListedTicket = {
  id: string;
  version: number;
  /** Holds the reference number, shown as `T-1042`. */
  number: string;
  title: string;
  /** Holds the beginning of the description. */
  snippet: string | null;
  organization: string;
  organizationPath: string | null;
  creator: string;
  createdAt: Instant;
  category: string | null;
  priority: TicketPriority;
  status: TicketStatus;
  isPrivate: boolean;
  assigneeId: string | null;
  /** Holds the name of an assignee who is no member of staff any more, whom the list of staff does not name. */
  formerAssignee?: string;
  /** Says how the promise to reply stands, and by when it was given; null where nothing is promised. */
  due: { words: string; isLate: boolean; promise?: string } | null;
  /** Says where the search was found, if there is one. */
  matched?: SearchedPart;
};

/** Stands for nobody in a choice of an assignee. */
export const NOBODY = "none";

export type StaffChoice = { id: string; name: string };
