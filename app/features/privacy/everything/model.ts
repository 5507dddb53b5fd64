import { PRIVACY_PATH, withParams } from "~/lib/addresses";

/** Names the page that offers everything as files. */
export const EVERYTHING_PATH = `${PRIVACY_PATH}/everything`;

/** Describes an archive: with or without the files of people, from the beginning or from a place on. */
export type AskedArchive = { withFiles: boolean; after: string };

/** Returns the page that offers an archive: of a further one with its place, so that it is not lost on the way. */
export const everythingPagePath = ({ withFiles, after }: AskedArchive): string =>
  after ? withParams(EVERYTHING_PATH, { ...(withFiles ? { files: "on" } : {}), after }) : EVERYTHING_PATH;

/** Reads which archive an address asks for. Its place may be none. */
export const askedArchive = (query: URLSearchParams): AskedArchive => ({
  withFiles: query.get("files") === "on",
  after: query.get("after") ?? "",
});

/** Returns the address of an archive with everything. */
export const everythingFilePath = ({ withFiles, after }: AskedArchive): string =>
  `/admin/exports/everything.zip?${new URLSearchParams({ ...(withFiles ? { files: "on" } : {}), ...(after ? { after } : {}) })}`;
