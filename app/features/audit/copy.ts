import { ACTIVITY_TYPES, type ActivityType } from "./model";

export const ACTIVITY_FAILED = "Failed to load activity";

/** Names the types the activity screen can be filtered by. */
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

/** Returns the label of a stored type; one that this version does not know is returned unchanged. */
export function typeLabel(type: string): string {
  const known = ACTIVITY_TYPES.find((candidate) => candidate === type);
  return known ? ACTIVITY_TYPE_LABELS[known] : type;
}

/** Stands in place of an empty feed. */
export const NO_ACTIVITY = { title: "No activity yet.", body: "Everything people do here is recorded." };

export const REASON_REQUIRED = "Say why.";
export const REASON_MAX = 500;
