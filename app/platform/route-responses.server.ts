import { redirect, redirectDocument, type TypedResponse } from "@remix-run/cloudflare";
import { isId } from "~/lib/ids";
import { locationOf } from "~/lib/safe-path";
import type { Instant } from "~/lib/time";

/**
 * Returns the value. Throws a 404 response if there is none: missing objects and those of other people look the same.
 */
export function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Response(null, { status: 404 });
  return value;
}

/**
 * Returns the id in an address. Throws a 404 response if it has not the form of one: it is checked before anything
 * reads it, writes it or puts it into another address.
 */
export function idParam(prefix: string, value: string | undefined): string {
  if (!value || !isId(prefix, value)) throw new Response(null, { status: 404 });
  return value;
}

type RedirectOptions = {
  status?: 302 | 303 | 307;
  headers?: Headers;
  /** Tells whether the page is outside the area of this one, so the browser must load it as a new document. */
  newDocument?: boolean;
};

/** Redirects within this site: the only place where a `Location` is made. */
export const redirectWithin = (
  path: string,
  { status = 303, headers, newDocument = false }: RedirectOptions = {},
): TypedResponse<never> => (newDocument ? redirectDocument : redirect)(locationOf(path), { status, headers });

/** Returns status and headers of a page that somebody may load again at a time; null: it is as it should be. */
export const retryInit = (at: Instant | null, now: Instant): ResponseInit =>
  at === null ? {} : { status: 429, headers: { "Retry-After": retryAfter(at, now) } };

/** Returns the `Retry-After` of the first response that has one, for the headers of a document. */
export function retryHeadersOf(...sources: Headers[]): Record<string, string> {
  const value = sources.map((headers) => headers.get("Retry-After")).find(Boolean);
  return value ? { "Retry-After": value } : {};
}

/** Returns the value of `Retry-After`, in whole seconds, at least 1. */
export const retryAfter = (at: Instant, now: Instant): string => String(Math.max(1, Math.ceil((at - now) / 1000)));
