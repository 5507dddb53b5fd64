import type { Instant } from "~/lib/time";
import type { TicketPriority } from "../model";

/** Tells the clock what has happened. Internal notes, automatic mails and bounces are no events. */
export type PromiseEvent =
  | { type: "client-message"; at: Instant }
  /** A public message of staff that a person wrote. */
  | { type: "staff-message"; at: Instant }
  | { type: "status-changed"; at: Instant; to: "open" | "in_progress" | "waiting_for_customer" }
  | { type: "priority-changed"; at: Instant; to: TicketPriority }
  /** Resolving by staff says what was done, which answers the client. */
  | { type: "resolved" | "closed" | "reopened"; at: Instant; by: "client" | "staff" | "system" }
  /** The ticket belongs to another organization now, whose rules come with it. */
  | { type: "organization-moved"; at: Instant }
  /** Hours or holidays were changed, and promises that run are to follow. */
  | { type: "calendar-changed"; at: Instant }
  /** Somebody was warned that the promised time is nearly over: of the reply, unless it says otherwise. */
  | { type: "warned"; at: Instant; of?: "resolution" }
  /** People are told that a promise was missed: the reply's, unless it says otherwise. */
  | { type: "miss-told"; at: Instant; of?: "resolution" };
