import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { ACTION_WORDS } from "./copy";
import { ACTIVITY_TYPES, type ActivityType, AUDIT_ACTIONS } from "./model";

export type ActivityFilter = { type: ActivityType | null; q: string };

export const ACTIVITY_SEARCH_MAX = 200;

/** Reads an address; anything malformed narrows nothing. */
export function activityFilter(params: URLSearchParams): ActivityFilter {
  const q = [...(params.get("q") ?? "").replace(/\p{Cc}+/gu, " ").trim()].slice(0, ACTIVITY_SEARCH_MAX).join("");
  return { type: ACTIVITY_TYPES.find((type) => type === params.get("type")) ?? null, q };
}

/** One line of the feed. */
export type ActivityEntry = {
  id: number;
  at: Instant;
  type: string;
  /** "changed the status of a contact request" */
  action: string;
  /** Whom or what it concerned and how: "Priya Raman, New to Contacted". Empty where there is nothing to add. */
  details: string;
  /** Who acted; null: a visitor, or the product itself. */
  person: { name: string; email: string } | null;
  /** The page of what it was about. */
  href: string | null;
};

/** An event as it is stored, with the names that go with its ids. */
export type StoredActivity = {
  id: number;
  at: Instant;
  action: string;
  activity_type: string;
  object_type: string;
  object_id: string | null;
  meta_json: string | null;
  person_name: string | null;
  person_email: string | null;
  submission_id: string | null;
  submission_name: string | null;
};

export function activityEntry(row: StoredActivity): ActivityEntry {
  const known = AUDIT_ACTIONS.find((action) => action === row.action);
  const meta = row.meta_json ? (JSON.parse(row.meta_json) as Record<string, unknown>) : {};
  return {
    id: row.id,
    at: row.at,
    type: row.activity_type,
    action: known ? ACTION_WORDS[known] : row.action,
    details: [row.submission_name, detailsOf(meta)].filter(Boolean).join(", "),
    person: row.person_email === null ? null : { name: row.person_name ?? "", email: row.person_email },
    href: row.submission_name === null ? null : `/admin/submissions/${row.submission_id}`,
  };
}

const word = (value: unknown) => String(value).replaceAll("_", " ");

/** What a person may read of an event's facts. Texts of notes and ids stay in the record. */
function detailsOf(meta: Record<string, unknown>): string {
  const parts: string[] = [];
  if (meta.from !== undefined && meta.to !== undefined) parts.push(`${word(meta.from)} to ${word(meta.to)}`);
  if (meta.held !== undefined) parts.push(`held: ${word(meta.held)}`);
  if (meta.owner) parts.push(`owner ${word(meta.owner)}`);
  if (meta.follow_up_on) parts.push(`follow up on ${String(meta.follow_up_on)}`);
  if (typeof meta.count === "number") parts.push(`${meta.count.toLocaleString("en-US")} of them`);
  if (typeof meta.rows === "number") parts.push(`${meta.rows.toLocaleString("en-US")} rows`);
  if (typeof meta.reason === "string") parts.push(word(meta.reason));
  return parts.join(", ");
}

/** Whether a line contains what somebody looks for, in whatever it shows. `search` is folded. */
export function mentions(entry: ActivityEntry, search: string): boolean {
  const { action, details, person } = entry;
  return fold([action, details, person?.name ?? "", person?.email ?? ""].join(" ")).includes(search);
}
