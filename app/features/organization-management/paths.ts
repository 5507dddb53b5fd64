import { ORGANIZATIONS_PATH, organizationPath } from "~/features/organizations/model";

export const NEW_ORGANIZATION_PATH = `${ORGANIZATIONS_PATH}/new`;

/** Shows the page of an organization with the form that changes it. */
export const EDIT_QUERY = "?edit=1";

export const deletionPath = (id: string): string => `${organizationPath(id)}/delete`;

export const archivePath = (id: string): string => `${organizationPath(id)}/archive`;

export const organizationNotePath = (id: string, noteId: string, page?: "delete"): string =>
  `${organizationPath(id)}/notes/${encodeURIComponent(noteId)}${page ? `/${page}` : ""}`;

export const ownershipPath = (id: string): string => `${organizationPath(id)}/transfer`;
