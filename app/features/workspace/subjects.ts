import type { SubjectKinds } from "~/access/subject";
import { organizationKind } from "~/features/organizations/subject";
import { submissionKind } from "~/features/submissions/subject";
import { userKind } from "~/features/users/subject";
import { SUBJECT_TYPES, type SubjectType } from "~/lib/subject";

/** Every kind of subject, by what is stored for it. What the server adds to them: `subject-registry.server.ts`. */
export const SUBJECT_KINDS: SubjectKinds = {
  submission: submissionKind,
  user: userKind,
  organization: organizationKind,
};

/** Returns what an id names by what it begins with; null for one that begins with nothing known. */
export const subjectTypeOf = (id: string): SubjectType | null =>
  SUBJECT_TYPES.find((type) => id.startsWith(`${SUBJECT_KINDS[type].idPrefix}_`)) ?? null;
