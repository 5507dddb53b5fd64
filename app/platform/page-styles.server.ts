import { createHash } from "node:crypto";

/** Holds a style sheet and its source expression for a Content-Security-Policy. */
type InlineStyle = { css: string; hash: string };

/** Holds a page with inline style sheets. `styleHashes` are source expressions for a Content-Security-Policy. */
type StyledPage = { html: string; styleHashes: string[] };

/** Matches a style that the page has already: the colours of the brand. */
const STYLE = /<style>([^<]*)<\/style>/g;
const STYLE_LINK = /<link rel="stylesheet" href="(\/build\/[^"]+\.css)"\/>/g;

/**
 * Creates a function that replaces a page's links to style sheets by the sheets. On a slow connection, a second request
 * before the first paint takes as long as the page itself (docs/decisions/0002-render-to-string.md).
 *
 * The file names contain a hash of the content, so each file is read once per isolate. A file that cannot be read stays
 * a link: the page is slower, but not broken.
 */
export function createStyleInliner() {
  const cache = new Map<string, InlineStyle>();

  async function find(path: string, readAsset: ReadAsset): Promise<InlineStyle | null> {
    const cached = cache.get(path);
    if (cached) return cached;
    const css = await readAsset(path).catch(() => null);
    // Text that could end the style element is not one of our style sheets.
    if (!css || /<\/style/i.test(css)) return null;
    const style = { css, hash: hashOf(css) };
    cache.set(path, style);
    return style;
  }

  return async function withInlineStyles(html: string, readAsset: ReadAsset): Promise<StyledPage> {
    const paths = [...html.matchAll(STYLE_LINK)].map(([, path]) => path ?? "");
    const found = new Map<string, InlineStyle>();
    for (const path of paths) {
      const style = await find(path, readAsset);
      if (style) found.set(path, style);
    }
    return {
      html: html.replace(STYLE_LINK, (link, path: string) => {
        const style = found.get(path);
        return style ? `<style>${style.css}</style>` : link;
      }),
      styleHashes: [
        ...[...found.values()].map(({ hash }) => hash),
        ...[...html.matchAll(STYLE)].map(([, css = ""]) => hashOf(css)),
      ],
    };
  };
}

const hashOf = (css: string): string => `'sha256-${createHash("sha256").update(css).digest("base64")}'`;

/** Reads a file of the build as text; null: there is no such file. */
export type ReadAsset = (path: string) => Promise<string | null>;

/** Puts style sheets into a page, with the cache of this isolate. */
export const withInlineStyles = createStyleInliner();
