import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { findAccountByEmail, findSignedIn } from "~/features/auth/queries.server";
import type { InvitePage } from "~/features/invitations/invite-page.server";
import { days, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import * as emailChange from "~/routes/_auth.email-change";
import * as invite from "~/routes/_auth.invite";
import * as login from "~/routes/_auth.login";
import * as notMe from "~/routes/_auth.not-me";
import * as verifyEmail from "~/routes/_auth.verify-email";
import { openBrowser } from "../support/browser";
import { derive, type TestContext, testContext } from "../support/context";
import { requestChange } from "../support/email-change";
import { makeMember, makePerson, makeSession, PASSWORD, type Person } from "../support/factories";
import {
  invitationToken,
  inviteTo,
  makeTeam,
  pendingMembership,
  type Team,
  withInvitation,
} from "../support/invitations";
import { linkIn, mailsTo } from "../support/mails";
import { PERSONAS, type Persona } from "../support/permissions";
import { args, get, post } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

describe("guessing links", () => {
  let ctx: TestContext;
  let browser: Visitor["browser"];
  let person: Person;

  beforeEach(async () => {
    ({ ctx, browser } = newVisitor());
    person = await makePerson(ctx, { withPassword: true });
  });

  const token = (guess: number) => String(guess).padStart(43, "a");

  const NEXT = { new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
  const updatePassword = () => browser.send({ intent: "update-password", ...NEXT }, "/login?mode=reset");

  type Page = [string, string, (path: string) => Promise<Response>];

  const PAGES: Page[] = [
    ["a reset link", "/login?mode=reset", (path) => browser.visit(login.loader, path)],
    ["a confirmation link", "/verify-email", (path) => browser.visit(verifyEmail.loader, path)],
    ["a link to sign everyone out", "/not-me", (path) => browser.visit(notMe.loader, path)],
  ];

  /** Opens a link as a browser does: the redirect takes the token out of the address, then the page is loaded. */
  async function open(page: Page, value: string): Promise<Response> {
    const [, path, visit] = page;
    await visit(`${path}${path.includes("?") ? "&" : "?"}token=${value}`);
    return visit(path);
  }

  test.each(PAGES)("guessing the token of %s is stopped after twenty, for a quarter of an hour", async (...page) => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 22; guess += 1) statuses.push((await open(page, token(guess))).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429, 429]);
    const blocked = await open(page, token(99));
    expect(Number(blocked.headers.get("Retry-After"))).toBe(15 * 60);
    ctx.clock.advance(minutes(15));
    expect((await open(page, token(100))).status).toBe(200);
  });

  test("posting a new password with guessed tokens is counted too", async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 21; guess += 1) {
      browser.cookies.set("__Host-rst", token(guess));
      statuses.push((await updatePassword()).status);
    }
    expect(statuses).toEqual([...Array(20).fill(400), 429]);
  });

  describe("a link that works", () => {
    async function resetLink(): Promise<string> {
      await browser.send({ intent: "request-reset", email: person.email }, "/login?mode=reset");
      return linkIn((await mailsTo(ctx, person.email)).at(-1), "/login");
    }

    test("is never used up by being opened", async () => {
      await browser.visit(login.loader, await resetLink());
      for (let view = 0; view < 30; view += 1) {
        expect((await browser.visit(login.loader, "/login?mode=reset")).status).toBe(200);
        await ctx.settle();
      }
    });

    test("works while somebody elsewhere tries an old one of the same account again and again", async () => {
      const old = await resetLink();
      await browser.visit(login.loader, old);
      expect((await updatePassword()).status).toBe(303);

      const statuses: number[] = [];
      for (let attempt = 0; attempt < 11; attempt += 1) {
        const other = openBrowser(ctx, { network: `203.0.113.${attempt}` });
        await other.visit(login.loader, old);
        statuses.push((await other.visit(login.loader, "/login?mode=reset")).status);
      }
      expect(statuses).toEqual([...Array(10).fill(200), 429]);

      await browser.visit(login.loader, await resetLink());
      const page = await browser.page("/login?mode=reset");
      expect(page.state).toMatchObject({ at: "password_update", proof: "link" });
    });
  });
});

