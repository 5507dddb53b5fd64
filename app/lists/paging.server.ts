import { PAGE_SIZES, type PageSize } from "./page-size";

/**
 * Marks a position in an ordered list: the values by which a row is ordered, the id last. Pages are addressed by the
 * cursor of their neighbour, never by an offset, so the last page costs what the first one costs.
 */
export type Cursor = readonly (number | string)[];

export type PageRequest = { size: PageSize; after: Cursor | null; before: Cursor | null };

/** Writes a cursor for an address: `1763700000000.sub_01jd…`; texts but the id as base64url behind a tilde. */
export const formatCursor = (cursor: Cursor): string =>
  cursor
    .map((value, place) => {
      if (typeof value === "number") return value;
      return place > 0 && place === cursor.length - 1 ? value : `~${Buffer.from(value).toString("base64url")}`;
    })
    .join(".");

/** Parses `size`, `after` and `before` of an address; anything malformed counts as absent. */
export function pageRequest(params: URLSearchParams): PageRequest {
  const wanted = Number(params.get("size"));
  const size = PAGE_SIZES.find((candidate) => candidate === wanted) ?? PAGE_SIZES[0];
  const after = parseCursor(params.get("after"));
  return { size, after, before: after ? null : parseCursor(params.get("before")) };
}

const MAX_LENGTH = 500;
const NUMBER = /^\d{1,15}$/;
const TEXT = /^~([A-Za-z0-9_-]{0,400})$/;
const ID = /^[a-z][a-z0-9_]{0,39}$/;

function parseCursor(text: string | null): Cursor | null {
  if (!text || text.length > MAX_LENGTH) return null;
  const parts = text.split(".");
  const values = parts.map((part, place) => {
    if (NUMBER.test(part)) return Number(part);
    if (place === parts.length - 1) return place > 0 && ID.test(part) ? part : null;
    return decodeText(TEXT.exec(part)?.[1]);
  });
  return values.every((value) => value !== null) ? values : null;
}

/**
 * Decodes base64url. Null: the letters are no base64url, or their bytes no UTF-8. Only a text is written as it was
 * read.
 */
function decodeText(letters: string | undefined): string | null {
  if (letters === undefined) return null;
  const text = Buffer.from(letters, "base64url").toString();
  return Buffer.from(text).toString("base64url") === letters ? text : null;
}

export type Page<Row> = { rows: Row[]; newer: string | null; older: string | null };

/**
 * Cuts the page out of `size + 1` rows read in reading direction: the extra row only tells whether there is more.
 * Rows read towards newer ones (`before`) come oldest first and are turned round.
 */
export function pageOf<Row extends { cursor: Cursor }>(request: PageRequest, read: readonly Row[]): Page<Row> {
  const more = read.length > request.size;
  const rows = read.slice(0, request.size);
  if (request.before) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNewer = request.before ? more : request.after !== null;
  const hasOlder = request.before ? true : more;
  return {
    rows,
    newer: hasNewer && first ? formatCursor(first.cursor) : null,
    older: hasOlder && last ? formatCursor(last.cursor) : null,
  };
}
