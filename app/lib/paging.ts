/** Rows per page a person may choose; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/**
 * A place in a list ordered by a key, newest first. Pages are addressed by the key of their neighbour, never by an
 * offset, so the last page costs what the first one costs.
 */
export type PageKey = { at: number; id: string };

export type PageRequest = { size: PageSize; after: PageKey | null; before: PageKey | null };

/** Writes a key for an address: `1763700000000.sub_01jd…`. */
export const formatKey = (key: PageKey): string => `${key.at}.${key.id}`;

/** Reads `size`, `after` and `before` from an address; anything malformed counts as absent. */
export function pageRequest(params: URLSearchParams): PageRequest {
  const wanted = Number(params.get("size"));
  const size = PAGE_SIZES.find((candidate) => candidate === wanted) ?? PAGE_SIZES[0];
  const after = parseKey(params.get("after"));
  return { size, after, before: after ? null : parseKey(params.get("before")) };
}

function parseKey(text: string | null): PageKey | null {
  const match = /^(\d{1,15})\.([a-z0-9_]{1,40})$/.exec(text ?? "");
  return match?.[1] && match[2] ? { at: Number(match[1]), id: match[2] } : null;
}

export type Page<Row> = { rows: Row[]; newer: string | null; older: string | null };

/**
 * Cuts the page out of `size + 1` rows read in reading direction: the extra row only tells whether there is more.
 * Rows read towards newer ones (`before`) arrive oldest first and are turned round.
 */
export function pageOf<Row extends PageKey>(request: PageRequest, read: Row[]): Page<Row> {
  const more = read.length > request.size;
  const rows = read.slice(0, request.size);
  if (request.before) rows.reverse();
  const first = rows[0];
  const last = rows.at(-1);
  const hasNewer = request.before ? more : request.after !== null;
  const hasOlder = request.before ? true : more;
  return {
    rows,
    newer: hasNewer && first ? formatKey(first) : null,
    older: hasOlder && last ? formatKey(last) : null,
  };
}