describe("links in two tabs", () => {
  /*
   * A link is moved to a cookie, so the browser has only the one that was opened last. A page that was open before
   * shows another one: its form is about that, and changes nothing else.
   */

  let ctx: TestContext;
  let browser: Visitor["browser"];
  let number: number;

  beforeEach(() => {
    ({ ctx, browser, number } = newVisitor());
  });

  const next = { new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };

  const hashOf = async (email: string) => (await findAccountByEmail(ctx.db, email))?.passwordHash;

  describe("a new password", () => {
    const path = "/login?mode=reset";
    const withPassword = () => makePerson(ctx, { withPassword: true });
    const update = (fields: Record<string, string>) =>
      browser.send({ intent: "update-password", ...next, ...fields }, path);

    async function openReset(email: string): Promise<Record<string, string>> {
      await browser.send({ intent: "request-reset", email }, path);
      await browser.openMail(login.loader, email, "/login");
      const { state } = await browser.page(path);
      return state.at === "password_update" && state.proof === "link" ? { link: state.mark } : {};
    }

    test("is that of the account whose link the page showed, or of none", async () => {
      const [one, other] = [await withPassword(), await withPassword()];
      const first = await openReset(one.email);
      const second = await openReset(other.email);
      const before = await hashOf(other.email);
      const response = await update(first);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: { form: expect.stringMatching(/opened another link/) } });
      expect(await hashOf(other.email)).toBe(before);
      expect((await update(second)).status).toBe(303);
    });

    test("goes on after a second mail to the same person", async () => {
      const person = await withPassword();
      const first = await openReset(person.email);
      expect(await openReset(person.email)).toEqual(first);
      expect((await update(first)).status).toBe(303);
    });

    test("that comes with the current one is never that of a link", async () => {
      const [own, other] = [await withPassword(), await withPassword()];
      await browser.password(own.email);
      const [ownBefore, otherBefore] = [await hashOf(own.email), await hashOf(other.email)];
      await openReset(other.email);
      expect((await update({ current_password: PASSWORD })).status).toBe(303);
      expect(await hashOf(other.email)).toBe(otherBefore);
      expect(await hashOf(own.email)).not.toBe(ownBefore);
    });
  });

  test("a sign-up is confirmed for the address that the page showed, or not at all", async () => {
    const marks: string[] = [];
    const emails = [`one${number}@larkspur.example`, `other${number}@larkspur.example`];
    for (const email of emails) {
      const typed = { full_name: "Jo Field", password: PASSWORD, confirm_password: PASSWORD };
      await browser.send({ intent: "sign-up", email, ...typed }, "/client/auth?tab=create");
      await browser.openMail(verifyEmail.loader, email, "/verify-email");
      const page = await browser.read<{ mark: string }>(verifyEmail.loader, "/verify-email");
      marks.push(page.mark);
    }
    const confirm = (link = "") =>
      browser.submit(verifyEmail.action, "/verify-email", "link:verify-email", {
        intent: "confirm_typed",
        full_name: "Jo Field",
        password: "Chosen!Horse7battery",
        link,
      });
    expect((await confirm(marks[0])).status).toBe(400);
    for (const email of emails) expect((await findAccountByEmail(ctx.db, email))?.status).toBe("unverified");
    expect((await confirm(marks[1])).status).toBe(303);
    expect((await findAccountByEmail(ctx.db, emails[1] ?? ""))?.status).toBe("active");
  });

  test("an address changes for the account whose link the page showed, or for none", async () => {
    const marks: string[] = [];
    const wanted = [`moved-one${number}@larkspur.example`, `moved-other${number}@larkspur.example`];
    for (const email of wanted) {
      await requestChange(ctx, await makePerson(ctx), email);
      await browser.openMail(emailChange.loader, email, "/email-change");
      const page = await browser.read<{ mark: string }>(emailChange.loader, "/email-change");
      marks.push(page.mark);
    }
    const confirm = (link = "") => browser.submit(emailChange.action, "/email-change", "link:email-change", { link });
    expect((await confirm(marks[0])).status).toBe(400);
    for (const email of wanted) expect(await findAccountByEmail(ctx.db, email)).toBeNull();
    expect((await confirm(marks[1])).status).toBe(303);
    expect(await findAccountByEmail(ctx.db, wanted[1] ?? "")).not.toBeNull();
  });

  test.each(["accept", "decline"])("%s is about the invitation that the page showed, or about none", async (intent) => {
    const person = await makePerson(ctx);
    browser.cookies.set("__Host-sid", (await makeSession(ctx, person, 1)).sessionId);
    const path = intent === "decline" ? "/invite?answer=no" : "/invite";
    const marks: string[] = [];
    for (const team of [await makeTeam(ctx), await makeTeam(ctx)]) {
      await inviteTo(ctx, team, person.email);
      await browser.openMail(invite.loader, person.email, "/invite");
      const { invitation } = await browser.read<InvitePage>(invite.loader, path);
      marks.push(invitation?.mark ?? "");
    }
    const send = (link = "") => browser.submit(invite.action, path, "invitation", { intent, link });
    expect((await send(marks[0])).status).toBe(409);
    expect((await browser.whoAmI())?.organizations).toEqual([]);
    expect(await pendingMembership(ctx, person.email)).toMatchObject({ status: "pending" });
    expect((await send(marks[1])).status).toBe(303);
  });
});

