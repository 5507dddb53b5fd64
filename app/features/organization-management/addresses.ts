import { ORGANIZATIONS_PATH, organizationPath } from "~/features/organizations/subject";
import { withParams } from "~/lib/addresses";

export const NEW_ORGANIZATION_PATH = `${ORGANIZATIONS_PATH}/new`;

/** Names the part of an organization's page with the form that changes it. */
export const EDIT_FRAGMENT = "#edit";

/** Returns the address of the page that asks before an organization is deleted. */
export const deletionPath = (id: string): string => `${organizationPath(id)}/delete`;

/** Returns the address of a note about an organization, or of the page that asks before it is deleted. */
export const notePath = (id: string, noteId: string, page?: "delete"): string =>
  `${organizationPath(id)}/notes/${encodeURIComponent(noteId)}${page ? `/${page}` : ""}`;

/** Returns the address of the page on which staff pass the ownership of an organization on. */
export const ownershipPath = (id: string): string => `${organizationPath(id)}/transfer`;

export const ORGANIZATION_FILE_PATH = "/admin/exports/organization.csv";

/** Returns the address of the file with everything that belongs to an organization. */
export const organizationFilePath = (id: string): string => withParams(ORGANIZATION_FILE_PATH, { organization: id });
