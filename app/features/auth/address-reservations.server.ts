import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { eraseMail } from "~/features/mail/enqueue-mail.server";
import { mailboxOf } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";

/** Keyed, so that nobody can tell from a rate limit which address it was. */
export const emailHash = (ctx: Pick<Ctx, "config">, email: string): string =>
  keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", mailboxOf(email));

/**
 * As long as the former owner may take the address back by an undo link, nobody else can sign up with or change to it.
 */
export const isReserved = (ctx: Pick<Ctx, "now">, email: string | SQL, userId: string | SQL): SQL<number> =>
  sql<number>`exists (select 1 from auth_tokens where purpose = 'email_undo' and consumed_at is null
    and email = ${email} and user_id <> ${userId} and expires_at > ${ctx.now()})`;

export function removeUnconfirmed(db: Db, condition: SQL): Statement[] {
  const unconfirmed = sql`status = 'unverified' and ${condition}`;
  const ids = sql`select id from users where ${unconfirmed}`;
  return [eraseMail(db, "user", ids), eraseAuditLabels(db, "user", ids), db.delete(users).where(unconfirmed)];
}

/** For somebody who has proved an address that an account only claims. */
export const freeAddress = (db: Db, email: string): Statement[] => removeUnconfirmed(db, eq(users.email, email));
