import { eq } from "drizzle-orm";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { acceptInvitation, lookUpInvitation, type OpenedInvitation } from "~/features/invitations/answering.server";
import type { Inviter } from "~/features/invitations/model";
import { inviteMembers } from "~/features/invitations/sending.server";
import { derive, type TestContext } from "./context";
import { as, makeMember, makeOrganization, makePerson, type Person, signedInAs, together } from "./factories";
import { linkIn, mailsTo, tokenIn } from "./mails";
import { visitorContext } from "./visitor";

export type Team = { organization: { id: string; name: string }; owner: Person };

let teams = 0;

/** Creates an organization with its owner. */
export const makeTeam = (base: TestContext): Promise<Team> =>
  together(base, async (ctx) => {
    teams += 1;
    const name = `Team ${teams}`;
    const { id } = await makeOrganization(ctx, name);
    const owner = await makePerson(ctx);
    await makeMember(ctx, id, owner, "owner");
    return { organization: { id, name }, owner };
  });

/** Returns a visitor, a team that invites, and an address that nobody has used before. */
export async function invitingTeam() {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  return { ctx, team, address: `invited-${crypto.randomUUID().slice(0, 8)}@larkspur.example` };
}

/** Returns a person as the guards of the portal hand them to commands. */
export const memberOf = (
  ctx: TestContext,
  person: Person,
  organizationId: string,
  role: "owner" | "admin" | "member" = "owner",
): Inviter => ({ ...signedInAs(person, ctx.now()), role: "user", membership: { organizationId, role } });

/** Returns a member of staff as the guards of the admin area hand them to commands. */
export const staff = (ctx: TestContext, person: Person): Inviter => signedInAs(person, ctx.now());

/** Invites addresses in the name of the owner. */
export const inviteTo = (ctx: TestContext, { organization, owner }: Team, ...emails: string[]) =>
  inviteMembers(as(ctx, owner), {
    inviter: memberOf(ctx, owner, organization.id),
    organization,
    emails,
    role: "member",
  });

/** Returns the membership that waits for an address. */
export async function pendingMembership(ctx: TestContext, email: string) {
  const [row] = await ctx.db
    .select()
    .from(organizationMemberships)
    .where(eq(organizationMemberships.invited_email, email));
  if (!row) throw new Error(`Nobody invited ${email}`);
  return row;
}

/** Returns the token of the newest invitation in the mailbox of an address. */
export async function invitationToken(ctx: TestContext, email: string): Promise<string> {
  return tokenIn(linkIn((await mailsTo(ctx, email)).at(-1), "/invite"));
}

/** Returns the context of a browser that has opened an invitation. */
export const withInvitation = (ctx: TestContext, token: string): TestContext =>
  derive(ctx, { request: { ...ctx.request, cookies: new Map([["__Host-inv", token]]) } });

/** Counts the open links of a membership. */
export const openLinks = async (ctx: TestContext, membershipId: string) =>
  (await ctx.db.select().from(invitations).where(eq(invitations.membership_id, membershipId))).filter(
    ({ consumed_at }) => consumed_at === null,
  ).length;

/** Opens the newest invitation of an address. */
export async function openInvitation(ctx: TestContext, email: string): Promise<OpenedInvitation> {
  const found = await lookUpInvitation(withInvitation(ctx, await invitationToken(ctx, email)));
  if (found.kind !== "found") throw new Error(found.kind);
  return found.invitation;
}

/** Accepts an invitation as somebody who is signed in. */
export function acceptAs(ctx: TestContext, person: Person, invitation: OpenedInvitation) {
  const own = as(ctx, person);
  if (!own.signedIn) throw new Error("nobody");
  return acceptInvitation(own, invitation, own.signedIn);
}

/** Holds what a command answers when the invitation, or the account, has changed meanwhile. */
export const NOT_OPEN = { ok: false, error: { code: "not_open" } };
