import { type Subject, storedSubject } from "~/lib/subject";
import { FORMER_MEMBER } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { auditActionLabel, detailLabel, type EventDetails } from "../labels";
import type { AuditAction } from "../model";

export type ActivityEntry = {
  id: number;
  at: Instant;
  type: string;
  /** "Avery Quinn took this", "Sign-in failed: wrong password" */
  sentence: string;
  /** "Priya Raman: new to contacted"; empty if nothing is to be added */
  details: string;
  email: string | null;
  href: string | null;
};

export type StoredActivity = {
  id: number;
  at: Instant;
  action: string;
  activity_type: string;
  actor_id: string | null;
  actor_name: string | null;
  actor_email: string | null;
  subject_type: string;
  subject_id: string | null;
  subject_label: string | null;
  meta_json: string | null;
  is_former?: number;
  is_former_subject?: number;
  former_people?: string;
};

/** Null if the viewer may not open one. */
type PathOf = (subject: Subject) => string | null;

export function activityEntry(row: StoredActivity, pathOf: PathOf): ActivityEntry {
  return {
    id: row.id,
    at: row.at,
    type: row.activity_type,
    ...wordsOf(row),
    email: row.is_former ? null : row.actor_email,
    href: hrefOf(row, pathOf),
  };
}

export const actionLabel = (row: StoredActivity): string => auditActionLabel(factsOf(row));

export const detailsText = (row: StoredActivity): string => joined(labelOf(row), detailLabel(factsOf(row)));

/** Of somebody who was erased only the id is left. */
export const actorNameOf = ({ actor_name, actor_id, is_former }: StoredActivity): string | null =>
  is_former ? `${FORMER_MEMBER} (${actor_id})` : actor_name;

export const factsOf = ({
  action,
  meta_json,
  actor_name,
  former_people,
}: Pick<StoredActivity, "action" | "meta_json" | "actor_name" | "former_people">): EventDetails => ({
  action,
  meta: {
    ...(meta_json ? (JSON.parse(meta_json) as Record<string, unknown>) : {}),
    ...Object.fromEntries((JSON.parse(former_people ?? "[]") as string[]).map((fact) => [fact, FORMER_MEMBER])),
  },
  actorName: actor_name,
});

const UNNAMED: Partial<Record<AuditAction, string>> = { "mfa.recovery_link_made": "The operator" };

const BY_SUBJECT: readonly string[] = ["submission.received", "user.signed_up", "user.password_locked"];

function wordsOf(row: StoredActivity): Pick<ActivityEntry, "sentence" | "details"> {
  const facts = factsOf(row);
  const action = auditActionLabel(facts);
  const details = detailLabel(facts);
  // The whole sentence is in the action; whose account it was comes after it.
  if (row.action === "session.refused") return { sentence: action, details: joined(row.subject_label, details) };
  const name = actorNameOf(row);
  if (name !== null) return { sentence: `${name} ${action}`, details: detailsText(row) };
  const unnamed = UNNAMED[row.action as AuditAction] ?? "A visitor";
  if (!BY_SUBJECT.includes(row.action)) return { sentence: `${unnamed} ${action}`, details: detailsText(row) };
  const subject = row.subject_label ?? unnamed;
  return { sentence: details ? joined(subject, details) : `${subject} ${action}`, details: "" };
}

/** "John Smith: held (hidden field filled in)", or the one of the two that there is */
const joined = (label: string | null, details: string): string => [label, details].filter(Boolean).join(": ");

const isOwn = ({ actor_id, subject_type, subject_id }: StoredActivity) =>
  subject_type === "user" && subject_id === actor_id;

const labelOf = (row: StoredActivity) => {
  if (isOwn(row)) return null;
  return row.is_former_subject ? `${FORMER_MEMBER} (${row.subject_id})` : row.subject_label;
};

/** A subject without a label was deleted, or has no page. */
function hrefOf({ subject_type, subject_id, subject_label }: StoredActivity, pathOf: PathOf): string | null {
  const subject = subject_label === null ? null : storedSubject(subject_type, subject_id);
  return subject && pathOf(subject);
}
