import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { authTokens } from "~/db/schema/sessions";
import { settings } from "~/db/schema/site";
import { lookUpInvitation } from "~/features/invitations/answering.server";
import { inviteUser, resendInvitationsTo } from "~/features/invitations/sending.server";
import { reviewOrganization } from "~/features/organization-management/commands.server";
import { confirmAsTyped } from "~/features/organizations/confirm-sign-up.server";
import { resendConfirmation, signUp } from "~/features/sign-in/sign-up.server";
import { days } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import type { TestContext } from "../../support/context";
import { as, makePerson, signedInAs } from "../../support/factories";
import {
  invitationToken,
  inviteTo,
  makeTeam,
  openLinks,
  pendingMembership,
  staff,
  type Team,
  withInvitation,
} from "../../support/invitations";
import { linkIn, mailsTo, tokenIn } from "../../support/mails";
import { visitorContext } from "../../support/visitor";

let ctx: TestContext;
let team: Team;
let email: string;
let visitors = 0;
let waits: number[];

beforeEach(async () => {
  ctx = visitorContext();
  team = await makeTeam(ctx);
  visitors += 1;
  email = `signing.up${visitors}@larkspur.example`;
  waits = [];
});
afterEach(() => ctx.db.delete(settings));

const options = { resendInvitations: resendInvitationsTo, wait: async (length: number) => void waits.push(length) };
const register = (address = email, organizationName = "") =>
  signUp(ctx, { fullName: "Jo Field", email: address, password: "Correct!Horse7battery", organizationName }, options);
const subjects = async (address = email) => (await mailsTo(ctx, address)).map(({ subject }) => subject);
const policy = (value: string) =>
  ctx.db.insert(settings).values({ key: "signUpPolicy", value_json: JSON.stringify(value), updated_at: 0 });
const JOIN = /^You're invited to join/;

describe("a sign-up with an invited address", () => {
  test("gets the invitation again, with a new link that ends when the first would have, and no account", async () => {
    await inviteTo(ctx, team, email);
    const first = await invitationToken(ctx, email);
    ctx.clock.advance(days(6));
    expect(await register()).toMatchObject({ ok: true });
    expect(await subjects()).toEqual([expect.stringMatching(JOIN), expect.stringMatching(JOIN)]);
    const second = await invitationToken(ctx, email);
    expect(second).not.toBe(first);
    expect(await openLinks(ctx, (await pendingMembership(ctx, email)).id)).toBe(1);
    expect(await ctx.db.$count(users, eq(users.email, email))).toBe(0);
    ctx.clock.advance(days(1));
    const found = await lookUpInvitation(withInvitation(ctx, second));
    expect(found).toMatchObject({ kind: "found", invitation: { state: "expired", inviter: team.owner.fullName } });
  });

  test("whose invitation has expired, or is void, is an ordinary one", async () => {
    await inviteTo(ctx, team, email);
    ctx.clock.advance(days(7));
    await register();
    const other = `other.${email}`;
    await inviteTo(ctx, team, other);
    await ctx.db
      .update(organizationMemberships)
      .set({ role: "member" })
      .where(eq(organizationMemberships.user_id, team.owner.id));
    await register(other);
    for (const address of [email, other]) {
      expect(await subjects(address)).toEqual([
        expect.stringMatching(JOIN),
        expect.stringMatching(/^Confirm your email/),
      ]);
    }
  });

  test("of an account that staff have prepared gets that invitation", async () => {
    const admin = await makePerson(ctx, { role: "admin" });
    await inviteUser(as(ctx, admin), staff(ctx, admin), { email, fullName: "Jo Field", role: "user" });
    await register();
    expect(await subjects()).toEqual(["You're invited to Wrenfield", "You're invited to Wrenfield"]);
  });

  test("cannot flood the mailbox, and answers like any other", async () => {
    await inviteTo(ctx, team, email);
    for (let times = 0; times < 4; times += 1) expect(await register()).toMatchObject({ ok: true });
    expect(await resendConfirmation(ctx, email, options)).toMatchObject({ ok: true });
    expect(await subjects()).toHaveLength(4);
    expect(waits.every((length) => length >= 400)).toBe(true);
  });
});

describe("where accounts are by invitation only", () => {
  test("a sign-up sends nothing but an invitation, whoever has the address", async () => {
    await policy("invite_only");
    const person = await makePerson(ctx);
    await inviteTo(ctx, team, email);
    for (const address of [email, person.email, `nobody.${email}`])
      expect(await register(address)).toMatchObject({ ok: true });
    expect(await subjects()).toHaveLength(2);
    expect(await subjects(person.email)).toEqual([]);
    expect(await subjects(`nobody.${email}`)).toEqual([]);
    expect(await ctx.db.$count(users, eq(users.email, `nobody.${email}`))).toBe(0);
  });
});

async function confirm(name: string) {
  await register(email, name);
  const tokenHash = hashToken(tokenIn(linkIn((await mailsTo(ctx, email)).at(-1), "/verify-email")));
  const [row] = await ctx.db.select().from(authTokens).where(eq(authTokens.id_hash, tokenHash));
  const link = { tokenHash, userId: row?.user_id ?? "", email };
  const account = { fullName: "Jo Field", password: "Chosen!Horse7battery", organizationName: name };
  expect(await confirmAsTyped(ctx, link, account)).toMatchObject({ ok: true });
  const [organization] = await ctx.db.select().from(organizations).where(eq(organizations.name, name));
  const membership = async () =>
    (await ctx.db.select().from(organizationMemberships).where(eq(organizationMemberships.user_id, link.userId)))[0];
  return { organization, membership };
}

test("an organization that a sign-up has created is shown to staff, and usable at once", async () => {
  const { organization, membership } = await confirm(`Founded ${visitors}`);
  expect(organization?.needs_review_at).toBe(ctx.now());
  expect(await membership()).toMatchObject({ role: "owner", status: "active" });
});

test("where organizations are approved, the account works at once and its organization once staff have looked", async () => {
  await policy("approval");
  const { organization, membership } = await confirm(`Approved ${visitors}`);
  expect((await ctx.db.select().from(users).where(eq(users.email, email)))[0]?.status).toBe("active");
  expect(await membership()).toMatchObject({ role: "owner", status: "pending", joined_at: null });
  const admin = await makePerson(ctx, { role: "admin" });
  const review = (role: "admin" | "moderator") =>
    reviewOrganization(as(ctx, admin), { ...signedInAs(admin, ctx.now()), role }, organization?.id ?? "");
  // Somebody whose role has changed meanwhile lets nobody in.
  await review("moderator");
  expect(await membership()).toMatchObject({ status: "pending" });
  for (let times = 0; times < 2; times += 1) expect(await review("admin")).toMatchObject({ ok: true });
  expect(await membership()).toMatchObject({ status: "active", joined_at: ctx.now() });
  expect((await subjects()).filter((subject) => subject === `Approved ${visitors} is open`)).toHaveLength(1);
});
