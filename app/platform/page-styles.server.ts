import { createHash } from "node:crypto";
import { type ParsedSheet, parseSheet, trimSheet, usedNames } from "./trim-styles.server";

/** Holds the part of a style sheet that a page needs, and its source expression for a Content-Security-Policy. */
type InlineStyle = { css: string; hash: string };

/** Holds a style sheet of the build, and the parts that pages have needed so far, by the utility classes they use. */
type CachedSheet = { parsed: ParsedSheet; styles: Map<string, InlineStyle> };

/** Holds a page with inline style sheets. `styleHashes` are source expressions for a Content-Security-Policy. */
type StyledPage = { html: string; styleHashes: string[] };

/** Matches a style that the page has already: the colours of the brand. */
const STYLE = /<style>([^<]*)<\/style>/g;
const STYLE_LINK = /<link rel="stylesheet" href="(\/build\/[^"]+\.css)"\/>/g;

/** Limits the memory for parts of a style sheet. There are few pages, so it is not reached normally. */
const MAX_CACHED_STYLES = 200;

/**
 * Creates a function that replaces a page's links to style sheets by the rules the page needs. On a slow connection, a
 * second request before the first paint takes as long as the page itself
 * (docs/decisions/0011-styles-inside-public-pages.md).
 *
 * The file names contain a hash of the content, so each file is read once per isolate. A file that cannot be read stays
 * a link: the page is slower, but not broken.
 */
export function createStyleInliner() {
  const cache = new Map<string, CachedSheet>();

  async function find(path: string, readAsset: ReadAsset): Promise<CachedSheet | null> {
    const cached = cache.get(path);
    if (cached) return cached;
    const css = await readAsset(path).catch(() => null);
    // Text that could end the style element is not one of our style sheets.
    if (!css || /<\/style/i.test(css)) return null;
    const sheet = { parsed: parseSheet(css), styles: new Map() };
    cache.set(path, sheet);
    return sheet;
  }

  return async function withInlineStyles(html: string, readAsset: ReadAsset): Promise<StyledPage> {
    const paths = [...html.matchAll(STYLE_LINK)].map(([, path]) => path ?? "");
    const found = new Map<string, InlineStyle>();
    for (const path of paths) {
      const sheet = await find(path, readAsset);
      if (sheet) found.set(path, styleFor(sheet, html));
    }
    return {
      html: html.replace(STYLE_LINK, (link, path: string) => {
        const style = found.get(path);
        return style ? `<style>${style.css}</style>` : link;
      }),
      styleHashes: [...[...found.values()].map(({ hash }) => hash), ...[...html.matchAll(STYLE)].map(hashOfStyle)],
    };
  };
}

const hashOf = (css: string): string => `'sha256-${createHash("sha256").update(css).digest("base64")}'`;

const hashOfStyle = ([, css = ""]: RegExpExecArray): string => hashOf(css);

function styleFor({ parsed, styles }: CachedSheet, html: string): InlineStyle {
  const used = usedNames(parsed, html);
  const key = [...used].sort().join(" ");
  const cached = styles.get(key);
  if (cached) return cached;
  const css = trimSheet(parsed, used);
  const style = { css, hash: hashOf(css) };
  if (styles.size >= MAX_CACHED_STYLES) styles.clear();
  styles.set(key, style);
  return style;
}

/** Reads a file of the build as text; null: there is no such file. */
export type ReadAsset = (path: string) => Promise<string | null>;

/** Puts style sheets into a page, with the cache of this isolate. */
export const withInlineStyles = createStyleInliner();
