import { type SQL, sql } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { eraseAuditLabels } from "~/features/audit/record-audit.server";
import { eraseMail, eraseMails } from "~/features/mail/erase-mail.server";
import type { Ctx } from "~/platform/context.server";
import type { OpenTarget } from "./open-targets.server";

/*
 * What an invitation was for goes with it, when nobody has accepted it: the membership or the account, its links, and
 * what was written about it.
 */

/** Returns the statements that delete the membership or the account of an invitation. */
export const removeTarget = (ctx: Pick<Ctx, "db">, target: OpenTarget): Statement[] =>
  target.kind === "account"
    ? removePendingAccounts(ctx, sql`id = ${target.userId}`)
    : removePendingMemberships(ctx, sql`id = ${target.membershipId}`);

/** Returns the statements that delete accounts which nobody has accepted, by a condition on `users`. */
export function removePendingAccounts({ db }: Pick<Ctx, "db">, condition: SQL): Statement[] {
  const pending = sql`status = 'pending' and ${condition}`;
  const ids = sql`select id from users where ${pending}`;
  return [eraseMail(db, "user", ids), eraseAuditLabels(db, "user", ids), db.delete(users).where(pending)];
}

/** Returns the statements that delete memberships which nobody has accepted, by a condition on them. */
export function removePendingMemberships({ db }: Pick<Ctx, "db">, condition: SQL): Statement[] {
  const pending = sql`status = 'pending' and user_id is null and ${condition}`;
  const ids = sql`select id from organization_memberships where ${pending}`;
  return [
    eraseMails(db, sql`select mail_id from invitations where membership_id in (${ids})`),
    db.delete(organizationMemberships).where(pending),
  ];
}
