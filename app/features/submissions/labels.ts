import { plural } from "~/lib/text";
import type { Tone } from "~/ui/status-pill";
import { type KnownSender, type ListView, SUBMISSION_STATUSES, type SubmissionStatus } from "./model";

/** Worded by the specification. */
export const CONTACT_COPY = {
  first_name_required: "First name is required",
  last_name_required: "Last name is required",
  email_required: "Email is required",
  email_invalid: "Please enter a valid email address",
  terms_required: "Please agree to the terms and conditions",
  file_not_accepted: "Attach a PDF, DOC or DOCX file of at most 5 MB.",
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

export const SUBMISSION_STATUS_LABELS: Record<SubmissionStatus, string> = {
  new: "New",
  contacted: "Contacted",
  resolved: "Resolved",
};

export const STATUS_STYLE: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: SUBMISSION_STATUS_LABELS.new, tone: "open" },
  contacted: { label: SUBMISSION_STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: SUBMISSION_STATUS_LABELS.resolved, tone: "resolved" },
};

export const SUBMISSION_STATUS_OPTIONS = SUBMISSION_STATUSES.map((value) => ({
  value,
  label: SUBMISSION_STATUS_LABELS[value],
}));

export const SUBMISSION_STATUS_UPDATED = {
  title: "Status Updated",
  message: "Contact submission status has been updated successfully.",
} as const;

export const SUBMISSION_STATUS_NOT_UPDATED = "Failed to update submission status";

export const statusUnchanged = (status: SubmissionStatus) => ({
  title: "Nothing changed",
  message: `The status was ${SUBMISSION_STATUS_LABELS[status]} already.`,
});

const skippedText = (skipped: number) =>
  skipped > 0 ? ` ${skipped.toLocaleString("en-US")} skipped: changed since you opened the list.` : "";

const onHoldText = (onHold: number) => (onHold > 0 ? ` ${onHold.toLocaleString("en-US")} skipped: on legal hold.` : "");

const unchangedText = (unchanged: number, status: SubmissionStatus) =>
  unchanged > 0 ? ` ${unchanged.toLocaleString("en-US")} ${unchanged === 1 ? "was" : "were"} ${status} already.` : "";

type BulkUpdate = { changed: number; unchanged: number; skipped: number; status: SubmissionStatus };

export const bulkUpdated = ({ changed, unchanged, skipped, status }: BulkUpdate) => ({
  title: "Bulk Update Complete",
  message: `Updated ${plural(changed, "submission")} to ${status} status.${unchangedText(unchanged, status)}${skippedText(skipped)}`,
});

/** All rows had changed before, or are gone. */
export const noneDone = (failure: string, skipped: number, onHold = 0) =>
  skipped + onHold > 0 ? `${failure}.${skippedText(skipped)}${onHoldText(onHold)}` : `${failure}. They are gone.`;

export const allUnchanged = (unchanged: number, status: SubmissionStatus) => ({
  title: "Nothing changed",
  message: unchangedText(unchanged, status).trim(),
});

export const bulkDeleted = (changed: number, skipped: number, onHold = 0) => ({
  title: "Bulk Delete Complete",
  message: `Deleted ${plural(changed, "submission")}.${skippedText(skipped)}${onHoldText(onHold)}`,
});

export const CHOOSE_SUBMISSION_STATUS = "Choose a status first.";
export const SUBMISSIONS_NOT_UPDATED = "Failed to update submissions";
export const SUBMISSIONS_NOT_DELETED = "Failed to delete submissions";
export const NO_SUBMISSION_SELECTED = "Select at least one submission first.";

export const confirmDeletion = (count: number) =>
  `Are you sure you want to delete ${plural(count, "submission")}? This action cannot be undone.`;

export const RELEASED = {
  title: "Released",
  message: "The submission is counted now, and its mails are queued.",
} as const;

export const bulkReleased = (changed: number, skipped: number) => ({
  title: "Bulk Release Complete",
  message: `Released ${plural(changed, "submission")}. ${changed === 1 ? "Its" : "Their"} mails are queued.${skippedText(skipped)}`,
});

