import type { Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time-ago";
import type { ActivityType } from "./model";

export const ACTIVITY_FAILED = "Failed to load activity";

/** A search that stopped before it had filled the page says how far it came and how to go on. */
export const lookedBack = ({ count, backTo }: { count: number; backTo: Instant }, zone: string): string =>
  `The search looked at ${count} events, back to ${formatInstant(backTo, zone, "datetime")}, and stopped. "Older" searches on, to the beginning of the record.`;

/** What the activity screen can be narrowed to, in words. */
export const ACTIVITY_TYPE_LABELS: Record<ActivityType, string> = {
  submission: "Submission",
  user: "User",
  note: "Note",
  status_change: "Status change",
  ticket: "Ticket",
  organization: "Organization",
  security: "Security",
  settings: "Settings",
};