describe("links of invitations", () => {
  /*
   * The page of an invitation needs no sign-in, so the table of permissions knows it without a link only. Here
   * everybody opens the link of somebody else: one that works, that has expired, that was used, that was revoked.
   */

  let ctx: TestContext;
  let team: Team;
  let address: string;
  let token: string;
  let number = 0;
  /** Guesses are counted by network. */
  let networks = 0;

  beforeEach(async () => {
    ctx = testContext();
    team = await makeTeam(ctx);
    number += 1;
    address = `link.of.another${number}@larkspur.example`;
    await inviteTo(ctx, team, address);
    await ctx.settle();
    token = await invitationToken(ctx, address);
  });

  const ROLES = { moderator: "moderator", admin: "admin", admin_without_second_factor: "admin" } as const;

  const MEMBERSHIPS = {
    member: ["member", "active"],
    organization_admin: ["admin", "active"],
    suspended_member: ["member", "suspended"],
    pending_member: ["admin", "pending"],
  } as const;

  /** Returns the context of a browser in which a person is signed in and has opened the link. */
  async function browserOf(persona: Persona): Promise<TestContext> {
    networks += 1;
    const own = derive(ctx, { request: { ...ctx.request, network: `198.51.100.${networks}` } });
    const opened = withInvitation(own, token);
    if (persona === "anonymous") return opened;
    const role = ROLES[persona as keyof typeof ROLES] ?? "user";
    const person = persona === "owner" ? team.owner : await makePerson(ctx, { role });
    const [inside, status] = MEMBERSHIPS[persona as keyof typeof MEMBERSHIPS] ?? [];
    if (inside) await makeMember(ctx, team.organization.id, person, inside, status);
    const { signedIn } = await makeSession(ctx, person, persona === "moderator" || persona === "admin" ? 2 : 1);
    return derive(opened, { signedIn: await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now()) });
  }

  const read = async (browser: TestContext) => {
    const response = await invite.loader(args(browser, get("/invite")));
    return [response.status, (await response.json()).step];
  };

  const send = async (browser: TestContext, intent: string) => {
    const form_token = issueFormToken(browser, "invitation");
    const fields = { intent, form_token, full_name: "Mallory", password: PASSWORD, confirm_password: PASSWORD };
    const sent = invite.action(args(browser, post("/invite", fields)));
    return (await sent.catch((thrown: Response) => thrown)).status;
  };

  const LINKS: [string, [number, string], () => Promise<unknown>][] = [
    ["that has expired", [409, "expired"], async () => ctx.clock.advance(days(7))],
    [
      "that was used",
      [409, "used"],
      async () => {
        const { id } = await makePerson(ctx, { email: address });
        await ctx.db
          .update(organizationMemberships)
          .set({ status: "active", user_id: id, joined_at: ctx.now() })
          .where(eq(organizationMemberships.invited_email, address));
        await ctx.db.update(invitations).set({ consumed_at: ctx.now() }).where(eq(invitations.email, address));
      },
    ],
    [
      "that was revoked",
      [404, "unknown"],
      () => ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.invited_email, address)),
    ],
  ];

  test("everybody opens somebody else's link, and nobody can make it their own", async () => {
    for (const persona of PERSONAS) {
      const isVisitor = persona === "anonymous";
      const browser = await browserOf(persona);
      expect(await read(browser), persona).toEqual(isVisitor ? [200, "set_up"] : [403, "other_account"]);
      for (const intent of isVisitor ? ["accept"] : ["accept", "set_up"])
        expect(await send(browser, intent), persona).toBe(409);
    }
    expect(await pendingMembership(ctx, address)).toMatchObject({ status: "pending", user_id: null });
  });

  test.each(LINKS)("a link %s says so to everybody, and does nothing", async (_, expected, end) => {
    await end();
    for (const persona of PERSONAS) {
      const browser = await browserOf(persona);
      const before = await ctx.db.select().from(organizationMemberships);
      expect(await read(browser), persona).toEqual(expected);
      for (const intent of ["accept", "set_up", "decline"])
        expect(await send(browser, intent), `${persona}: ${intent}`).toBe(409);
      expect(await ctx.db.select().from(organizationMemberships)).toEqual(before);
    }
  });
});
