import type { SubjectKinds } from "~/access/subject";
import { organizationKind } from "~/features/organizations/model";
import { submissionKind } from "~/features/submissions/subject";
import { ticketKind } from "~/features/tickets/paths";
import { userKind } from "~/features/users/model";
import { SUBJECT_TYPES, type SubjectType } from "~/lib/subject";

/** Lists every kind of subject. `subject-registry.server.ts` adds what only the server can do. */
export const SUBJECT_KINDS: SubjectKinds = {
  submission: submissionKind,
  user: userKind,
  organization: organizationKind,
  ticket: ticketKind,
};

/** Returns the kind of subject that an id names, by its prefix; null for an unknown prefix. */
export const subjectTypeOf = (id: string): SubjectType | null =>
  SUBJECT_TYPES.find((type) => id.startsWith(`${SUBJECT_KINDS[type].idPrefix}_`)) ?? null;
