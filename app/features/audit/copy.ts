import { ACTIVITY_TYPES, type ActivityType } from "./model";

export const ACTIVITY_FAILED = "Failed to load activity";

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

/** A stored type in words; one that this version does not know, as it is stored. */
export function typeLabel(type: string): string {
  const known = ACTIVITY_TYPES.find((candidate) => candidate === type);
  return known ? ACTIVITY_TYPE_LABELS[known] : type;
}
