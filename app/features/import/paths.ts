import { IMPORT_PATH, withParams } from "~/lib/addresses";

export { IMPORT_PATH };

export const importPath = (id: string): string => `${IMPORT_PATH}/${id}`;

export const importOutcomesPath = (id: string): string => withParams("/admin/exports/import.csv", { import: id });
