import { commit } from "~/db/client.server";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie } from "~/platform/cookies.server";
import { recordInvitation } from "../open-targets.server";
import { removeTarget } from "../remove-target.server";
import { consumeInvitation } from "./consume-invitation.server";
import type { OpenedInvitation } from "./opened-invitation.server";

/** Removes an invitation for whoever has its link ("Not me"): nothing of the address is kept but the audit. */
export async function declineInvitation(ctx: Ctx, invitation: OpenedInvitation): Promise<boolean> {
  const { target } = invitation;
  const declined = await commit(ctx.db, [
    ...consumeInvitation(ctx, invitation),
    recordInvitation(ctx, target, "invitation_declined"),
    ...removeTarget(ctx, target),
  ]);
  if (declined) deleteLinkCookie(ctx, "invitation");
  return declined;
}
