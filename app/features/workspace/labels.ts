import type { LiveEventType } from "~/lib/subject";

export const LIVE_SENTENCES: Record<LiveEventType, (label: string) => string> = {
  new_submission: (label) => `New submission from ${label}`,
  status_update: (label) => `Status of ${label}`,
  new_note: (label) => `New note on ${label}`,
  mfa_event: (label) => `Sign-in: ${label}`,
  ticket_event: (label) => label,
};

export const NEW_SUBMISSION_TITLE = "New Submission";
export const LIVE_PAUSED = "Live updates paused";
export const LIVE_FAILED = "Failed to load live updates";
export const VIEWS_FAILED = "Failed to load saved views";
export const NO_VIEWS = "No saved views yet. Set a filter, then save it here.";

export const VIEW_SAVED = { title: "View Saved", message: "Find it under Saved views." } as const;
export const VIEW_DELETED = { title: "View Deleted", message: "The list itself is unchanged." } as const;
export const VIEW_NOT_SAVED = "Give the view a name of at most 60 characters. You can keep up to 50 views.";
