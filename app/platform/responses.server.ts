import { redirect, redirectDocument, type TypedResponse } from "@remix-run/cloudflare";
import { ERROR_TEXTS, type ErrorText, PAGE_TOO_OLD } from "~/lib/error-texts";
import { isId } from "~/lib/ids";
import { locationOf } from "~/lib/safe-path";
import { NEXT_PAGE_HEADER, SCRIPTED_POST_HEADER } from "~/lib/scripted-post";
import type { Instant } from "~/lib/time";
import type { SentFile } from "./files.server";
import type { FlashMessage } from "./flash.server";

type Done = {
  outcome: "done";
  to: string;
  flash?: FlashMessage;
  unchanged?: true;
  newDocument?: boolean;
  clearSiteData?: string;
};

type Forwarded = { outcome: "forwarded"; to: string };

type WithPage<Body> =
  | { outcome: "page"; body: Body; status?: 403 | 404 }
  | { outcome: "invalid"; body: Body }
  | { outcome: "conflict"; body: Body }
  | { outcome: "rate_limited"; body: Body; retryAt: Instant }
  | { outcome: "unavailable"; body: Body; retryAt: Instant };

type WithoutPage = { outcome: "denied" | "not_found" } | { outcome: "bad_request"; text: ErrorText };

export type Download = {
  outcome: "download";
  fileName: string;
  /** Without one, nobody has scanned the file: browsers never show or run it. */
  contentType?: string;
  isInline?: boolean;
  size?: number;
  content: string | ReadableStream<Uint8Array>;
  status?: SentFile["status"];
  headers?: SentFile["headers"];
};

/** The page that offers the file, `to`, is shown with a message, as 429. */
type FileLimited = { outcome: "file_limited"; to: string; flash: FlashMessage; retryAt: Instant };

export type ActionResult<Body> = Done | Forwarded | WithPage<Body> | WithoutPage | Download | FileLimited;

export const done = (result: Omit<Done, "outcome">): Done => ({ outcome: "done", ...result });

/** Sends the form on to another page, which gets the same fields, as 307. */
export const forwarded = (to: string): Forwarded => ({ outcome: "forwarded", to });

/** `status`: the page itself says why what was asked for is not there, or not for this person. */
export const page = <Body>(body: Body, status?: 403 | 404): ActionResult<Body> => ({ outcome: "page", body, status });

export const invalid = <Body>(body: Body): ActionResult<Body> => ({ outcome: "invalid", body });

export const conflict = <Body>(body: Body): ActionResult<Body> => ({ outcome: "conflict", body });

export const rateLimited = <Body>(retryAt: Instant, body: Body): ActionResult<Body> => ({
  outcome: "rate_limited",
  body,
  retryAt,
});

export const unavailable = <Body>(retryAt: Instant, body: Body): ActionResult<Body> => ({
  outcome: "unavailable",
  body,
  retryAt,
});

export const denied = (): WithoutPage => ({ outcome: "denied" });

export const notFound = (): WithoutPage => ({ outcome: "not_found" });

/** Shows the error page of a form that none of our pages sends, or of one that is too old to be taken, as 400. */
export const badRequest = (problem?: { code: "token" | "fields" }): WithoutPage => ({
  outcome: "bad_request",
  text: problem?.code === "token" ? PAGE_TOO_OLD : ERROR_TEXTS[400],
});

export const download = (file: Omit<Download, "outcome">): Download => ({ outcome: "download", ...file });

export const fileLimited = (limited: Omit<FileLimited, "outcome">): FileLimited => ({
  outcome: "file_limited",
  ...limited,
});

/** Tells whether the page is shown because its form was rejected, and not because of its next step. */
export const wasRejected = ({ outcome, ...result }: ActionResult<unknown>): boolean =>
  outcome !== "page" && "body" in result;

export const mapBody = <From, To>(result: ActionResult<From>, map: (body: From) => To): ActionResult<To> =>
  "body" in result ? { ...result, body: map(result.body) } : result;

/** Throws a 404 response if there is none: missing objects and those of other people look the same. */
export function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Response(null, { status: 404 });
  return value;
}

/** Checked before anything reads it, writes it or puts it into another address. */
export function idParam(prefix: string, value: string | undefined, ...others: string[]): string {
  if (!value || ![prefix, ...others].some((each) => isId(each, value))) throw new Response(null, { status: 404 });
  return value;
}

/** The number or the id of a ticket. */
export const ticketParam = (value: string | undefined): string => (value ?? "").slice(0, 80);

type RedirectOptions = {
  status?: 302 | 303 | 307;
  headers?: Headers;
  newDocument?: boolean;
};

/** Redirects within this site: the only place where a `Location` is made. */
export const redirectWithin = (
  path: string,
  { status = 303, headers, newDocument = false }: RedirectOptions = {},
): TypedResponse<never> => (newDocument ? redirectDocument : redirect)(locationOf(path), { status, headers });

export const retryInit = (at: Instant | null, now: Instant): ResponseInit =>
  at === null ? {} : { status: 429, headers: { "Retry-After": retryAfter(at, now) } };

/** Returns the value of `Retry-After`, in whole seconds, at least 1. */
export const retryAfter = (at: Instant, now: Instant): string => String(Math.max(1, Math.ceil((at - now) / 1000)));

/** A redirect that repeats the post (307) stays one: the script then leaves the form to the browser. */
export function readableByScript(request: Request, response: Response): Response {
  const location = response.headers.get("Location");
  const isRedirect = response.status === 302 || response.status === 303;
  if (!isRedirect || !location || !request.headers.has(SCRIPTED_POST_HEADER)) return response;
  const headers = new Headers(response.headers);
  headers.delete("Location");
  headers.set(NEXT_PAGE_HEADER, location);
  return new Response(null, { status: 204, headers });
}

/** Answers what is asked for at an address that only takes forms. */
export const onlyPosts = (): Response => new Response(null, { status: 405, headers: { Allow: "POST" } });
