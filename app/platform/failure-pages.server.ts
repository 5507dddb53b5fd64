import { isStaffRole, isVerifiedStaff } from "~/access/model";
import { ADMIN_HOME_PATH, CONTACT_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { brandColors, DEFAULT_COLORS } from "~/lib/brand-colors";
import { ERROR_TEXTS, type ErrorStatus, type ErrorText, isErrorText } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import { escapeHtml } from "~/lib/text";
import type { Theme } from "~/lib/theme";
import type { Ctx } from "./context.server";
import { FLASH_COOKIE, type FlashMessage, flashValue } from "./flash.server";
import { isHashQueueFull } from "./hash-queue.server";

/** Matches what D1 and R2 say when they do not work; R2 names the operation first and its code at the end. */
const DOWN =
  /D1_ERROR|D1_EXEC_ERROR|D1 DB|Network connection lost|overloaded|R2Error|internal error; reference|\b(?:get|put|head|list|delete): .*\(100\d\d\)/i;

/** 503 where a retry may help: a dependency is down, the database not migrated, the hash queue full. */
export function classifyFailure(error: unknown): { status: 500 | 503; retryAfterSeconds?: number; text?: string } {
  const text = describe(error);
  if (isHashQueueFull(error)) return { status: 503, retryAfterSeconds: 2 };
  if (/no such table|no such column|has no column named/.test(text)) {
    return {
      status: 503,
      retryAfterSeconds: 60,
      text: "Database update needed: run “npm run deploy” (or “npm start” on your own computer).",
    };
  }
  if (DOWN.test(text)) return { status: 503, retryAfterSeconds: 5 };
  return { status: 500 };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.name} ${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
}

/** Passed in, because this folder may not import the content. */
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

/** Needs no loader, no database and no style sheet of the build, so that it works when nothing else does. */
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

export const plainFailure = (
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

type Render = (request: Request, ctx: Ctx) => Promise<Response>;

/**
 * Renders a 403 or 404 without a page (a missing file, a denied area) as the unknown address of the area the person
 * may open: the admin area for its staff, else the portal. Null: there is none, or it fails.
 */
export async function errorInLayout(
  ctx: Ctx,
  { response, text = null }: { response: Response; text?: ErrorText | null },
  render: Render,
): Promise<Response | null> {
  const { signedIn, request } = ctx;
  const { status } = response;
  if (status === 429 && signedIn) return limitedPage(ctx, response, render);
  const { area } = rulesFor(request.url.pathname);
  if (!signedIn || (area !== "admin" && area !== "portal") || (status !== 403 && status !== 404)) return null;
  const opensAdmin = isStaffRole(signedIn.role) && isVerifiedStaff(signedIn);
  const home = opensAdmin && area === "admin" ? ADMIN_HOME_PATH : PORTAL_HOME_PATH;
  const page = new Request(new URL(`${home}/-`, request.url));
  const reportFailure = (error: unknown) =>
    ctx.log("error", { event: "error_in_layout_failed", request_id: request.id, error: describeError(error) });
  try {
    const rendered = await render(page, { ...ctx, reportFailure, unknownAddress: { status, text } });
    return rendered.status === status && rendered.body ? rendered : null;
  } catch (error) {
    reportFailure(error);
    return null;
  }
}

/** Names the headers in which a rejected file tells the worker which page it shows instead, and with which message. */
const PAGE_HEADER = "X-Page";
const MESSAGE_HEADER = "X-Message";

export const pageHeaders = ({ to, flash }: { to: string; flash: FlashMessage }) => ({
  [PAGE_HEADER]: to,
  [MESSAGE_HEADER]: encodeURIComponent(JSON.stringify(flash)),
});

/** Renders the page that offers a file which somebody asks for too often, with its message, as 429. */
async function limitedPage(ctx: Ctx, response: Response, render: Render): Promise<Response | null> {
  const [to, message] = [PAGE_HEADER, MESSAGE_HEADER].map((name) => response.headers.get(name));
  if (!to || !message) return null;
  const url = new URL(to, ctx.request.url);
  const flash = JSON.parse(decodeURIComponent(message)) as FlashMessage;
  const cookies = new Map([...ctx.request.cookies, [FLASH_COOKIE, flashValue(ctx, flash)]]);
  const page = await render(new Request(url), { ...ctx, request: { ...ctx.request, url, cookies } });
  if (page.status !== 200) return null;
  const shown = new Response(page.body, { status: 429, headers: page.headers });
  shown.headers.set("Retry-After", response.headers.get("Retry-After") ?? "");
  return shown;
}

export async function textWithoutPage(response: Response, url: URL): Promise<ErrorText | null> {
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  if (response.status < 400 || url.searchParams.has("_data") || !isJson) return null;
  const body = await response.clone().json();
  return isErrorText(body) ? body : null;
}
