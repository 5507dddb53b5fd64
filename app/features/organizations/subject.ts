import type { SubjectKind } from "~/access/subject";
import type { NamedSubject } from "~/lib/subject";

export const organizationKind: SubjectKind = {
  noun: "organization",
  idPrefix: "org",
  ability: "organization.view",
  pages: {},
};

export const organizationSubject = ({ id, name }: { id: string; name: string }): NamedSubject => ({
  type: "organization",
  id,
  label: name,
});
