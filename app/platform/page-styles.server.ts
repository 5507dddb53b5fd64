import { createHash } from "node:crypto";
import { type ParsedSheet, parseSheet, trimSheet, usedMarks } from "./trim-styles.server";

/** A style sheet as a page carries it, and what its policy calls it. */
type Style = { css: string; hash: string };

/** A sheet of the build with what pages have needed of it so far, by the utilities they use. */
type Sheet = { parsed: ParsedSheet; styles: Map<string, Style> };

/** A page with its style sheets inside. `styleHashes` are source expressions of a Content-Security-Policy. */
type StyledPage = { html: string; styleHashes: string[] };

const STYLE_LINK = /<link rel="stylesheet" href="(\/build\/[^"]+\.css)"\/>/g;

/** Pages and their states are few. Should something make them many, the isolate must not remember each. */
const STYLES_KEPT = 200;

/**
 * Puts the style sheets that a page asks for into the page: on a slow line, a second request before anything can be
 * painted costs as much as the page itself (docs/decisions/0011-styles-inside-public-pages.md). What the page does not
 * use of them stays out.
 *
 * `readAsset` gives a file of the build as text. The names of these files carry a hash of their content, so one is read
 * once for as long as the isolate lives. What cannot be read stays a link: the page is then slower and not broken.
 */
export function createStyleInliner() {
  const sheets = new Map<string, Sheet>();

  async function find(path: string, readAsset: ReadAsset): Promise<Sheet | null> {
    const known = sheets.get(path);
    if (known) return known;
    const css = await readAsset(path).catch(() => null);
    // A sheet that could end its own element is not one of ours.
    if (!css || /<\/style/i.test(css)) return null;
    const sheet = { parsed: parseSheet(css), styles: new Map() };
    sheets.set(path, sheet);
    return sheet;
  }

  return async function withStylesInside(html: string, readAsset: ReadAsset): Promise<StyledPage> {
    const paths = [...html.matchAll(STYLE_LINK)].map(([, path]) => path ?? "");
    const found = new Map<string, Style>();
    for (const path of paths) {
      const sheet = await find(path, readAsset);
      if (sheet) found.set(path, styleFor(sheet, html));
    }
    return {
      html: html.replace(STYLE_LINK, (link, path: string) => {
        const style = found.get(path);
        return style ? `<style>${style.css}</style>` : link;
      }),
      styleHashes: [...found.values()].map(({ hash }) => hash),
    };
  };
}

function styleFor({ parsed, styles }: Sheet, html: string): Style {
  const used = usedMarks(parsed, html);
  const key = [...used].sort().join(" ");
  const known = styles.get(key);
  if (known) return known;
  const css = trimSheet(parsed, used);
  const style = { css, hash: `'sha256-${createHash("sha256").update(css).digest("base64")}'` };
  if (styles.size >= STYLES_KEPT) styles.clear();
  styles.set(key, style);
  return style;
}

/** A file of the build as text; null when there is none. */
export type ReadAsset = (path: string) => Promise<string | null>;

/** The sheets of this isolate. */
export const withStylesInside = createStyleInliner();
