import { rulesFor } from "~/lib/areas";
import { sessionIdOf } from "./cookies.server";
import { hashToken } from "./crypto.server";
import { type Bindings, type Config, isDeployed } from "./env.server";
import { clientIp, networkOf, parseCookies } from "./request-headers.server";

type Rejection = {
  status: 403 | 404 | 405 | 413 | 415 | 421;
  reason: string;
  page?: { title?: string; text?: string; headers?: Record<string, string> };
};

const FOREIGN_ORIGIN_PAGE = {
  title: "That request was not accepted",
  text: "It did not come from a page of this site. Go back to the page and send the form again.",
};

/** Any other host could get into links and caches. */
function isOwnHost(url: URL, config: Config): boolean {
  const own = new URL(config.APP_ORIGIN);
  if (url.host === own.host) return true;
  if (isDeployed(config)) return false;
  return ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname) && (own.port === "" || url.port === own.port);
}

/**
 * Encoded letters and slashes, double slashes, path parameters, control characters, bytes that are no text: some part
 * of the platform might read them differently. No link of ours looks like that.
 */
const isAmbiguousPath = (path: string) =>
  /\/\/|[\\;]|%(?:2[def]|3[0-9b]|4[1-9a-f]|5[0-9acf]|6[1-9a-f]|7[0-9ae])/i.test(path) || !isPlainText(path);

function isPlainText(path: string): boolean {
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** Our forms never are, and a redirect would lose it. */
const isNonCanonicalPost = ({ method }: Request, { pathname }: URL) =>
  method === "POST" && /^\/[^/]*[A-Z]|.\/$/.test(pathname);

/** In bytes: several of the longest texts of our forms, with up to nine bytes a letter. Held as a whole. */
const TEXT_BODY_LIMIT = 1024 * 1024;

function bodyLimitOf(request: Request): number {
  const { bodyLimit } = rulesFor(new URL(request.url).pathname);
  return contentTypeOf(request).type === "multipart/form-data" ? bodyLimit : Math.min(bodyLimit, TEXT_BODY_LIMIT);
}

const MUTATING = new Set(["POST"]);
const ALLOWED_METHODS = ["GET", "HEAD", "POST"];

export function checkRequest(request: Request, config: Config): Rejection | null {
  const url = new URL(request.url);
  if (!isOwnHost(url, config)) return { status: 421, reason: "unknown host" };
  if (!ALLOWED_METHODS.includes(request.method)) {
    return { status: 405, reason: "method", page: { headers: { Allow: ALLOWED_METHODS.join(", ") } } };
  }
  if (isAmbiguousPath(url.pathname) || isNonCanonicalPost(request, url)) return { status: 404, reason: "path" };
  if (!MUTATING.has(request.method)) return null;
  if (Number(request.headers.get("content-length") ?? 0) > bodyLimitOf(request)) {
    return { status: 413, reason: "body too large" };
  }
  const { type, hasBoundary } = contentTypeOf(request);
  // Browsers send reports about our own pages without the headers of a form post.
  if (url.pathname === "/csp-report") {
    return /^application\/(csp-report|reports\+json)$/.test(type) ? null : { status: 415, reason: "content type" };
  }
  if (!rulesFor(url.pathname).takesForeignPosts && !isSameOrigin(request, config))
    return { status: 403, reason: "foreign origin", page: FOREIGN_ORIGIN_PAGE };
  const isForm = type === "application/x-www-form-urlencoded" || (type === "multipart/form-data" && hasBoundary);
  return isForm ? null : { status: 415, reason: "content type" };
}

/** Reads the type of a body, and whether it names the line between its parts, without which nobody can read them. */
function contentTypeOf(request: Request): { type: string; hasBoundary: boolean } {
  const [type = "", ...parameters] = (request.headers.get("content-type") ?? "").split(";");
  const hasBoundary = parameters.some((parameter) => /^\s*boundary=("[^"]{1,70}"|[^"\s]{1,70})\s*$/i.test(parameter));
  return { type: type.trim().toLowerCase(), hasBoundary };
}

