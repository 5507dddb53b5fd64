import { eq, type SQL, sql } from "drizzle-orm";
import { commit, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { eraseAuditLabels } from "~/features/audit/erase-audit-labels.server";
import { eraseMail, eraseMails } from "~/features/mail/erase-mail.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { InvitationTarget, Inviter } from "./model";
import { expectOpen, findOpenTarget, type OpenTarget, recordInvitation } from "./open-targets.server";

/** Takes an invitation back: the membership or the account is gone, and the link with it. */
export async function revokeInvitation(
  ctx: Ctx,
  actor: Inviter,
  target: InvitationTarget,
): Promise<Result<{ email: string }, "not_found">> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    recordInvitation(ctx, found, "invitation_revoked"),
    ...removeTarget(ctx, found),
  ]);
  return written ? ok({ email: found.email }) : fail("not_found");
}

/** Returns the statements that delete a membership or an account nobody has accepted, and its mails. */
export function removeTarget({ db }: Pick<Ctx, "db">, target: OpenTarget): Statement[] {
  if (target.kind === "account") return removeAccounts({ db }, sql`id = ${target.userId} and status = 'pending'`);
  const { membershipId } = target;
  return [
    eraseMails(db, sql`select mail_id from invitations where membership_id = ${membershipId}`),
    db
      .delete(organizationMemberships)
      .where(sql`${eq(organizationMemberships.id, membershipId)} and ${organizationMemberships.status} = 'pending'
          and ${organizationMemberships.user_id} is null`),
  ];
}

function removeAccounts({ db }: Pick<Ctx, "db">, condition: SQL): Statement[] {
  const ids = sql`select id from users where ${condition}`;
  return [eraseMail(db, "user", ids), eraseAuditLabels(db, "user", ids), db.delete(users).where(condition)];
}