export const SUBMISSION_ASSIGNED = { title: "Saved", message: "Owner and follow-up date are saved." } as const;
export const PROPERTIES_UNCHANGED = {
  title: "Nothing changed",
  message: "Status, owner and follow-up date are as they were.",
} as const;
export const SUBMISSION_NOT_ASSIGNED = "Failed to save owner and follow-up date";
export const REPLY_QUEUED = { title: "Reply on its way", message: "The conversation shows when it is sent." } as const;
export const REPLY_FAILED = "Failed to queue the reply";
export const REPLY_REQUIRED = "Write a message.";

export const SUBMISSION_LIST_FAILED = "Failed to fetch contact submissions";
export const NO_SUBMISSIONS_FOUND = "No contact submissions found";

export const OWNER_CHIPS = { me: "Owner: me", none: "No owner" } as const;

export const RECENT_FILTER = "Last 7 days";

export const LIST_HEADINGS: Record<SubmissionStatus | ListView | "all" | "recent", string> = {
  all: "All Submissions",
  recent: "Recent Submissions (Last 7 Days)",
  held: "Held Submissions",
  mine: "My Submissions",
  follow_up: "Submissions to Follow Up",
  new: "New Submissions",
  contacted: "Contacted Submissions",
  resolved: "Resolved Submissions",
};

export const takenMessage = (name: string) => ({ title: "Assigned to you", message: `You answer ${name}.` });
export const HAS_OWNER = "A colleague has it already.";
export const NOT_WAITING = "It does not wait for an answer any more.";
export const NOT_TAKEN = "Failed to assign the submission to you";

export const MAKE_CLIENT = "Make a client";
export const CLIENT_FAILED = "Failed to make a client";
export const OWNER_NAME_MAX = 120;
export const OWNER_NAME_REQUIRED = "Write the owner's name";
export const OWNER_NAME_TOO_LONG = "The name can have at most 120 characters";
export const ADD_ONS_WITHOUT_PLAN = "Add-ons come with a plan. Choose one, or leave the add-ons out.";
export const START_WITHOUT_PLAN = "A contract starts with a plan. Choose one, or leave this empty.";
export const CONTRACT_START_INVALID = "Choose a day from 2000 on, at most a year ahead";
export const OFFERED_FIRST =
  "An organization of this name or domain exists: it is offered above. If it is another one, press again.";
export const CLIENT_WAS_UNDONE = "This was taken back before. Press again to make the client.";
export const ADDRESS_IS_OURS = "Mail to this address comes back to us. Write the address of the client's owner.";
export const ADDRESS_IS_COLLEAGUE = (email: string, name: string): string =>
  `${email} is the address of ${name}, a colleague of yours. Write the address of the client's owner.`;
export const ADDRESS_IS_DEACTIVATED = (email: string, name: string): string =>
  `${email} belongs to the deactivated account of ${name}. Reactivate it first, or write another address.`;

/** "dana@… has an account at Harbor House." */
export function elsewhereText(email: string, { account, memberships }: KnownSender): string {
  const names = memberships.map(({ organization }) => organization).join(", ");
  const isMember = memberships.some(({ status }) => status !== "pending");
  if (isMember) return `${email} has an account${account ? ` (${account.name})` : ""} at ${names}.`;
  return `${email} has an open invitation to ${names}.`;
}

export const clientMade = (name: string) => ({
  title: `${name} is a client.`,
  message: "The owner's invitation leaves in 30 seconds.",
});
export const clientLinked = () => ({ title: "Linked.", message: "The request is a record of this client now." });
export const clientUndone = () => ({
  title: "Taken back.",
  message: "No invitation was sent, and the request is as it was.",
});
export const NOT_THIS_CLIENT = "Not this organization";
export const UNLINK_FAILED = "Failed to unlink it";
export const clientUnlinked = { title: "Unlinked.", message: "It is a record of no client now." } as const;
export const CLIENT_ON_HOLD = "The organization, or a person of it, is on legal hold. Lift the hold first.";
export const CLIENT_STAYS = {
  title: "Too late to undo",
  message: "The invitation has left, or something else has happened to this client. You can change or delete it here.",
} as const;

export const madeBefore = (who: string, client: string, minutes: number) => ({
  title: `${who} made this client ${minutes < 1 ? "just now" : `${plural(minutes, "minute")} ago`}.`,
  message: `This is ${client}. Nothing was made twice.`,
});
