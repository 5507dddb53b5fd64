import { gzipSync } from "node:zlib";

/* What pages cost: bytes for a browser, and work for the database, as they report it of themselves. */

/** Tickets are ordered by the second of opening, then by number: this one is of half a year ago. */
const LONG_AGO = (Math.floor(Date.now() / 1000) - 180 * 86_400) * 2_097_152;

const DATA_PAGES = [
  ["dashboard", "/admin"],
  ["submissions", "/admin/submissions"],
  ["submissions, search, common", "/admin/submissions?q=castillo"],
  ["submissions, search, no match", "/admin/submissions?q=qqqzzz"],
  ["tickets", "/admin/tickets"],
  ["tickets, unassigned, next due", "/admin/tickets?status=active&assignee=none&sort=due"],
  ["tickets, deep page", `/admin/tickets?status=all&sort=newest&after=${LONG_AGO}`],
  ["tickets, search and status", "/admin/tickets?q=printer&status=resolved"],
  ["activity, one kind", "/admin/activity?type=submission"],
  ["analytics, a year", "/admin/analytics?range=365&tab=organizations"],
];

/** Returns a row per page: round trips, statements, rows read, milliseconds at D1 and size. `session`: an admin's. */
export async function dataPages(session, size) {
  const pages = [...DATA_PAGES, ["one ticket", await newestTicket(session)]];
  const rows = [];
  for (const [page, path] of pages) rows.push(await costOf(session, path, { page, path, size }));
  return rows;
}

export async function newestTicket(session) {
  const list = await (await session.send("/admin/tickets")).text();
  const [, path] = /href="(\/admin\/tickets\/T-\d+)"/.exec(list) ?? [];
  if (!path) throw new Error("The list of tickets has no ticket");
  return path;
}

/** Returns the cheaper of two HTTP requests in a row: the first may refresh the session as well. */
async function costOf(session, path, named) {
  const rows = [];
  for (let request = 0; request < 2; request += 1) {
    const response = await session.send(path);
    const bytes = gzipped(await response.text());
    const timing = response.headers.get("server-timing") ?? "";
    const [, ...figures] = /trips=(\d+) queries=(\d+) rows=(\d+)";dur=([\d.]+)/.exec(timing) ?? [];
    if (response.status !== 200 || figures.length === 0) throw new Error(`${path} answered ${response.status}`);
    const [trips, queries, read, milliseconds] = figures.map(Number);
    rows.push({ ...named, trips, queries, "rows read": read, "ms at D1": milliseconds, "html gzip": bytes });
  }
  return rows.toSorted((left, right) => left["rows read"] - right["rows read"])[0];
}

/**
 * Returns what a browser with an empty cache transfers for a page, as the page itself names it: bytes by kind (text as
 * gzip would send it) and the number of requests.
 */
export async function pageBytes(session, path) {
  const response = await session.send(path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  const html = await response.text();
  const bytes = { html: gzipped(html), css: 0, js: 0, fonts: 0, images: 0 };
  const assets = assetsOf(html);
  for (const [address, kind] of assets) {
    const asset = await session.send(address);
    const body = Buffer.from(await asset.arrayBuffer());
    if (asset.status !== 200) throw new Error(`${path} names ${address}, which answers ${asset.status}`);
    bytes[kind] += kind === "fonts" ? body.length : gzipped(body);
  }
  return { path, ...bytes, total: Object.values(bytes).reduce((sum, part) => sum + part), requests: 1 + assets.size };
}

const gzipped = (content) => gzipSync(content, { level: 6 }).length;

function assetsOf(html) {
  const assets = new Map((html.match(/\/build\/[^"']+\.js/g) ?? []).map((address) => [address, "js"]));
  for (const [tag] of html.matchAll(/<(?:link|script|img)\b[^>]*>/g)) {
    const address = /\b(?:href|src)="([^"]+)"/.exec(tag)?.[1];
    const kind = kindOf(tag);
    if (address && kind) assets.set(address.replaceAll("&amp;", "&"), kind);
  }
  return assets;
}

function kindOf(tag) {
  if (tag.startsWith("<script") || /rel="modulepreload"/.test(tag)) return "js";
  if (/rel="stylesheet"/.test(tag)) return "css";
  if (/rel="preload"/.test(tag) && /as="font"/.test(tag)) return "fonts";
  return tag.startsWith("<img") || /rel="icon"/.test(tag) ? "images" : null;
}
