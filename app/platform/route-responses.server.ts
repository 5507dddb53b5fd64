import { redirect, type TypedResponse } from "@remix-run/cloudflare";
import type { Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { type FlashMessage, setFlash } from "./flash.server";

/**
 * Returns the value. Throws a 404 response if there is none: missing objects and those of other people look the same.
 */
export function orNotFound<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Response(null, { status: 404 });
  return value;
}

/** Redirects to another page, with a one-time message. */
export function redirectWithFlash(
  ctx: Pick<Ctx, "config" | "now" | "setCookie">,
  location: string,
  flash: FlashMessage,
): TypedResponse<never> {
  setFlash(ctx, flash);
  return redirect(location, 303);
}

/** Returns the value of `Retry-After`, in whole seconds, at least 1. */
export const retryAfter = (at: Instant, now: Instant): string => String(Math.max(1, Math.ceil((at - now) / 1000)));
