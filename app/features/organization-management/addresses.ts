import { ORGANIZATIONS_PATH, organizationPath } from "~/features/organizations/subject";
import { withParams } from "~/lib/addresses";

export const NEW_ORGANIZATION_PATH = `${ORGANIZATIONS_PATH}/new`;

/** Names the part of an organization's page with the form that changes it. */
export const EDIT_FRAGMENT = "#edit";

/**
 * Returns the address of the page that asks before an organization is deleted; `after`: with the archive that goes on
 * after a place.
 */
export const deletionPath = (id: string, after?: string): string =>
  after ? withParams(`${organizationPath(id)}/delete`, { after }) : `${organizationPath(id)}/delete`;

/** Returns the address of a note about an organization, or of the page that asks before it is deleted. */
export const notePath = (id: string, noteId: string, page?: "delete"): string =>
  `${organizationPath(id)}/notes/${encodeURIComponent(noteId)}${page ? `/${page}` : ""}`;

/** Returns the address of the page on which staff pass the ownership of an organization on. */
export const ownershipPath = (id: string): string => `${organizationPath(id)}/transfer`;

/**
 * Returns the address of the archive with everything that belongs to an organization; `after`: of the one that goes on
 * where another one ended.
 */
export const organizationFilePath = (id: string, after?: string): string =>
  withParams("/admin/exports/organization.zip", { organization: id, ...(after ? { after } : {}) });
