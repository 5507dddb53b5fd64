/**
 * Lists the kinds of records that notes, files, mails, audit events and live events can be about. A new kind is added
 * here first; then its feature describes it in its `subject.ts`, and `features/workspace/subjects.ts` lists it.
 */
export const SUBJECT_TYPES = ["submission", "user", "organization"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export type Subject = { type: SubjectType; id: string };

/** Adds the name that a subject has at the moment. */
export type NamedSubject = Subject & { label: string };

/** Reads a subject out of two columns. Null for one of a kind that this version of the product does not know. */
export function storedSubject(type: string | null, id: string | null): Subject | null {
  const known = SUBJECT_TYPES.find((candidate) => candidate === type);
  return known && id ? { type: known, id } : null;
}
