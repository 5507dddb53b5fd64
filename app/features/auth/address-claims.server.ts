import { eq, type SQL, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { eraseMail } from "~/features/mail/erase-mail.server";
import type { Ctx } from "~/platform/context.server";

/*
 * Who may have an address that is no account's at the moment, or only that of somebody who has not confirmed it.
 */

/**
 * Returns the condition that somebody else may still get the address back with an undo link. As long as they may, the
 * address is theirs: nobody can sign up with it or change to it.
 */
export const isReserved = (ctx: Pick<Ctx, "now">, email: string | SQL, userId: string | SQL): SQL<number> =>
  sql<number>`exists (select 1 from auth_tokens where purpose = 'email_undo' and consumed_at is null
    and email = ${email} and user_id <> ${userId} and expires_at > ${ctx.now()})`;

/** Returns the statements that delete unconfirmed accounts and what was written about them. */
export function removeUnconfirmed(db: Db, condition: SQL): Statement[] {
  const unconfirmed = sql`status = 'unverified' and ${condition}`;
  const ids = sql`select id from users where ${unconfirmed}`;
  return [eraseMail(db, "user", ids), eraseAuditLabels(db, "user", ids), db.delete(users).where(unconfirmed)];
}

/** Returns the statements that free an address which an account only claims, for somebody who has proved it. */
export const freeAddress = (db: Db, email: string): Statement[] => removeUnconfirmed(db, eq(users.email, email));
