/** Rows per page a person may choose; the first is the default. */
export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

/**
 * A place in a list ordered by a key: a moment or a text, then the id. Pages are addressed by the key of their
 * neighbour, never by an offset, so the last page costs what the first one costs.
 */
export type PageKey = { at: number | string; id: string };

export type PageRequest = { size: PageSize; after: PageKey | null; before: PageKey | null };

/** Writes a key for an address: `1763700000000.sub_01jd…`; a text in letters that need no escaping, behind a tilde. */
export const formatKey = ({ at, id }: PageKey): string => `${typeof at === "number" ? at : `~${inAddress(at)}`}.${id}`;

/** Reads `size`, `after` and `before` from an address; anything malformed counts as absent. */
export function pageRequest(params: URLSearchParams): PageRequest {
  const wanted = Number(params.get("size"));
  const size = PAGE_SIZES.find((candidate) => candidate === wanted) ?? PAGE_SIZES[0];
  const after = parseKey(params.get("after"));
  return { size, after, before: after ? null : parseKey(params.get("before")) };
}

const KEY = /^(?:(\d{1,15})|~([A-Za-z0-9_-]{0,400}))\.([a-z0-9_]{1,40})$/;

function parseKey(text: string | null): PageKey | null {
  const [, at, letters, id] = KEY.exec(text ?? "") ?? [];
  if (id === undefined) return null;
  if (at !== undefined) return { at: Number(at), id };
  const written = fromAddress(letters ?? "");
  return written === null ? null : { at: written, id };
}

/** Base64url of the text's UTF-8. */
const inAddress = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

function fromAddress(letters: string): string | null {
  try {
    const bytes = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
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
