import { sql } from "drizzle-orm";
import { can } from "~/access/policy";
import { commit, type Db } from "~/db/client.server";
import { emailHash } from "~/features/auth/email-hash.server";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limit.server";
import type { LimitType } from "~/platform/rate-limits";
import type { Inviter } from "../model";
import { IS_NEW } from "../open-targets.server";

/**
 * Names who causes an invitation: an organization and who invites for it, staff, the signed-in owner of the address
 * ("invitee"), or whoever fills in a form with it ("form"). An organization is new until staff have reviewed it.
 */
type InvitationSender = { id: string; isNew: boolean; inviterId: string } | "staff" | "invitee" | "form";

type Mail = { email: string; timeZone: string; sender: InvitationSender };

/** Takes back what an invitation has used up that was not sent. */
type GiveBack = () => Promise<void>;

/** Returns who causes an invitation to an organization. What staff send for a new one counts as theirs. */
export const senderOf = (inviter: Inviter, { id, isNew }: { id: string; isNew: boolean }): InvitationSender =>
  isNew && can(inviter, "organization.manage") ? "staff" : { id, isNew, inviterId: inviter.userId };

/**
 * Counts an invitation: of its sender, and to its mailbox. Every sender has a share of what a mailbox may get in a day,
 * new organizations all together one, so that nobody keeps others from inviting it. Of new organizations, who invites
 * is a sender too: one person may found several. Null: it is one too many.
 */
export async function takeInvitation(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  { email, timeZone, sender }: Mail,
): Promise<GiveBack | null> {
  const mailbox = emailHash(ctx, email);
  const now = ctx.now();
  const day = dayIn(timeZone, now);
  const organization = typeof sender === "string" ? null : sender;
  const isNew = organization?.isNew ?? false;
  const limits: { type: LimitType; identifier: string }[] = [
    ...(organization ? [{ type: isNew ? "invite_new_org" : "invite_org", identifier: organization.id } as const] : []),
    ...(organization && isNew
      ? [{ type: "invite_new_org", identifier: `user:${organization.inviterId}` } as const]
      : []),
    { type: "invite_addr", identifier: `${organization ? organization.id : sender}:${mailbox}` },
    ...(isNew ? [{ type: "invite_addr_new", identifier: mailbox } as const] : []),
    { type: "invite_addr_all", identifier: mailbox },
  ];
  const giveBack = async (taken: typeof limits) => {
    await commit(
      ctx.db,
      taken.map(({ type, identifier }) => giveBackLimit(ctx.db, type, `${identifier}:${day}`)),
    );
  };
  for (const [index, { type, identifier }] of limits.entries()) {
    if ((await takeLimit(ctx.db, type, `${identifier}:${day}`, now)).allowed) continue;
    if (index > 0) await giveBack(limits.slice(0, index));
    return null;
  }
  return () => giveBack(limits);
}

/** Tells whether an organization is new: staff have not reviewed it yet. */
export async function isNewOrganization(db: Db, organizationId: string): Promise<boolean> {
  const [row] = await db.all<{ isNew: number }>(
    sql`SELECT ${IS_NEW} FROM organizations o WHERE o.id = ${organizationId}`,
  );
  return row?.isNew === 1;
}
