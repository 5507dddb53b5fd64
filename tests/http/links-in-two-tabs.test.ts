import { beforeEach, describe, expect, test } from "vitest";
import { findAccountByEmail } from "~/features/auth/queries.server";
import type { InvitePage } from "~/features/invitations/invite-page.server";
import * as emailChange from "~/routes/_auth.email-change";
import * as invite from "~/routes/_auth.invite";
import * as login from "~/routes/_auth.login";
import * as verifyEmail from "~/routes/_auth.verify-email";
import type { TestContext } from "../support/context";
import { requestChange } from "../support/email-change";
import { makePerson, makeSession, PASSWORD } from "../support/factories";
import { inviteTo, makeTeam, pendingMembership } from "../support/invitations";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

/*
 * A link is moved to a cookie, so the browser has only the one that was opened last. A page that was open before shows
 * another one: its form is about that, and changes nothing else.
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
  const update = (fields: Record<string, string>) =>
    browser.send({ intent: "update-password", ...next, ...fields }, path);

  async function openReset(email: string): Promise<Record<string, string>> {
    await browser.send({ intent: "request-reset", email }, path);
    await browser.visit(login.loader, linkIn((await mailsTo(ctx, email)).at(-1), "/login"));
    const { state } = await browser.page(path);
    return state.at === "password_update" && state.proof === "link" ? { link: state.mark } : {};
  }

  test("is that of the account whose link the page showed, or of none", async () => {
    const [one, other] = [await makePerson(ctx, { withPassword: true }), await makePerson(ctx, { withPassword: true })];
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
    const person = await makePerson(ctx, { withPassword: true });
    const first = await openReset(person.email);
    expect(await openReset(person.email)).toEqual(first);
    expect((await update(first)).status).toBe(303);
  });

  test("that comes with the current one is never that of a link", async () => {
    const [own, other] = [await makePerson(ctx, { withPassword: true }), await makePerson(ctx, { withPassword: true })];
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
    await browser.visit(verifyEmail.loader, linkIn((await mailsTo(ctx, email)).at(-1), "/verify-email"));
    const page = (await (await browser.visit(verifyEmail.loader, "/verify-email")).json()) as { mark: string };
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
    await browser.visit(emailChange.loader, linkIn((await mailsTo(ctx, email)).at(-1), "/email-change"));
    const page = (await (await browser.visit(emailChange.loader, "/email-change")).json()) as { mark: string };
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
    await browser.visit(invite.loader, linkIn((await mailsTo(ctx, person.email)).at(-1), "/invite"));
    const { invitation } = (await (await browser.visit(invite.loader, path)).json()) as InvitePage;
    marks.push(invitation?.mark ?? "");
  }
  const send = (link = "") => browser.submit(invite.action, path, "invitation", { intent, link });
  expect((await send(marks[0])).status).toBe(409);
  expect((await browser.whoAmI())?.organizations).toEqual([]);
  expect(await pendingMembership(ctx, person.email)).toMatchObject({ status: "pending" });
  expect((await send(marks[1])).status).toBe(303);
});
