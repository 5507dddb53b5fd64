/**
 * Lists the types of subjects: what a note, a file, a mail, an audit event or a live event can be about. A new type is
 * added here first; its feature describes it in its `subject.ts`, and `features/workspace/subjects.ts` collects these.
 */
export const SUBJECT_TYPES = ["submission", "user", "organization", "ticket"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export type Subject = { type: SubjectType; id: string };

/** Holds a subject with its current name. */
export type NamedSubject = Subject & { label: string };

/** Reads a subject from two columns. Null for a type that this version does not support. */
export function storedSubject(type: string | null, id: string | null): Subject | null {
  const supported = SUBJECT_TYPES.find((candidate) => candidate === type);
  return supported && id ? { type: supported, id } : null;
}
