import { sql } from "drizzle-orm";
import type { Ctx } from "~/platform/context.server";
import { type ArchivePlace, archiveFiles, type Contents, placeIn } from "../archive.server";
import type { ZipEntry } from "../zip";
import { EXPORTED_TABLES, LEFT_OUT } from "./tables";

/** Names a table in an address as it is, and in the archive in its folder. */
const parts: Contents["parts"] = EXPORTED_TABLES.map(({ name, columns }) => {
  const selected = sql.raw(columns.map((column) => `"${column}"`).join(", "));
  return {
    name: `tables/${name}`,
    rows: ({ major }) => sql`
      SELECT rowid AS major, 0 AS minor, ${selected} FROM ${sql.identifier(name)}
      WHERE rowid > ${major} ORDER BY rowid`,
  };
});

const sentFiles = ({ major }: ArchivePlace) => sql`
  SELECT rowid AS major, 0 AS minor, r2_key AS key, 'files/' || id || '-' || name AS path FROM attachments
  WHERE rowid > ${major} ORDER BY rowid`;

const aboutText = (withFiles: boolean): string => `Everything that is stored, but for secrets and for what passes.

tables/   One file for each table, a row in each line, as JSON.
${
  withFiles
    ? "files/    What people have sent, named by the id of its row in tables/attachments.ndjson and its own name."
    : "Files are left out. tables/attachments.ndjson says what there are, with the keys (r2_key) in the file store."
}

Times are milliseconds since 1970 in UTC. Lines were read one part after another: a row that was changed meanwhile may
be as it was before or after.

Left out are passwords, codes, keys and the links of mails; who is signed in (${LEFT_OUT.secrets.join(", ")});
what is only there until it is done (${LEFT_OUT.passing.join(", ")});
and what is counted from the rest (${LEFT_OUT.counted.join(", ")}).
`;

type Archive = {
  from: ArchivePlace;
  withFiles: boolean;
  /** Returns the address of the archive that goes on after a place. */
  next: (place: string) => string;
};

/** Reads a place of an address, see `placeIn`. */
export const parsePlace = (text: string): ArchivePlace | null => placeIn({ parts }, text);

/** Reads the files of an archive with everything, a part at a time. */
export const everythingFiles = (
  stores: Pick<Ctx, "db" | "files">,
  { withFiles, ...archive }: Archive,
): AsyncGenerator<ZipEntry> =>
  archiveFiles(stores, { about: aboutText(withFiles), parts, files: withFiles ? sentFiles : null }, archive);
