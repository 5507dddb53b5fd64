import { seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

/** `off`: not configured. `absent`: no token, as from a browser without JavaScript. */
type TurnstileResult = "off" | "passed" | "failed" | "absent" | "unreachable";

export async function verifyTurnstile(
  ctx: Pick<Ctx, "config" | "request">,
  token: string | undefined,
  idempotencyKey: string,
): Promise<TurnstileResult> {
  const { TURNSTILE_SITE_KEY, TURNSTILE_SECRET, TURNSTILE_VERIFY_URL, APP_ORIGIN } = ctx.config;
  if (!TURNSTILE_SITE_KEY || !TURNSTILE_SECRET) return "off";
  if (!token) return "absent";
  try {
    const response = await fetch(TURNSTILE_VERIFY_URL, {
      method: "POST",
      body: new URLSearchParams({
        secret: TURNSTILE_SECRET,
        response: token,
        remoteip: ctx.request.ip,
        idempotency_key: await asUuid(idempotencyKey),
      }),
      redirect: "manual",
      signal: AbortSignal.timeout(seconds(3)),
    });
    if (!response.ok) return "unreachable";
    const result = (await response.json()) as { success?: boolean; hostname?: string; action?: string };
    const isOurs = result.hostname === new URL(APP_ORIGIN).hostname && result.action === "contactSubmit";
    return result.success === true && isOurs ? "passed" : "failed";
  } catch {
    return "unreachable";
  }
}

/**
 * Derives a UUID from a text: Turnstile accepts only UUIDs as idempotency keys, and a repeated post needs the same one.
 */
async function asUuid(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hex = [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
