import type { MailedEvent } from "~/features/mail/mail-kind";
import type { NotificationEvent } from "~/features/notifications/model";
import { plural } from "~/lib/text";
import { TICKET_STATUSES } from "~/lib/ticket-words";
import { STATUS_LABELS } from "../labels";

/** Describes an event as it was stored for a mail. */
type StoredEvent = {
  event: NotificationEvent;
  /** Holds the new status, or what a reminder is about. */
  detail: string;
  actorName: string;
  /** Holds the text of the public message it is about. */
  message: string | null;
  /** Says what was done, if the event is that the ticket was resolved. */
  resolution: string | null;
  /** Holds the promised time in words, if the event is that it has passed and nothing has changed since. */
  passedAt: string | null;
  /** Says after how many days what a reminder announces comes; 0: it does not come by itself. */
  endsAfter: number;
  /** Tells whether what a reminder or a warning says is still so: mails wait, also for the end of quiet hours. */
  isStillSo: boolean;
};

/**
 * Returns what a mail says of an event. Null: nothing is left to say, because the message was taken back, or what
 * somebody was to be reminded of has been done.
 */
export function mailedEvent(stored: StoredEvent): MailedEvent | null {
  const { event, detail, actorName, message, resolution, isStillSo } = stored;
  const who = actorName || "We";
  const only = (sentence: string): MailedEvent => ({ sentence, text: null });
  switch (event) {
    case "ticket_opened":
      return { sentence: `${who} opened a ticket:`, text: message };
    case "opened_for_you":
      return { sentence: `${who} opened this ticket for you:`, text: message };
    case "staff_replied":
    case "colleague_replied":
    case "reply_on_mine":
    case "reply_on_unassigned":
      if (message === null) return null;
      return message === "" ? only(`${who} added files.`) : { sentence: `${who} wrote:`, text: message };
    case "mentioned":
      return only(`${who} mentioned you in an internal note.`);
    case "assigned_to_me":
      return only(`${who} assigned this ticket to you.`);
    case "added_to_ticket":
      return only(`${who} added you to this ticket.`);
    case "moved_here":
      return only(`${who} moved this ticket to your organization.`);
    case "status_changed":
    case "moved_by_client":
      return { sentence: statusSentence(who, detail), text: resolution };
    case "promise_at_risk":
      return isStillSo ? only(promiseSentence(stored)) : null;
    case "reminded":
      return isStillSo ? only(reminderSentence(stored)) : null;
    case "new_submission":
    case "submission_moved":
    case "security_alert":
    case "invited":
    case "monthly_letter":
    case "daily_summary":
    case "ticket_received":
      return null;
  }
}

function promiseSentence({ detail, passedAt }: StoredEvent): string {
  const promise = detail.startsWith("resolution") ? "to resolve this ticket" : "a reply";
  if (!detail.endsWith("missed")) return `The time by which we promised ${promise} is near.`;
  return passedAt
    ? `We promised ${promise} by ${passedAt}. That time has passed.`
    : `The time by which we promised ${promise} has passed.`;
}

function reminderSentence({ detail, endsAfter }: StoredEvent): string {
  if (detail === "closing") {
    const when = endsAfter > 0 ? `in ${plural(endsAfter, "day")}` : "soon";
    return `This ticket is resolved and will be closed ${when}. Still broken? Reopen it.`;
  }
  const waiting = "We are waiting for your answer on this ticket.";
  return endsAfter > 0
    ? `${waiting} If we don't hear from you within ${plural(endsAfter, "business day")}, we'll mark it as resolved. You can reopen it by replying.`
    : waiting;
}

function statusSentence(who: string, detail: string): string {
  if (detail === "open") return `${who} reopened this ticket.`;
  if (detail === "resolved") return `${who} resolved this ticket.`;
  const status = TICKET_STATUSES.find((known) => known === detail);
  return `${who} set this ticket to ${status ? STATUS_LABELS[status] : detail}.`;
}
