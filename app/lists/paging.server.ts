import { PAGE_SIZES, type PageSize, type RowPage } from "./model";

export type Cursor = readonly (number | string)[];

export type PageRequest = { size: PageSize; after: Cursor | null; before: Cursor | null };

/** Formats a cursor for an address: `1763700000000.sub_01jd…`; texts except the id as base64url after a tilde. */
export const formatCursor = (cursor: Cursor): string =>
  cursor
    .map((value, index) => {
      if (typeof value === "number") return value;
      const isId = index > 0 && index === cursor.length - 1;
      return isId ? value : `~${Buffer.from(value).toString("base64url")}`;
    })
    .join(".");

export function pageRequest(params: URLSearchParams): PageRequest {
  const sizeParam = Number(params.get("size"));
  const size = PAGE_SIZES.find((candidate) => candidate === sizeParam) ?? PAGE_SIZES[0];
  const after = parseCursor(params.get("after"));
  return { size, after, before: after ? null : parseCursor(params.get("before")) };
}

const MAX_LENGTH = 500;
const NUMBER = /^\d{1,16}$/;
const TEXT = /^~([A-Za-z0-9_-]{0,400})$/;
const ID = /^[a-z][a-z0-9_]{0,39}$/;

function parseCursor(text: string | null): Cursor | null {
  if (!text || text.length > MAX_LENGTH) return null;
  const parts = text.split(".");
  const values = parts.map((part, index) => {
    if (NUMBER.test(part)) return Number.isSafeInteger(Number(part)) ? Number(part) : null;
    if (index === parts.length - 1) return index > 0 && ID.test(part) ? part : null;
    return decodeText(TEXT.exec(part)?.[1]);
  });
  return values.every((value) => value !== null) ? values : null;
}

/** The decoder skips what is not base64 and replaces what is not UTF-8, so a text counts only if it encodes back. */
function decodeText(encoded: string | undefined): string | null {
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64url").toString();
  return Buffer.from(text).toString("base64url") === encoded ? text : null;
}

export function pageOf<Row extends { cursor: Cursor }>(request: PageRequest, read: readonly Row[]): RowPage<Row> {
  const hasMore = read.length > request.size;
  const rows = read.slice(0, request.size);
  if (request.before) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasPrevious = request.before ? hasMore : request.after !== null;
  const hasNext = request.before ? true : hasMore;
  return {
    rows,
    previous: hasPrevious && first ? formatCursor(first.cursor) : null,
    next: hasNext && last ? formatCursor(last.cursor) : null,
  };
}
