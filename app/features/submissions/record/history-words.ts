import { shortDay } from "~/lib/due";
import { STATUS_LABELS } from "../copy";
import type { TimelineEntry } from "../model";

type Entry<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

/** Returns "Dele Okafor set the status to Contacted". */
export function statusWords({ actor, to, released }: Entry<"status">): string {
  return released
    ? `${actor} released it from review as ${STATUS_LABELS[to]}`
    : `${actor} set the status to ${STATUS_LABELS[to]}`;
}

/** Returns what was different afterwards: "Dele Okafor took this, to follow up Nov 24". */
export function assignmentWords({
  actor,
  owner,
  followUpOn,
  ownerChanged,
  followUpChanged,
}: Entry<"assignment">): string {
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
