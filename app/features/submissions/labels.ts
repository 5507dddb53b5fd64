import { organizationPath } from "~/features/organizations/model";
import { shortDay } from "~/lib/due";
import { plural } from "~/lib/text";
import { dayIn, type Instant } from "~/lib/time";
import type { Tone } from "~/ui/status-pill";
import { formatInstant } from "~/ui/time";
import {
  type ConversationEntry,
  type Delivery,
  type KnownSender,
  type ListView,
  type ShownDelivery,
  type ShownEntry,
  SUBMISSION_STATUSES,
  type SubmissionRecord,
  type SubmissionStatus,
  type TimelineEntry,
} from "./model";

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

export const STATUS_LABELS: Record<SubmissionStatus, string> = {
  new: "New",
  contacted: "Contacted",
  resolved: "Resolved",
};

export const STATUS_LOOK: Record<SubmissionStatus, { label: string; tone: Tone }> = {
  new: { label: STATUS_LABELS.new, tone: "open" },
  contacted: { label: STATUS_LABELS.contacted, tone: "progress" },
  resolved: { label: STATUS_LABELS.resolved, tone: "resolved" },
};

export const STATUS_OPTIONS = SUBMISSION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }));

export const STATUS_UPDATED = {
  title: "Status Updated",
  message: "Contact submission status has been updated successfully.",
} as const;

export const STATUS_NOT_UPDATED = "Failed to update submission status";

export const statusUnchanged = (status: SubmissionStatus) => ({
  title: "Nothing changed",
  message: `The status was ${STATUS_LABELS[status]} already.`,
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

export const CHOOSE_STATUS = "Choose a status first.";
export const NOT_UPDATED = "Failed to update submissions";
export const NOT_DELETED = "Failed to delete submissions";
export const NONE_SELECTED = "Select at least one submission first.";

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

export const ASSIGNED = { title: "Saved", message: "Owner and follow-up date are saved." } as const;
export const HANDLING_UNCHANGED = {
  title: "Nothing changed",
  message: "Status, owner and follow-up date are as they were.",
} as const;
export const NOT_ASSIGNED = "Failed to save owner and follow-up date";
export const REPLY_QUEUED = { title: "Reply on its way", message: "The conversation shows when it is sent." } as const;
export const REPLY_FAILED = "Failed to queue the reply";
export const REPLY_REQUIRED = "Write a message.";

export const LIST_FAILED = "Failed to fetch contact submissions";
export const NONE_FOUND = "No contact submissions found";

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

type Entry<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

/** "Dele Okafor set the status to Contacted" */
function statusWords({ actor, to, released }: Entry<"status">): string {
  return released
    ? `${actor} released it from review as ${STATUS_LABELS[to]}`
    : `${actor} set the status to ${STATUS_LABELS[to]}`;
}

/** "Dele Okafor took this, to follow up Nov 24" */
function assignmentWords({ actor, owner, followUpOn, ownerChanged, followUpChanged }: Entry<"assignment">): string {
  const day = followUpOn ? shortDay(followUpOn) : null;
  const whose = ownerChanged ? ownerWords(actor, owner) : null;
  if (!followUpChanged) return whose ?? `${actor} saved owner and follow-up date`;
  if (whose) return day ? `${whose}, to follow up ${day}` : `${whose}, without a follow-up`;
  return day ? `${actor} set the follow-up to ${day}` : `${actor} removed the follow-up`;
}

function ownerWords(actor: string, owner: string | null): string {
  if (owner === null) return `${actor} removed the owner`;
  return owner === actor ? `${actor} took this` : `${actor} assigned it to ${owner}`;
}

function deliveryWords({ status, at, reason }: Delivery, repliedAt: Instant, zone: string): ShownDelivery {
  const isSameDay = at !== null && dayIn(zone, at) === dayIn(zone, repliedAt);
  const sent = at === null ? "Sent" : `Sent ${formatInstant(at, zone, isSameDay ? "time" : "short")}`;
  switch (status) {
    case "pending":
      return { state: "waiting", words: "Queued" };
    case "delayed":
      return { state: "waiting", words: "Delayed: our mail provider takes no more for now" };
    case "sending":
      return { state: "waiting", words: "Sending" };
    case "sent":
      return { state: "sent", words: sent };
    case "delivered":
      return { state: "sent", words: `${sent}, delivered` };
    case "bounced":
    case "dead":
      return { state: "failed", words: reason ? `Not delivered: ${reason}` : "Not delivered" };
    case "uncertain":
      return { state: "failed", words: "Uncertain: it may not have been sent" };
  }
}

export function shownEntry(entry: ConversationEntry, zone: string): ShownEntry {
  switch (entry.kind) {
    case "status":
      return { kind: "event", id: entry.id, at: entry.at, words: statusWords(entry) };
    case "assignment":
      return { kind: "event", id: entry.id, at: entry.at, words: assignmentWords(entry) };
    case "reply": {
      const { delivery, actorId: _, ...reply } = entry;
      return { ...reply, delivery: delivery ? deliveryWords(delivery, reply.at, zone) : null };
    }
    case "note":
      return entry;
  }
}

export type SenderPart = { text: string; to: string | null };

/** "Dana Whitlock", "Brightsmile Dental (owner)", or "Invited to Harbor House Counseling" */
export function senderWords({ account, memberships }: KnownSender): SenderPart[] {
  const places = memberships.map(({ organizationId, organization, role, status }) => {
    const state = status === "active" ? role : `${role}, ${status}`;
    const text = account ? `${organization} (${state})` : `Invited to ${organization}`;
    return { text, to: organizationPath(organizationId) };
  });
  if (!account) return places;
  const staff = account.role === "user" ? [] : [{ text: `staff (${account.role})`, to: null }];
  const where = [...staff, ...places];
  return [{ text: account.name, to: null }, ...(where.length > 0 ? where : [{ text: "no organization", to: null }])];
}

/** "/pricing, campaign spring" */
export const sourceWords = ({ source, campaign }: Pick<SubmissionRecord, "source" | "campaign">): string =>
  [source ?? "direct", campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");
