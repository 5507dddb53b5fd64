import { createHash } from "node:crypto";
import { describeError } from "~/lib/describe-error";
import type { Duration } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

const PATIENCE: Duration = 800;

/**
 * Whether a password is known from leaks, where the deployment asks for that (`PWNED_CHECK=1`). Only the first five
 * characters of its SHA-1 leave us; the service answers with everything it knows under them, padded so that not even
 * the length of the answer tells. If it is slow or away, nothing is held against the password: the list that comes with
 * the product has been looked at before.
 */
export async function isBreached(ctx: Ctx, password: string): Promise<boolean> {
  const { PWNED_CHECK, PWNED_API_URL } = ctx.config;
  if (PWNED_CHECK !== "1") return false;
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const response = await fetch(PWNED_API_URL + hash.slice(0, 5), {
      headers: { "Add-Padding": "true", "User-Agent": "wrenfield" },
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!response.ok) throw new Error(`It answered ${response.status}`);
    const lines = (await response.text()).split(/\r?\n/);
    // Padding is made of entries that occurred no times.
    return lines.some((line) => line.startsWith(`${hash.slice(5)}:`) && !line.endsWith(":0"));
  } catch (error) {
    ctx.log("warn", { event: "breach_check_failed", request_id: ctx.request.id, error: describeError(error) });
    return false;
  }
}
