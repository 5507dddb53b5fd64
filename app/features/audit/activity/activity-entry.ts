import { type Subject, storedSubject } from "~/lib/subject";
import type { Instant } from "~/lib/time";
import { ACTION_LABELS, detailsOf } from "../action-labels";
import { AUDIT_ACTIONS } from "../model";

/** Describes one line of the feed. */
export type ActivityEntry = {
  id: number;
  at: Instant;
  type: string;
  /** "changed the status of a submission" */
  action: string;
  /** The subject and what changed of it: "Priya Raman, new to contacted". Empty where there is nothing to add. */
  details: string;
  /** Names who acted; null: a visitor, or the product itself. */
  person: { name: string; email: string } | null;
  /** The page of what it was about. */
  href: string | null;
};

/** Holds an event as it is stored. */
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
};

/** Returns the address of a subject's page; null if the viewer may not open one. */
type PathOf = (subject: Subject) => string | null;

/** Turns a stored event into a line of the feed. */
export function activityEntry(row: StoredActivity, pathOf: PathOf): ActivityEntry {
  return {
    id: row.id,
    at: row.at,
    type: row.activity_type,
    action: actionLabel(row),
    details: detailsText(row),
    person: row.actor_email === null ? null : { name: row.actor_name ?? "", email: row.actor_email },
    href: hrefOf(row, pathOf),
  };
}

/** Returns what was done: "changed the status of a submission". */
export function actionLabel({ action }: StoredActivity): string {
  const known = AUDIT_ACTIONS.find((candidate) => candidate === action);
  return known ? ACTION_LABELS[known] : action;
}

/** Returns the subject and what changed of it: "Priya Raman, new to contacted". */
export function detailsText(row: StoredActivity): string {
  const meta = row.meta_json ? (JSON.parse(row.meta_json) as Record<string, unknown>) : {};
  return [labelOf(row), detailsOf(meta)].filter(Boolean).join(", ");
}

/** Tells whether somebody acted on their own account. Then the label would repeat the name. */
const isOwn = ({ actor_id, subject_type, subject_id }: StoredActivity) =>
  subject_type === "user" && subject_id === actor_id;

const labelOf = (row: StoredActivity) => (isOwn(row) ? null : row.subject_label);

/** Returns the address of the subject's page. A subject without a label was deleted, or has no page. */
function hrefOf({ subject_type, subject_id, subject_label }: StoredActivity, pathOf: PathOf): string | null {
  const subject = subject_label === null ? null : storedSubject(subject_type, subject_id);
  return subject && pathOf(subject);
}
