import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";

/** What limits per address count by: nobody without the key can tell which address it was. */
export const emailHash = (ctx: Ctx, email: string): string => keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", email);
