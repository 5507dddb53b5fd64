import { gzipSync } from "node:zlib";

/**
 * Returns what a browser with an empty cache transfers for a page, as the page itself names it: bytes by kind (text as
 * gzip would send it) and the number of requests. Null when there is no such page.
 */
export async function pageBytes(session, path) {
  const response = await session.send(path);
  if (response.status !== 200) return null;
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
  const assets = new Map();
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
