import { createHash } from "node:crypto";

type InlineStyle = { css: string; hash: string };

type StyledPage = { html: string; styleHashes: string[] };

const STYLE = /<style>([^<]*)<\/style>/g;
const STYLE_LINK = /<link rel="stylesheet" href="(\/build\/[^"]+\.css)"\/>/g;

/**
 * On a slow connection a second request before the first paint takes as long as the page itself
 * (docs/decisions/0002-render-to-string.md). File names have a hash, so each is read once per isolate; one that cannot
 * be read stays a link.
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

export type ReadAsset = (path: string) => Promise<string | null>;

export const withInlineStyles = createStyleInliner();
