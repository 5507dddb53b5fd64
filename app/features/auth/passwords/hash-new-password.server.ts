import { type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { hashPassword } from "~/platform/crypto.server";
import { isHashQueueFull, runInHashQueue } from "~/platform/hash-queue.server";

type HashedPassword = { ok: true; hash: string } | { ok: false; error: { code: "unavailable"; retryAt: Instant } };

/** Hashes a password that is to be stored. Fails when too many hashes wait; the form can be sent again soon. */
export async function hashNewPassword(ctx: Pick<Ctx, "config" | "now">, password: string): Promise<HashedPassword> {
  try {
    const hash = await runInHashQueue(() => hashPassword(ctx.config.PASSWORD_PEPPER_1, password));
    return { ok: true, hash };
  } catch (error) {
    if (!isHashQueueFull(error)) throw error;
    return { ok: false, error: { code: "unavailable", retryAt: ctx.now() + seconds(2) } };
  }
}
