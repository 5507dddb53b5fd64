import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { expectChange, type Statement } from "~/db/client.server";
import { invitations } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";
import { isAdmin, mayInviteMembers } from "../inviter-rights.server";
import type { OpenedInvitation } from "./opened-invitation.server";

/**
 * Returns the statements that use up a link: of several batches with it only one is committed, and none when its
 * inviter may not invite any more.
 */
export function consumeInvitation(
  { db, now }: Pick<Ctx, "db" | "now">,
  { idHash, target }: OpenedInvitation,
): Statement[] {
  const inviter = sql`${invitations.invited_by}`;
  const mayInvite =
    target.kind === "account"
      ? isAdmin(inviter)
      : mayInviteMembers(inviter, { organization: target.organization.id, role: target.role });
  return [
    db
      .update(invitations)
      .set({ consumed_at: now() })
      .where(
        and(
          eq(invitations.id_hash, idHash),
          isNull(invitations.consumed_at),
          gt(invitations.expires_at, now()),
          mayInvite,
        ),
      ),
    expectChange(db),
  ];
}
