import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import type { InvitePage } from "~/features/invitations/invite-page.server";
import type { Inviter } from "~/features/invitations/model";
import { copyInvitationLink, inviteUser } from "~/features/invitations/sending.server";
import { days, hours } from "~/lib/time";
import * as invite from "~/routes/_auth.invite";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSession, PASSWORD, type Person } from "../support/factories";
import { inviteTo, makeTeam, memberOf, pendingMembership, type Team } from "../support/invitations";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let team: Team;
let address: string;

beforeEach(async () => {
  let number: number;
  ({ ctx, browser, number } = newVisitor());
  team = await makeTeam(ctx);
  address = `invited${number}@larkspur.example`;
});

/** Invites an address and opens the link of its mail. */
async function openMail(email = address) {
  await inviteTo(ctx, team, email);
  return openNewest(email);
}
const openNewest = async (email = address) => openLink(linkIn((await mailsTo(ctx, email)).at(-1), "/invite"));
async function openLink(link: string) {
  const moved = await browser.visit(invite.loader, link);
  expect([moved.status, moved.headers.get("Location")]).toEqual([303, "/invite"]);
}
async function shown(path = "/invite") {
  const response = await browser.visit(invite.loader, path);
  return { status: response.status, page: (await response.json()) as InvitePage };
}
const step = async (path?: string) => {
  const { status, page } = await shown(path);
  return [status, page.step];
};
const send = (intent: string, fields: Record<string, string> = {}) =>
  browser.submit(invite.action, "/invite", "invitation", { intent, ...fields });
const signIn = async (person: Person) =>
  browser.cookies.set("__Host-sid", (await makeSession(ctx, person, 1)).sessionId);
/** Prepares an account of the staff, and invites its owner. */
async function inviteColleague() {
  const admin = as(ctx, await makePerson(ctx, { role: "admin" }));
  await inviteUser(admin, admin.signedIn as Inviter, { email: address, fullName: "Jo", role: "moderator" });
}
const password = "Invited!Horse7battery";
const NEW = { full_name: "Jo Field", password, confirm_password: password };

test("a new person reads who invites to what, chooses name and password, and is signed in", async () => {
  await openMail();
  expect(await shown()).toMatchObject({
    status: 200,
    page: {
      step: "set_up",
      reader: null,
      invitation: {
        email: address,
        inviter: team.owner.fullName,
        organization: team.organization.name,
        role: "Member",
      },
    },
  });
  const mails = (await mailsTo(ctx, address)).length;
  const accepted = await send("set_up", NEW);
  expect([accepted.status, accepted.headers.get("Location")]).toEqual([303, "/client"]);
  expect((await browser.whoAmI())?.membership).toMatchObject({
    organizationName: team.organization.name,
    role: "member",
  });
  expect(await mailsTo(ctx, address)).toHaveLength(mails);
  expect(await step()).toEqual([404, "no_link"]);
  browser.cookies.clear();
  expect((await browser.password(address, password, "/client/auth")).status).toBe(303);
});

test("whoever joins an organization that requires a second factor is signed in for as long as they may go without", async () => {
  await ctx.db
    .update(organizations)
    .set({ mfa_required_at: ctx.now() - days(30) })
    .where(eq(organizations.id, team.organization.id));
  await openMail();
  expect((await send("set_up", NEW)).headers.get("Location")).toBe("/client");
  expect(await browser.whoAmI()).toMatchObject({ aal: 1, mfaEnabled: false });
  ctx.clock.advance(days(7));
  browser.cookies.clear();
  await browser.password(address, password, "/client/auth");
  expect(await browser.whoAmI()).toBeNull();
  expect((await browser.page("/client/auth")).state).toMatchObject({ at: "setup_required" });
});

test("an invitation to an account of the staff leads to the set-up of a second factor, and to no session before it", async () => {
  await inviteColleague();
  await openNewest();
  expect((await send("set_up", NEW)).headers.get("Location")).toBe("/auth");
  expect(await browser.whoAmI()).toBeNull();
  expect((await browser.page("/auth")).state).toMatchObject({ at: "setup_required", email: address });
});

describe("somebody invited who signs up", () => {
  const signUp = (who: typeof browser, name: string, typed = password) =>
    who.send(
      { intent: "sign-up", full_name: name, email: address, password: typed, confirm_password: typed },
      "/client/auth?tab=create",
    );

  test("accepts with one press in the same browser, with the password typed there", async () => {
    await inviteTo(ctx, team, address);
    await signUp(browser, "Jo Field");
    await openNewest();
    expect((await shown()).page.invitation).toMatchObject({ fullName: "Jo Field", hasPassword: true });
    expect((await shown("/invite?password=new")).page.invitation).toMatchObject({ hasPassword: false });
    expect((await send("set_up_typed")).headers.get("Location")).toBe("/client");
    expect(await browser.whoAmI()).toMatchObject({ email: address, fullName: "Jo Field" });
  });

  test("accepts with what was typed for a day, however long the browser keeps it", async () => {
    await inviteTo(ctx, team, address);
    await signUp(browser, "Jo Field");
    const link = linkIn((await mailsTo(ctx, address)).at(-1), "/invite");
    ctx.clock.advance(hours(24));
    await openLink(link);
    const { step, invitation } = (await shown()).page;
    expect([step, invitation]).toMatchObject(["set_up", { fullName: "", hasPassword: false }]);
    expect((await send("set_up_typed")).status).toBe(409);
    expect(await ctx.db.$count(users, eq(users.email, address))).toBe(0);
  });

  test("types the password of an account of the staff with the link at hand", async () => {
    await inviteColleague();
    await signUp(browser, "Jo Field");
    await openNewest();
    expect((await shown()).page.invitation).toMatchObject({ fullName: "Jo", hasPassword: false });
    expect((await send("set_up_typed")).status).toBe(409);
  });

  test("never accepts with what a stranger typed elsewhere, and the stranger without the link not at all", async () => {
    const stranger = openBrowser(ctx);
    await inviteTo(ctx, team, address);
    await signUp(stranger, "The Stranger", "Attacker!Horse7");
    await openNewest();
    expect((await shown()).page.invitation).toMatchObject({ fullName: "", hasPassword: false });
    expect((await send("set_up_typed")).status).toBe(409);
    expect((await stranger.submit(invite.action, "/invite", "invitation", { intent: "set_up_typed" })).status).toBe(
      409,
    );
    expect(await ctx.db.$count(users, eq(users.email, address))).toBe(0);
  });
});