/** `Sec-Fetch-Site` first: with a strict referrer policy browsers send `Origin: null` on same-origin posts. */
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

/** The router shows the same page for both, but rules by path would not match. Null: it is canonical. */
export function canonicalAddress(request: Request): string | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const { pathname, search } = new URL(request.url);
  const [, first = "", ...rest] = pathname.split("/");
  const canonical = `/${[first.toLowerCase(), ...rest].join("/")}`.replace(/(.)\/$/, "$1");
  return canonical === pathname ? null : canonical + search;
}

const UNTRUSTED_HEADERS = /^(x-forwarded-|x-live-|x-real-ip$|forwarded$)/i;

/** The body ends with an error as soon as it is larger than its limit, whatever the length header says. */
export function sanitizeRequest(request: Request): { request: Request; bodyTooLarge: () => boolean } {
  const headers = new Headers();
  for (const [name, value] of request.headers) if (!UNTRUSTED_HEADERS.test(name)) headers.append(name, value);
  if (!MUTATING.has(request.method) || !request.body) {
    return { request: new Request(request.url, { method: "GET", headers }), bodyTooLarge: () => false };
  }
  // The framework has an origin check of its own, which rejects the `Origin: null` of a page with a strict referrer
  // policy. `isSameOrigin` has already checked it, so the header is removed.
  headers.delete("origin");
  const bodyLimit = bodyLimitOf(request);
  let received = 0;
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        received += chunk.byteLength;
        if (received > bodyLimit) controller.error(new Error("The body is larger than this address allows"));
        else controller.enqueue(chunk);
      },
    }),
  );
  return {
    request: new Request(request.url, { method: request.method, headers, body }),
    bodyTooLarge: () => received > bodyLimit,
  };
}

const sessionOf = (request: Request) =>
  sessionIdOf({ request: { cookies: parseCookies(request.headers.get("cookie") ?? "") } });

/** A person has one or two posts under way. A program with more would keep the others of the isolate waiting. */
const POSTS_AT_ONCE = 6;
/** In milliseconds. A request that is cut off never ends for its isolate, so a post is no longer counted after this. */
const LONGEST_POST = 10_000;

const postsUnderWay = new Map<string, Set<{ since: number }>>();

/** Counts a post of a session until what is returned is called. Null: it has too many under way. */
export function beginPost(request: Request, now: number): (() => void) | null {
  const session = request.method === "POST" ? sessionOf(request) : null;
  if (!session) return () => {};
  const own = postsUnderWay.get(session) ?? new Set();
  for (const post of own) if (post.since <= now - LONGEST_POST) own.delete(post);
  if (own.size >= POSTS_AT_ONCE) return null;
  const post = { since: now };
  postsUnderWay.set(session, own.add(post));
  return () => {
    own.delete(post);
    if (own.size === 0 && postsUnderWay.get(session) === own) postsUnderWay.delete(session);
  };
}

/**
 * Counts per location and roughly: the exact limits are in D1. An office shares one address, so each session has a
 * limit of its own and the address one for all. Who invents cookies meets that of the address. What is refused to a
 * session does not count for the address, or one page could shut out everybody beside it.
 */
export async function isFlooding(
  request: Request,
  { RL_SESSION, RL_ADDRESS }: Pick<Bindings, "RL_SESSION" | "RL_ADDRESS">,
  config: Pick<Config, "APP_ENV">,
): Promise<boolean> {
  if (!isDeployed(config) || request.method !== "POST") return false;
  const sessionId = sessionOf(request);
  const isOver = async (limit: RateLimit | undefined, key: string) => limit && !(await limit.limit({ key })).success;
  if (sessionId && (await isOver(RL_SESSION, hashToken(sessionId)))) return true;
  return (await isOver(RL_ADDRESS, networkOf(clientIp(request)))) ?? false;
}
