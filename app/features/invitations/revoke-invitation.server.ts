import { commit } from "~/db/client.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { InvitationTarget, Inviter } from "./model";
import { expectOpen, findOpenTarget, recordInvitation } from "./open-targets.server";
import { removeTarget } from "./remove-target.server";

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
