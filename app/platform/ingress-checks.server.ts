import { rulesFor } from "~/lib/areas";
import type { Config } from "./env.server";

/** A reason to turn a request away at the door, before any code of a feature has seen it. */
export type Refused = {
  status: 403 | 404 | 405 | 413 | 415 | 421;
  reason: string;
  /** Words and headers of the page, where those of the status do not fit. */
  page?: { title?: string; text?: string; headers?: Record<string, string> };
};

const FOREIGN = {
  title: "That request was not accepted",
  text: "It did not come from a page of this site. Go back to the page and send the form again.",
};

/** Only our own names are answered: a foreign Host could otherwise find its way into links and caches. */
function isKnownHost(url: URL, config: Config): boolean {
  const own = new URL(config.APP_ORIGIN);
  if (url.host === own.host) return true;
  if (config.APP_ENV === "production") return false;
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname) && (own.port === "" || url.port === own.port);
}

/**
 * Spellings that some part of the platform might read as another path than we do: encoded letters and slashes, doubled
 * slashes, path parameters. No link of ours looks like that, so they are simply not found.
 */
const isOddPath = (path: string) =>
  /\/\/|[\\;]|%(?:00|2[def]|3[0-9b]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae])/i.test(path);

/** A form of ours is never sent to another spelling of its address. */
const isMisspelledPost = ({ method }: Request, { pathname }: URL) =>
  method === "POST" && /^\/[^/]*[A-Z]|.\/$/.test(pathname);

const MUTATING = new Set(["POST"]);
const ALLOWED_METHODS = ["GET", "HEAD", "POST"];

/** Host, method, path, same-origin and content-type checks, in this order. Null: the request may come in. */
export function refuse(request: Request, config: Config): Refused | null {
  const url = new URL(request.url);
  if (!isKnownHost(url, config)) return { status: 421, reason: "unknown host" };
  if (!ALLOWED_METHODS.includes(request.method)) {
    return { status: 405, reason: "method", page: { headers: { Allow: ALLOWED_METHODS.join(", ") } } };
  }
  if (isOddPath(url.pathname) || isMisspelledPost(request, url)) return { status: 404, reason: "odd path" };
  if (!MUTATING.has(request.method)) return null;
  if (Number(request.headers.get("content-length") ?? 0) > rulesFor(url.pathname).bodyLimit) {
    return { status: 413, reason: "body too large" };
  }
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  // Browsers send reports about our own pages without the marks of a form post.
  if (url.pathname === "/csp-report") {
    return /^application\/(csp-report|reports\+json)$/.test(type) ? null : { status: 415, reason: "content type" };
  }
  if (!isSameOrigin(request, config)) return { status: 403, reason: "foreign origin", page: FOREIGN };
  if (type !== "application/x-www-form-urlencoded" && type !== "multipart/form-data") {
    return { status: 415, reason: "content type" };
  }
  return null;
}

/**
 * Whether a post comes from one of our own pages. `Sec-Fetch-Site` is asked first: with a strict referrer policy
 * browsers send `Origin: null` on same-origin posts. Older browsers and scripts must show our origin literally.
 */
function isSameOrigin(request: Request, config: Config): boolean {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  if (site) return site === "same-origin" || (site === "none" && (origin === null || origin === config.APP_ORIGIN));
  if (origin !== null && origin !== "null") return origin === config.APP_ORIGIN;
  try {
    return new URL(request.headers.get("referer") ?? "").origin === config.APP_ORIGIN;
  } catch {
    return false;
  }
}

/**
 * The one spelling of an address, when it was asked for in another one: a slash at the end, capitals in its first part.
 * The router takes both for the same page, rules that go by the path would not. Null: it is spelled well.
 */
export function canonicalAddress(request: Request): string | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { pathname, search } = new URL(request.url);
  const [, first = "", ...rest] = pathname.split("/");
  const tidy = `/${[first.toLowerCase(), ...rest].join("/")}`.replace(/(.)\/$/, "$1");
  return tidy === pathname ? null : tidy + search;
}

/** Headers by which a client could pretend to be somewhere or someone else; nobody behind the door sees them. */
const UNTRUSTED = /^(x-forwarded-|x-live-|x-real-ip$|forwarded$)/i;

export type Admitted = { request: Request; bodyTooLarge: () => boolean };

/**
 * The request as the rest of the worker sees it: untrusted headers gone, HEAD turned into GET, and a body that breaks
 * off as soon as it grows past its cap, whatever its length header claimed.
 */
export function admit(request: Request): Admitted {
  const headers = new Headers();
  for (const [name, value] of request.headers) if (!UNTRUSTED.test(name)) headers.append(name, value);
  if (!MUTATING.has(request.method) || !request.body) {
    return { request: new Request(request.url, { method: "GET", headers }), bodyTooLarge: () => false };
  }
  // The framework has an origin check of its own, which takes the `Origin: null` of a strict page for an attack. Ours has
  // decided, so it gets nothing to compare.
  headers.delete("origin");
  const { bodyLimit } = rulesFor(new URL(request.url).pathname);
  let received = 0;
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        if (received > bodyLimit) controller.error(new Error("The body is larger than this address accepts"));
        else controller.enqueue(chunk);
      },
    }),
  );
  return {
    request: new Request(request.url, { method: request.method, headers, body }),
    bodyTooLarge: () => received > bodyLimit,
  };
}
