import type { SubjectKind } from "~/access/subject";
import type { NamedSubject } from "~/lib/subject";

export const userKind: SubjectKind = { noun: "person", idPrefix: "usr", ability: "user.view", pages: {} };

export const userSubject = ({ userId, fullName }: { userId: string; fullName: string }): NamedSubject => ({
  type: "user",
  id: userId,
  label: fullName,
});
