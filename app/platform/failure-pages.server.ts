import { CONTACT_PATH } from "~/lib/addresses";
import { brandColors, DEFAULT_COLORS } from "~/lib/brand-colors";
import { ERROR_TEXTS, type ErrorStatus } from "~/lib/error-texts";
import { escapeHtml } from "~/lib/text";
import type { Theme } from "~/lib/theme";

/** Holds what the page shows about the company. Passed in, because this folder may not import the content. */
type FailurePageBrand = { name: string; phone: { display: string; href: string } | null; color: string };

type Failure = {
  site: FailurePageBrand;
  status: ErrorStatus;
  requestId: string;
  nonce: string;
  theme: Theme;
  title?: string;
  text?: string;
  headers?: Record<string, string>;
};

/**
 * Renders the page for an error or an outage. It needs no loader, no database and no style sheet of the build, so that
 * it works when nothing else does. `title` and `text` replace those of the status.
 */
export function failurePage({ site, status, requestId, nonce, theme, title, text, headers }: Failure): Response {
  const defaults = ERROR_TEXTS[status];
  const call = site.phone ? ` <a href="${escapeHtml(site.phone.href)}">${escapeHtml(site.phone.display)}</a>` : "";
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><link rel="icon" href="/favicon.svg" type="image/svg+xml"><meta name="color-scheme" content="${theme === "system" ? "light dark" : theme}">
<title>${escapeHtml(title ?? defaults.title)} | ${escapeHtml(site.name)}</title>
<style nonce="${nonce}">${colorsOf(theme, site.color)}${STYLE}</style></head>
<body><main><p class="brand"><svg viewBox="0 0 34 24" aria-hidden="true"><path d="M2.5 9 8 19.5 16 5"/><path class="second" d="M15.2 12.5 19 19.5 31.5 2"/></svg>${escapeHtml(site.name)}</p>
<h1>${escapeHtml(title ?? defaults.title)}</h1><p>${escapeHtml(text ?? defaults.text)}</p>
<p class="links"><a href="/">Return to Home</a> <a href="${CONTACT_PATH}">Contact</a>${call}</p>
<p class="reference">Reference <code>${escapeHtml(requestId)}</code></p></main></body></html>`;
  return new Response(html, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

/** Builds the answer to a page that asks for data, or sends a form: as if a route had thrown the words of the error. */
export const thrownWords = (
  status: ErrorStatus,
  { headers, ...words }: Pick<Failure, "title" | "text" | "headers">,
): Response =>
  Response.json(
    { ...ERROR_TEXTS[status], ...words },
    { status, headers: { "Cache-Control": "no-store", "X-Remix-Catch": "yes", ...headers } },
  );

const LIGHT =
  ":root{--page:#f1f6f7;--panel:#fff;--ink:#041a21;--muted:#3e4d51;--line:#c3cdcf;--brand:#0f5a66;--focus:#2669cd}";
const DARK =
  ":root{--page:#091518;--panel:#111f23;--ink:#eaf2f3;--muted:#b9c5c7;--line:#405055;--brand:#96d0d7;--focus:#f4de61}";

const COLORS: Record<Theme, string> = {
  system: `${LIGHT}@media (prefers-color-scheme:dark){${DARK}}`,
  light: LIGHT,
  dark: DARK,
};

/** Returns the colours of a theme, with those of the brand. */
function colorsOf(theme: Theme, color: string): string {
  const [own, { brand }] = [DEFAULT_COLORS.brand, brandColors(color)];
  return COLORS[theme].replaceAll(own.light, brand.light).replaceAll(own.dark, brand.dark);
}

const STYLE = `
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--ink);font:400 1.0625rem/1.55 "Schibsted Grotesk",Arial,sans-serif}
main{width:min(100%,34rem);display:grid;gap:1rem;background:var(--panel);border:1px solid var(--line);border-top:2px solid var(--ink);border-radius:0 0 6px 6px;padding:1.75rem}
.brand{display:flex;gap:.7rem;align-items:center;font-weight:700;font-size:1.125rem}
.brand svg{width:2.125rem;height:1.5rem;fill:none;stroke:var(--ink);stroke-width:4.6}.brand .second{stroke:var(--brand)}
h1{font-size:1.75rem;line-height:1.15}p{overflow-wrap:anywhere}
a{color:var(--brand);text-underline-offset:.2em}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.links{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}.reference{color:var(--muted);font-size:.9375rem}`;
