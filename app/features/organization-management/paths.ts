import { ORGANIZATIONS_PATH, organizationPath } from "~/features/organizations/model";
import { withParams } from "~/lib/addresses";

export const NEW_ORGANIZATION_PATH = `${ORGANIZATIONS_PATH}/new`;

/** Shows the page of an organization with the form that changes it. */
export const EDIT_QUERY = "?edit=1";

/**
 * Returns the address of the page that asks before an organization is deleted; `after`: with the archive that goes on
 * after a place.
 */
export const deletionPath = (id: string, after?: string): string =>
  after ? withParams(`${organizationPath(id)}/delete`, { after }) : `${organizationPath(id)}/delete`;

export const organizationNotePath = (id: string, noteId: string, page?: "delete"): string =>
  `${organizationPath(id)}/notes/${encodeURIComponent(noteId)}${page ? `/${page}` : ""}`;

export const ownershipPath = (id: string): string => `${organizationPath(id)}/transfer`;

/**
 * Returns the address of the archive with everything that belongs to an organization; `after`: of the one that goes on
 * where another one ended.
 */
export const organizationFilePath = (id: string, after?: string): string =>
  withParams("/admin/exports/organization.zip", { organization: id, ...(after ? { after } : {}) });
