import { commit } from "~/db/client.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { InvitationTarget, Inviter } from "../model";
import { expectOpen, findOpenTarget, invitationOf, recordInvitation } from "../open-targets.server";
import { senderOf, takeInvitation } from "./invitation-limits.server";
import { prepareInvitation } from "./prepare-invitation.server";

type Resent = Result<{ email: string }, "not_found" | "limited">;

/**
 * Sends an invitation again, in the name of whoever does it: a new link, for another week. The one before ends, whether
 * it had expired or not.
 */
export async function resendInvitation(ctx: Ctx, actor: Inviter, target: InvitationTarget): Promise<Resent> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const { email } = found;
  const { timeZone } = await getSettings(ctx.db);
  const sender = found.kind === "membership" ? senderOf(actor, found.organization) : "staff";
  const giveBack = await takeInvitation(ctx, { email, timeZone, sender });
  if (!giveBack) return fail("limited");
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    ...prepareInvitation(ctx, invitationOf(found, actor), { timeZone }).statements,
    recordInvitation(ctx, found, "invitation_resent"),
  ]);
  if (!written) {
    await giveBack();
    return fail("not_found");
  }
  ctx.after(deliverOutbox(ctx));
  return ok({ email });
}
