import { seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

/** `off`: no keys configured. `absent`: no token came, as from a browser without JavaScript. */
export type TurnstileVerdict = "off" | "passed" | "failed" | "absent" | "unreachable";

/** Asks Turnstile whether the token of the contact form is genuine. Never throws. */
export async function verifyTurnstile(
  ctx: Ctx,
  token: string | undefined,
  idempotencyKey: string,
): Promise<TurnstileVerdict> {
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
    const answer = (await response.json()) as { success?: boolean; hostname?: string; action?: string };
    const ours = answer.hostname === new URL(APP_ORIGIN).hostname && answer.action === "contactSubmit";
    return answer.success === true && ours ? "passed" : "failed";
  } catch {
    return "unreachable";
  }
}

/** Turnstile takes its idempotency key as a UUID only; the same post must give the same one. */
async function asUuid(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const hex = [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
