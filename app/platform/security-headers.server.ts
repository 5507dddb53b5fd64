import { rulesFor } from "~/lib/areas";

/** While developing, pages hear over this socket that there is a new build. */
const RELOAD_SOCKET = process.env.NODE_ENV === "development" ? " ws://localhost:3001" : "";

const TURNSTILE = "https://challenges.cloudflare.com";

/** `botCheck`: whether Turnstile is configured, whose script and frame the contact form then needs. */
type Page = { url: URL; nonce: string; botCheck?: boolean };

type Sources = { script: string; style: string; frame?: string };

const contentSecurityPolicy = ({ script, style, frame }: Sources): string =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    ...(frame ? [`frame-src ${frame}`] : []),
    `style-src ${style}`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${RELOAD_SOCKET}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "report-uri /csp-report",
    "report-to csp",
  ].join("; ");

/**
 * For pages without the framework's scripts that carry their style sheets inside: these are named by their hashes, and
 * nothing else may be inline. Such a page can be the same for everyone and be kept, because it needs no nonce.
 */
export function staticPolicy({ url, botCheck, styleHashes }: Omit<Page, "nonce"> & { styleHashes: string[] }): string {
  return withBotCheck({ script: "'self'", style: ["'self'", ...styleHashes].join(" ") }, { url, botCheck });
}

/** For every other page: what is inline carries the nonce of this one response. */
function noncePolicy({ url, nonce, botCheck }: Page): string {
  const source = `'self' 'nonce-${nonce}'`;
  return withBotCheck({ script: source, style: source }, { url, botCheck });
}

function withBotCheck({ script, style }: Sources, { url, botCheck }: Omit<Page, "nonce">): string {
  if (!botCheck || !rulesFor(url.pathname).hasBotCheck) return contentSecurityPolicy({ script, style });
  return contentSecurityPolicy({ script: `${script} ${TURNSTILE}`, style, frame: TURNSTILE });
}

/**
 * Sets the headers of every answer the worker gives: pages, redirects, refusals, downloads. What a route has set
 * itself (a download's own sandbox policy, a cache rule) is kept.
 */
export function secured(response: Response, page: Page): Response {
  // An accepted socket is handed over as it is.
  if (response.status === 101) return response;
  const answer = new Response(response.body, response);
  const headers = answer.headers;
  const setDefault = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  setDefault("Content-Security-Policy", noncePolicy(page));
  setDefault("Cache-Control", "private, no-store");
  headers.set("Reporting-Endpoints", 'csp="/csp-report"');
  if (page.url.protocol === "https:") {
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set(
    "Referrer-Policy",
    rulesFor(page.url.pathname).hasSecretAddresses ? "same-origin" : "strict-origin-when-cross-origin",
  );
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  headers.set("X-Frame-Options", "DENY");
  return answer;
}
