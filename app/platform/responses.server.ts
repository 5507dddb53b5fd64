import { json, redirect, type TypedResponse } from "@remix-run/cloudflare";
import type { FieldErrors, FormValues } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { type FlashMessage, setFlash } from "./flash.server";

/** The value, or the one 404 that missing and foreign objects share. */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Response(null, { status: 404 });
  return value;
}

/** What a page gets back when its form was refused. */
export type Refusal = { title: string; errors: FieldErrors; values: FormValues };

/** The same page again with what was typed and why it was refused. */
export const invalid = (refusal: Refusal, status = 400) => json(refusal, { status });

/** After a success: to a page that shows what was done. */
export function redirectWithFlash(ctx: Ctx, location: string, flash: FlashMessage): TypedResponse<never> {
  setFlash(ctx, flash);
  return redirect(location, 303);
}

/** Whole minutes until an instant, for "Try again in N minutes.", at least 1. */
export const minutesUntil = (at: Instant, now: Instant): number => Math.max(1, Math.ceil((at - now) / 60_000));

/** `Retry-After` in seconds. */
export const retryAfter = (at: Instant, now: Instant): string => String(Math.max(1, Math.ceil((at - now) / 1000)));
