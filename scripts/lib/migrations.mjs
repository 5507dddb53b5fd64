import { readdirSync } from "node:fs";

/** Returns the names of the migrations in a folder, in their order. */
export const migrationFiles = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/**
 * Returns a sentence about a database that began with other migrations than there are now, and that these can therefore
 * not be added to, or null. One of a later version is none of those, because migrations only add. `applied`: the names
 * in its table `d1_migrations`; `files`: those in the folder, in their order.
 */
export function otherBeginning(applied, files, { database, remedy }) {
  const [first = ""] = files;
  const [firstApplied] = applied.toSorted();
  if (firstApplied === undefined || applied.includes(first)) return null;
  return `${database} was made by an earlier version: it began with ${firstApplied}, and the migrations of this version begin with ${first}. Nothing was changed. ${remedy}`;
}
