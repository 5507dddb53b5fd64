import { redirect, type TypedResponse } from "@remix-run/cloudflare";
import type { Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { type FlashMessage, setFlash } from "./flash.server";

/** The value, or the one 404 that missing and foreign objects share. */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Response(null, { status: 404 });
  return value;
}

/** After a success: to a page that shows what was done. */
export function redirectWithFlash(ctx: Ctx, location: string, flash: FlashMessage): TypedResponse<never> {
  setFlash(ctx, flash);
  return redirect(location, 303);
}

/** `Retry-After` in seconds. */
export const retryAfter = (at: Instant, now: Instant): string => String(Math.max(1, Math.ceil((at - now) / 1000)));
