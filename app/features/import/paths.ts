import { IMPORT_PATH, withParams } from "~/lib/addresses";

export { IMPORT_PATH };

export const importPath = (id: string): string => `${IMPORT_PATH}/${id}`;

export const INVITE_PEOPLE_PATH = "/admin/import/people";

export const invitePeoplePath = (organization: string, after?: string): string =>
  withParams(INVITE_PEOPLE_PATH, { organization, ...(after ? { after } : {}) });

export const importOutcomesPath = (id: string): string => withParams("/admin/exports/import.csv", { import: id });
