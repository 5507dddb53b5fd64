import { PRIVACY_PATH } from "~/lib/addresses";

/** Names the page that offers everything as files. */
export const EVERYTHING_PATH = `${PRIVACY_PATH}/everything`;

/** Describes an archive: with or without the files of people, from the beginning or from a place on. */
export type AskedArchive = { withFiles: boolean; after: string };

/** Returns the address of an archive with everything. */
export const everythingFilePath = ({ withFiles, after }: AskedArchive): string =>
  `/admin/exports/everything.zip?${new URLSearchParams({ ...(withFiles ? { files: "on" } : {}), ...(after ? { after } : {}) })}`;
