import { mailboxOf } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";

/**
 * Returns a keyed hash of the mailbox of an address, for limits on mails: without the key nobody can tell which address
 * it was.
 */
export const emailHash = (ctx: Pick<Ctx, "config">, email: string): string =>
  keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", mailboxOf(email));