test("what is wrong with name or password is said, and the name is kept", async () => {
  await openMail();
  const response = await send("set_up", { ...NEW, confirm_password: "something else" });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    errors: { confirm_password: "Passwords do not match" },
    values: { full_name: "Jo Field" },
  });
  const weak = await send("set_up", { ...NEW, password: "short", confirm_password: "short" });
  expect(await weak.json()).toMatchObject({ errors: { password: "Password must be at least 8 characters long" } });
});

test("the owner of an existing account signs in, comes back and accepts", async () => {
  const person = await makePerson(ctx, { withPassword: true });
  await openMail(person.email);
  expect(await step()).toEqual([200, "sign_in"]);
  expect((await send("set_up", NEW)).status).toBe(409);
  const signedIn = await browser.password(person.email, PASSWORD, "/client/auth?redirectTo=%2Finvite");
  expect(signedIn.headers.get("Location")).toBe("/invite");
  expect(await step()).toEqual([200, "accept"]);
  const accepted = await send("accept");
  expect([accepted.status, accepted.headers.get("Location")]).toEqual([303, "/client"]);
  expect((await browser.whoAmI())?.membership?.organizationId).toBe(team.organization.id);
});

test("somebody signed in under another address can only sign out, and then goes on", async () => {
  const other = await makePerson(ctx);
  await openMail();
  await signIn(other);
  expect(await shown()).toMatchObject({ status: 403, page: { step: "other_account", reader: other.email } });
  expect((await send("accept")).status).toBe(409);
  expect((await send("set_up", NEW)).status).toBe(409);
  expect((await send("sign_out")).headers.get("Location")).toBe("/invite");
  expect(await browser.whoAmI()).toBeNull();
  expect(await step()).toEqual([200, "set_up"]);
});

test("Not me removes the invitation by a button, on the page that the mail links to", async () => {
  await inviteTo(ctx, team, address);
  const [, link = ""] = /(\/invite\?token=[\w-]+&answer=no)/.exec((await mailsTo(ctx, address))[0]?.text ?? "") ?? [];
  expect((await browser.visit(invite.loader, link)).headers.get("Location")).toBe("/invite?answer=no");
  expect(await step("/invite?answer=no")).toEqual([200, "decline"]);
  expect((await pendingMembership(ctx, address)).status).toBe("pending");
  expect((await send("decline")).headers.get("Location")).toBe("/invite?answer=declined");
  expect(await step("/invite?answer=declined")).toEqual([200, "declined"]);
  await expect(pendingMembership(ctx, address)).rejects.toThrow();
});

describe("what stands in the way is said with its status", () => {
  test.each<[string, [number, string], () => Promise<unknown>]>([
    ["a deactivated account", [403, "deactivated"], () => makePerson(ctx, { email: address, status: "deactivated" })],
    [
      "an account that waits for its owner",
      [409, "account_first"],
      () => makePerson(ctx, { email: address, status: "pending" }),
    ],
    [
      "a suspended inviter",
      [409, "void"],
      () =>
        ctx.db
          .update(organizationMemberships)
          .set({ status: "suspended" })
          .where(eq(organizationMemberships.user_id, team.owner.id)),
    ],
    ["an account that was opened meanwhile", [200, "sign_in"], () => makePerson(ctx, { email: address })],
  ])("%s", async (_, wanted, change) => {
    await openMail();
    await change();
    expect(await step()).toEqual(wanted);
    expect((await send("set_up", NEW)).status).toBe(409);
  });

  test("a link that nobody has sent", async () => {
    await openLink(`/invite?token=${ctx.newToken()}`);
    expect(await step()).toEqual([404, "unknown"]);
    browser.cookies.clear();
    expect(await step()).toEqual([404, "no_link"]);
  });
});

test("a link that a client has copied opens no account, because it proves no address; its owner can accept with one", async () => {
  await inviteTo(ctx, team, address);
  await ctx.settle();
  const { id: membershipId } = await pendingMembership(ctx, address);
  await ctx.db.update(outbox).set({ status: "dead" });
  const copied = await copyInvitationLink(ctx, memberOf(ctx, team.owner, team.organization.id), { membershipId });
  await openLink(copied.ok ? copied.value.url.slice("http://localhost:8787".length) : "");
  expect(await step()).toEqual([409, "unproved"]);
  expect((await send("set_up", NEW)).status).toBe(409);
  expect(await ctx.db.$count(users, eq(users.email, address))).toBe(0);
  await signIn(await makePerson(ctx, { email: address }));
  expect(await step()).toEqual([200, "accept"]);
  expect((await send("accept")).status).toBe(303);
});

test("a form without a token of the page changes nothing", async () => {
  await openMail();
  const rejected = await browser.submit(invite.action, "/invite", "sign-in", { intent: "decline" });
  expect(rejected.status).toBe(400);
  expect((await pendingMembership(ctx, address)).status).toBe("pending");
});
