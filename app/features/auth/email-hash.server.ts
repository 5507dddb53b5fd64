import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";

/** Returns a keyed hash of an address, for rate limits: without the key nobody can tell which address it was. */
export const emailHash = (ctx: Pick<Ctx, "config">, email: string): string =>
  keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", email);
