import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";

/** Tells the clock what has happened. Internal notes, automatic mails and bounces are no events. */
export type PromiseEvent =
  | { type: "client-message"; at: Instant }
  /** Tells that a person of staff wrote a public message. */
  | { type: "staff-message"; at: Instant }
  | { type: "status-changed"; at: Instant; to: "open" | "in_progress" | "waiting_for_customer" }
  | { type: "priority-changed"; at: Instant; to: TicketPriority }
  /** Ends or reopens the ticket; resolving by staff says what was done, which answers the client. */
  | { type: "resolved" | "closed" | "reopened"; at: Instant; by: "client" | "staff" | "system" }
  /** Tells that the ticket belongs to another organization now, whose rules come with it. */
  | { type: "organization-moved"; at: Instant }
  /** Tells that hours or holidays were changed, and promises that run are to follow. */
  | { type: "calendar-changed"; at: Instant }
  /** Tells that somebody was warned that the promised time is nearly over: of the reply, unless it says otherwise. */
  | { type: "warned"; at: Instant; of?: "resolution" }
  /** Records that people are told that a promise was missed: the reply's, unless it says otherwise. */
  | { type: "miss-told"; at: Instant; of?: "resolution" };
