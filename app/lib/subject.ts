/**
 * Whatever can be written about: by a note, a file, a mail, an audit event, a live event. A new one is named here first;
 * its feature says in its `subject.ts` what it is called and where it is found, and `features/workspace/subjects.ts`
 * puts these together.
 */
export const SUBJECT_TYPES = ["submission", "user", "organization"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export type Subject = { type: SubjectType; id: string };

/** A subject as it is called at the moment. */
export type NamedSubject = Subject & { label: string };

/** Reads a subject out of two columns. Null for one of a kind that this version of the product does not know. */
export function storedSubject(type: string | null, id: string | null): Subject | null {
  const known = SUBJECT_TYPES.find((candidate) => candidate === type);
  return known && id ? { type: known, id } : null;
}
