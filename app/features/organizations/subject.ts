import type { SubjectKind } from "~/access/subject";
import type { NamedSubject } from "~/lib/subject";

export const ORGANIZATIONS_PATH = "/admin/organizations";

/** Returns the address of an organization's page for staff. */
export const organizationPath = (id: string): string => `${ORGANIZATIONS_PATH}/${encodeURIComponent(id)}`;

export const organizationKind: SubjectKind = {
  noun: "organization",
  idPrefix: "org",
  ability: "organization.view",
  pages: { staff: organizationPath },
  listPath: ORGANIZATIONS_PATH,
};

export const organizationSubject = ({ id, name }: { id: string; name: string }): NamedSubject => ({
  type: "organization",
  id,
  label: name,
});
