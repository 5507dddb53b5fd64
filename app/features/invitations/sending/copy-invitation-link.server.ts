import { commit } from "~/db/client.server";
import { UNDELIVERED } from "~/features/mail/model";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { InvitationTarget, Inviter } from "../model";
import { expectOpen, findOpenTarget, invitationOf, recordInvitation } from "../open-targets.server";
import { invitationStates } from "../queries.server";
import { prepareInvitation } from "./prepare-invitation.server";

/**
 * Makes a new link to hand over in another way, when the mail has failed. It is returned once and stored nowhere. Such
 * a link proves no address: see `accept-invitation.server.ts`.
 */
export async function copyInvitationLink(
  ctx: Ctx,
  actor: Inviter,
  target: InvitationTarget,
): Promise<Result<{ url: string }, "not_found" | "mail_not_failed">> {
  const found = await findOpenTarget(ctx, actor, target);
  if (!found) return fail("not_found");
  const id = found.kind === "account" ? found.userId : found.membershipId;
  const mail = (await invitationStates(ctx.db, { [found.kind]: [id] }, ctx.now())).get(id)?.mail ?? null;
  if (!UNDELIVERED.some((status) => status === mail)) return fail("mail_not_failed");
  const link = prepareInvitation(ctx, invitationOf(found, actor), null);
  const written = await commit(ctx.db, [
    ...expectOpen(ctx, found, actor),
    ...link.statements,
    recordInvitation(ctx, found, "invitation_link_made"),
  ]);
  return written ? ok({ url: ctx.config.APP_ORIGIN + link.path }) : fail("not_found");
}
