import { createHash } from "node:crypto";
import { describeError } from "~/lib/describe-error";
import type { Duration } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

const TIMEOUT: Duration = 800;

/**
 * Tells whether a password is known from data breaches, if the deployment turns this on (`PWNED_CHECK=1`). Only the
 * first five characters of its SHA-1 are sent (Have I Been Pwned, range search); the response lists all hashes that
 * begin with them and is padded, so that its length reveals nothing. If the service is slow or unavailable, the
 * password is accepted: the built-in list has been checked before.
 */
export async function isBreached(ctx: Pick<Ctx, "config" | "request" | "log">, password: string): Promise<boolean> {
  const { PWNED_CHECK, PWNED_API_URL } = ctx.config;
  if (PWNED_CHECK !== "1") return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(PWNED_API_URL + hash.slice(0, 5), {
      headers: { "Add-Padding": "true", "User-Agent": "wrenfield" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) throw new Error(`The service responded with ${response.status}`);
    const lines = (await response.text()).split(/\r?\n/);
    // Padding entries have a count of 0.
    return lines.some((line) => line.startsWith(`${hash.slice(5)}:`) && !line.endsWith(":0"));
  } catch (error) {
    ctx.log("warn", { event: "breach_check_failed", request_id: ctx.request.id, error: describeError(error) });
    return false;
  }
}
