import type { LiveEventType } from "~/live/protocol";

/** What the live panel says of an event; the label names the person, ticket or submission it is about. */
export const LIVE_SENTENCES: Record<LiveEventType, (label: string) => string> = {
  new_submission: (label) => `New submission from ${label}`,
  status_update: (label) => `Status of ${label}`,
  new_note: (label) => `New note on ${label}`,
  mfa_event: (label) => `Sign-in: ${label}`,
  ticket_event: (label) => label,
};

export const NEW_SUBMISSION_TITLE = "New Submission";
export const LIVE_PAUSED = "Live updates paused";

export const NOT_DISMISSED = {
  title: "Error",
  message: "This page had been open for too long, so nothing was dismissed. Please try again.",
};
