import { rulesFor } from "~/lib/areas";

const RELOAD_SOCKET = process.env.NODE_ENV === "development" ? " ws://localhost:3001" : "";

const TURNSTILE = "https://challenges.cloudflare.com";

type Page = {
  url: URL;
  nonce: string;
  botCheck?: boolean;
};

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

/** Hashes of the style sheets instead of a nonce, so that such a page can be cached for everyone. */
export function staticPolicy({ url, botCheck, styleHashes }: Omit<Page, "nonce"> & { styleHashes: string[] }): string {
  return withBotCheck({ script: "'self'", style: ["'self'", ...styleHashes].join(" ") }, { url, botCheck });
}

function noncePolicy({ url, nonce, botCheck }: Page): string {
  const source = `'self' 'nonce-${nonce}'`;
  return withBotCheck({ script: source, style: source }, { url, botCheck });
}

function withBotCheck({ script, style }: Sources, { url, botCheck }: Omit<Page, "nonce">): string {
  if (!botCheck || !rulesFor(url.pathname).hasBotCheck) return contentSecurityPolicy({ script, style });
  return contentSecurityPolicy({ script: `${script} ${TURNSTILE}`, style, frame: TURNSTILE });
}

/** A policy or cache rule that the route has set itself is retained. */
export function withSecurityHeaders(response: Response, page: Page): Response {
  // The response to a WebSocket upgrade cannot be copied.
  if (response.status === 101) return response;
  const own = withOwnHeaders(response);
  const headers = own.headers;
  const setDefault = (name: string, value: string) => {
    if (!headers.has(name)) headers.set(name, value);
  };
  setDefault("Content-Security-Policy", noncePolicy(page));
  setDefault("Cache-Control", "private, no-store");
  headers.set("Reporting-Endpoints", 'csp="/csp-report"');
  if (page.url.protocol === "https:") {
    headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
  headers.set(
    "Referrer-Policy",
    rulesFor(page.url.pathname).hasSecretAddresses ? "same-origin" : "strict-origin-when-cross-origin",
  );
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  setDefault("Cross-Origin-Resource-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  headers.set("X-Frame-Options", "DENY");
  return own;
}

/** Headers of a fetched response cannot be set. A copy turns the text of a page into a stream. */
function withOwnHeaders(response: Response): Response {
  try {
    response.headers.set("X-Content-Type-Options", "nosniff");
    return response;
  } catch {
    const copy = new Response(response.body, response);
    copy.headers.set("X-Content-Type-Options", "nosniff");
    return copy;
  }
}
