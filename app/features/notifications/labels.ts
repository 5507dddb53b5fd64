import type { NotificationEvent } from "./model";

export const NOTIFICATION_SENTENCES: Record<NotificationEvent, (label: string) => string> = {
  ticket_opened: (label) => `New ticket: ${label}`,
  assigned_to_me: (label) => `Assigned to you: ${label}`,
  reply_on_mine: (label) => `New reply: ${label}`,
  reply_on_unassigned: (label) => `New reply on an unassigned ticket: ${label}`,
  moved_by_client: (label) => `The client changed ${label}`,
  promise_at_risk: (label) => `Promised time near or passed: ${label}`,
  mentioned: (label) => `You were mentioned: ${label}`,
  sent_for_me: (label) => `Your reply was sent: ${label}`,
  new_submission: (label) => `New submission: ${label}`,
  submission_moved: (label) => `Status of ${label}`,
  security_alert: (label) => `Security alert: ${label}`,
  daily_summary: (label) => `Summary: ${label}`,
  ticket_received: (label) => `We have ${label}`,
  opened_for_you: (label) => `Support opened a ticket for you: ${label}`,
  staff_replied: (label) => `Support replied: ${label}`,
  colleague_replied: (label) => `A colleague replied: ${label}`,
  status_changed: (label) => `Status of ${label}`,
  added_to_ticket: (label) => `You were added to ${label}`,
  moved_here: (label) => `Moved to your organization: ${label}`,
  reminded: (label) => `Reminder: ${label}`,
  monthly_letter: (label) => `Letter: ${label}`,
  invited: (label) => `You are invited to ${label}. The link is in our mail.`,
};

export const NOTIFICATIONS_FAILED = "Failed to load notifications";
export const NOTIFICATIONS_NOT_UPDATED = "Failed to update notifications";
export const PREFERENCES_UNCHANGED = { title: "Nothing changed", message: "You had chosen that already." } as const;
export const PREFERENCES_SAVED = {
  title: "Settings Saved",
  message: "They count from the next event on.",
} as const;
