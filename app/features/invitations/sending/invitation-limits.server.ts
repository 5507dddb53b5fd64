import { commit } from "~/db/client.server";
import { emailHash } from "~/features/auth/email-hash.server";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limit.server";

type Mail = { email: string; timeZone: string; organizationId: string | null };

/** Takes back what an invitation has used up that was not sent. */
type GiveBack = () => Promise<void>;

/**
 * Counts an invitation to an address and, for a membership, to the organization's invitations of the day. Null: it is
 * one too many.
 */
export async function takeInvitation(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  { email, timeZone, organizationId }: Mail,
): Promise<GiveBack | null> {
  const mailbox = emailHash(ctx, email);
  const day = organizationId && `${organizationId}:${dayIn(timeZone, ctx.now())}`;
  if (day && !(await takeLimit(ctx.db, "invite_org", day, ctx.now())).allowed) return null;
  const giveBackDay = day ? [giveBackLimit(ctx.db, "invite_org", day)] : [];
  if (!(await takeLimit(ctx.db, "invite_addr", mailbox, ctx.now())).allowed) {
    await commit(ctx.db, giveBackDay);
    return null;
  }
  return async () => {
    await commit(ctx.db, [...giveBackDay, giveBackLimit(ctx.db, "invite_addr", mailbox)]);
  };
}
