import type { HeldReason, SubmissionStatus } from "./model";

/** Sentences of the contact form; wording fixed by the specification. */
export const CONTACT_COPY = {
  first_name_required: "First name is required",
  last_name_required: "Last name is required",
  email_required: "Email is required",
  email_invalid: "Please enter a valid email address",
  terms_required: "Please agree to the terms and conditions",
  file_refused: "Attach a PDF, DOC or DOCX file of at most 5 MB.",
  security_check: "Please complete the security verification",
} as const;

export const CONTACT_TITLES = {
  validation: "Validation Error",
  terms: "Terms Agreement Required",
  security: "Security Error",
  failed: "Submission Failed",
  tooMany: "Too many attempts",
} as const;

export const CONTACT_FAILED = "There was an error submitting your form. Please try again.";

export const CONTACT_SENT = {
  title: "Message Sent!",
  message: "Thank you for your message. We'll get back to you soon.",
} as const;

export const STATUS_LABELS: Record<SubmissionStatus, string> = {
  new: "New",
  contacted: "Contacted",
  resolved: "Resolved",
};

export const STATUS_UPDATED = {
  title: "Status Updated",
  message: "Contact submission status has been updated successfully.",
} as const;

export const STATUS_NOT_UPDATED = "Failed to update submission status";
export const LIST_FAILED = "Failed to fetch contact submissions";
export const NONE_FOUND = "No contact submissions found";

/** The heading of the list, by what is shown. */
export const LIST_HEADINGS: Record<SubmissionStatus | "all", string> = {
  all: "All Submissions",
  new: "New Submissions",
  contacted: "Contacted Submissions",
  resolved: "Resolved Submissions",
};

export const HELD_LABELS: Record<HeldReason, string> = {
  honeypot: "A hidden field was filled in",
  content: "The message looks like advertising",
  too_many: "Many requests from this address",
  no_bot_token: "Sent without the bot check",
  bot_service_down: "The bot check was not reachable",
  over_cap: "Above the daily limit",
};
