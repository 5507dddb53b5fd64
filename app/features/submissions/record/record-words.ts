import { organizationPath } from "~/features/organizations/subject";
import { shortDay } from "~/lib/due";
import { dayIn, type Instant } from "~/lib/time";
import { formatInstant } from "~/ui/time";
import { STATUS_LABELS } from "../copy";
import type {
  ConversationEntry,
  Delivery,
  KnownSender,
  ShownDelivery,
  ShownEntry,
  SubmissionRecord,
  TimelineEntry,
} from "../model";

type Entry<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

/** Returns "Dele Okafor set the status to Contacted". */
function statusWords({ actor, to, released }: Entry<"status">): string {
  return released
    ? `${actor} released it from review as ${STATUS_LABELS[to]}`
    : `${actor} set the status to ${STATUS_LABELS[to]}`;
}

/** Returns what was different afterwards: "Dele Okafor took this, to follow up Nov 24". */
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

/** Returns whether a reply has left: "Queued", "Sent 14:01", "Not delivered". */
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

/** Returns an entry of the conversation as the page shows it. */
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

/** Holds a part of a sentence, which may lead to a page. */
export type SenderPart = { text: string; to: string | null };

/** Returns "Dana Whitlock", "Brightsmile Dental (owner)", or "Invited to Harbor House Counseling". */
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

/** Returns where a visitor came from: "/pricing, campaign spring". */
export const sourceWords = ({ source, campaign }: Pick<SubmissionRecord, "source" | "campaign">): string =>
  [source ?? "direct", campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");
