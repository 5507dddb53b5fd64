export type FailureStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 429 | 500 | 503;

/** Title and what to do about it, in words for the person who met it. */
const TEXTS: Record<FailureStatus, { title: string; text: string }> = {
  400: {
    title: "That could not be read",
    text: "Your browser sent something we did not understand. Go back and try again.",
  },
  401: { title: "Please sign in", text: "Your session has ended. Sign in and try again." },
  403: {
    title: "That request was not accepted",
    text: "It did not come from a page of this site. Go back to the page and send the form again.",
  },
  404: { title: "Page Not Found", text: "There's nothing at this address. It may have moved." },
  405: { title: "That does not work here", text: "This address does not take that kind of request." },
  409: {
    title: "This changed while you were working",
    text: "Go back, reload the page, and look at the current state.",
  },
  413: {
    title: "That is too large",
    text: "What you sent is larger than this page accepts. Files may have up to 5 MB.",
  },
  415: { title: "That kind of content is not accepted", text: "Send the form from its own page." },
  421: { title: "Wrong address", text: "This server does not answer for the name you used." },
  429: { title: "Too many attempts", text: "Wait a little, then try again." },
  500: {
    title: "Something went wrong on our side",
    text: "Your work may not have been saved. Try again, or call us and give the reference below.",
  },
  503: {
    title: "We can't do that right now",
    text: "A part of the service is not answering. Nothing was saved. Try again in a minute.",
  },
};

/** What the page says about the provider; passed in, because this folder knows no content. */
export type SiteFacts = { name: string; phone: { display: string; href: string } };

type Failure = {
  site: SiteFacts;
  status: FailureStatus;
  requestId: string;
  nonce: string;
  title?: string;
  text?: string;
  headers?: Record<string, string>;
};

/**
 * A page that needs nothing: no loader, no database, no stylesheet of the build. It stands for every refusal and
 * outage, so it must work when everything else does not.
 */
export function failurePage({ site, status, requestId, nonce, title, text, headers }: Failure): Response {
  const words = TEXTS[status];
  const { display, href } = site.phone;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="color-scheme" content="light dark">
<title>${escape(title ?? words.title)} | ${escape(site.name)}</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><p class="brand"><svg viewBox="0 0 34 24" aria-hidden="true"><path d="M2.5 9 8 19.5 16 5"/><path class="second" d="M15.2 12.5 19 19.5 31.5 2"/></svg>${escape(site.name)}</p>
<h1>${escape(title ?? words.title)}</h1><p>${escape(text ?? words.text)}</p>
<p class="ways"><a href="/">Return to Home</a> <a href="/contact">Contact</a> <a href="${href}">${escape(display)}</a></p>
<p class="reference">Reference <code>${escape(requestId)}</code></p></main></body></html>`;
  return new Response(html, {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

const STYLE = `
:root{color-scheme:light dark;--page:#f1f6f7;--sheet:#fff;--ink:#041a21;--muted:#3e4d51;--line:#c3cdcf;--brand:#0f5a66;--focus:#2669cd}
@media (prefers-color-scheme:dark){:root{--page:#091518;--sheet:#111f23;--ink:#eaf2f3;--muted:#b9c5c7;--line:#405055;--brand:#96d0d7;--focus:#f4de61}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--page);color:var(--ink);font:400 1.0625rem/1.55 "Schibsted Grotesk",Arial,sans-serif}
main{width:min(100%,34rem);display:grid;gap:1rem;background:var(--sheet);border:1px solid var(--line);border-top:2px solid var(--ink);border-radius:0 0 6px 6px;padding:1.75rem}
.brand{display:flex;gap:.7rem;align-items:center;font-weight:700;font-size:1.125rem}
.brand svg{width:2.125rem;height:1.5rem;fill:none;stroke:var(--ink);stroke-width:4.6}.brand .second{stroke:var(--brand)}
h1{font-size:1.75rem;line-height:1.15}p{overflow-wrap:anywhere}
a{color:var(--brand);text-underline-offset:.2em}:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.ways{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem}.reference{color:var(--muted);font-size:.9375rem}`;
