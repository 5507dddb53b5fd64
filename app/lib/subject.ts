export const SUBJECT_TYPES = ["submission", "user", "organization", "ticket"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

export type Subject = { type: SubjectType; id: string };

export type NamedSubject = Subject & { label: string };

export function storedSubject(type: string | null, id: string | null): Subject | null {
  const supported = SUBJECT_TYPES.find((candidate) => candidate === type);
  return supported && id ? { type: supported, id } : null;
}

/** The names are fixed: clients outside the product read them. */
export const LIVE_EVENT_TYPES = ["new_submission", "status_update", "new_note", "mfa_event", "ticket_event"] as const;
export type LiveEventType = (typeof LIVE_EVENT_TYPES)[number];
