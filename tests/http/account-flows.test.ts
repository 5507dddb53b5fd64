import { beforeEach, describe, expect, test, vi } from "vitest";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { requireStepUp, type StaffActor } from "~/features/auth/guards.server";
import { saveContact } from "~/features/contacts/commands.server";
import { resetUserMfa } from "~/features/user-management/commands.server";
import { minutes } from "~/lib/time";
import { takeFlash } from "~/platform/flash.server";
import * as accountLayout from "~/routes/_account";
import * as profile from "~/routes/_account.profile._index";
import { loader } from "~/routes/_account.profile._index";
import * as backupCodes from "~/routes/_account.profile.backup-codes";
import * as confirm from "~/routes/_account.profile.confirm";
import * as mfa from "~/routes/_account.profile.mfa";
import * as sessionsPage from "~/routes/_account.profile.sessions";
import * as adminLayout from "~/routes/_admin";
import { loader as ticketPage } from "~/routes/_admin.admin.tickets.$ticket";
import * as siteLayout from "~/routes/_site";
import { openBrowser } from "../support/browser";
import { derive, type TestContext, testContext } from "../support/context";
import { as, makeMember, makePerson, PASSWORD, type Person, signedInAs } from "../support/factories";
import { linkIn, mailsTo } from "../support/mails";
import { organizationAndStaff } from "../support/organizations";
import { args, errorOf, get, thrownBy } from "../support/requests";
import { makeTicket } from "../support/tickets";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let number: number;

beforeEach(() => {
  ({ ctx, browser, number } = newVisitor());
});

const firstCode = async () => codeAt((await browser.page()).enrollment?.secret ?? "", stepAt(ctx.now()));
const account = (action: Parameters<typeof browser.submit>[0], path: string, fields: Record<string, string>) =>
  browser.submit(action, path, "account", fields);
const withPassword = (more: Parameters<typeof makePerson>[1] = {}) => makePerson(ctx, { withPassword: true, ...more });

describe("a first factor, set up at the sign-in that demands it", () => {
  let admin: Person;
  beforeEach(async () => {
    admin = await withPassword({ role: "admin", email: `first${number}@wrenfield.example` });
    await browser.password(admin.email);
  });

  test("is the one the server made: a posted secret is not looked at", async () => {
    const attackers = "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU";
    const response = await browser.send({
      intent: "verify-setup",
      secret: attackers,
      code: codeAt(attackers, stepAt(ctx.now())),
    });
    expect(await errorOf(response)).toMatchObject({
      title: "MFA Setup Failed",
      errors: { code: "Invalid verification code" },
    });
    expect(await browser.whoAmI()).toBeNull();
    expect(await errorOf(await browser.send({ intent: "verify-setup", code: " " }))).toMatchObject({
      title: "Verification Required",
      errors: { code: "Please enter the 6-digit code from your authenticator app." },
    });
  });

  test("leads over its backup codes, shown once, to where the person was going", async () => {
    const done = await browser.send({ intent: "verify-setup", code: await firstCode() });
    expect(done.headers.get("Location")).toBe("/profile/mfa?step=codes&redirectTo=%2Fadmin");
    expect(await browser.whoAmI()).toMatchObject({ aal: 2, mfaEnabled: true, codesUnsaved: true });
    const read = () => browser.read<{ codes: string[] | null }>(mfa.loader, "/profile/mfa?step=codes");
    const codes = (await read()).codes ?? [];
    expect(codes).toHaveLength(10);
    expect((await read()).codes).toBeNull();

    const typed = { codes: `${codes.join(" ")} AAAAAAAA` };
    const file = await account(backupCodes.action, "/profile/backup-codes", typed);
    const text = await file.text();
    expect(file.headers.get("Content-Type")).toContain("text/plain");
    for (const code of codes) expect(text).toContain(code);
    expect(text).not.toContain("AAAAAAAA");
    expect(text).toMatch(/Generated: \d{4}-\d\d-\d\d/);

    const complete = await account(mfa.action, "/profile/mfa", { intent: "complete", redirectTo: "/admin" });
    expect(complete.headers.get("Location")).toBe("/admin");
    expect(await browser.whoAmI()).toMatchObject({ codesUnsaved: false });
  });
});

test.each([
  ["client", "user", siteLayout.loader, "/why-us"],
  ["administrator", "admin", adminLayout.loader, "/admin"],
] as const)("new backup codes remind a %s on every page until they are kept, and then say nothing of a set-up", async (_, role, layout, path) => {
  await browser.enter((await withPassword({ role, withTotp: true })).email);
  expect(await browser.read(layout, path)).toMatchObject({ codesUnsaved: false });
  const proof = { intent: "codes", current_password: PASSWORD, code: browser.currentCode(1) };
  const made = await account(mfa.action, "/profile/mfa", proof);
  expect(made.headers.get("Location")).toBe("/profile/mfa?step=codes&renewed=1");
  expect(await browser.read(mfa.loader, "/profile/mfa?step=codes&renewed=1")).toMatchObject({ isRenewal: true });
  expect(await browser.read(layout, path)).toMatchObject({ codesUnsaved: true });
  await browser.read(accountLayout.loader, "/profile");
  await account(mfa.action, "/profile/mfa?step=codes", { intent: "complete", renewed: "1" });
  expect(await browser.read(accountLayout.loader, "/profile")).toMatchObject({
    codesUnsaved: false,
    flash: { title: "Success", message: "Your new backup codes are in use." },
  });
});

describe("what needs a fresh proof of identity", () => {
  const later = async (person: Person) => {
    await browser.password(person.email);
    ctx.clock.advance(minutes(11));
  };

  test("leads to the page that asks for it, and back", async () => {
    const person = await withPassword();
    await later(person);
    const context = Object.assign(args(ctx, get("/profile/sessions?x=1")).context, {
      signedIn: { ...signedInAs(person, ctx.now()), reauthAt: ctx.now() - minutes(10) },
    });
    const response = await thrownBy(requireStepUp(context));
    expect(response.headers.get("Location")).toBe("/profile/confirm?redirectTo=%2Fprofile%2Fsessions%3Fx%3D1");

    const before = browser.cookies.get("__Host-sid");
    const path = "/profile/confirm?redirectTo=%2Fprofile%2Fsessions";
    const wrong = await account(confirm.action, path, { current_password: "Wrong!Horse7" });
    expect((await errorOf(wrong)).errors).toEqual({ current_password: "Current password is incorrect" });
    const proved = await account(confirm.action, path, { current_password: PASSWORD });
    expect(proved.headers.get("Location")).toBe("/profile/sessions");
    expect(browser.cookies.get("__Host-sid")).not.toBe(before);
    expect(await browser.whoAmI()).toMatchObject({ reauthAt: ctx.now() });
  });

  test.each(["//evil.test", "/\t/evil.test", "https://evil.test", "/admin"])("never leads to %j", async (wanted) => {
    const person = await withPassword();
    await later(person);
    const path = `/profile/confirm?redirectTo=${encodeURIComponent(wanted)}`;
    const proved = await account(confirm.action, path, { current_password: PASSWORD });
    expect(["/profile", "/client"]).toContain(proved.headers.get("Location"));
  });

  test("ending other sessions is one", async () => {
    await later(await withPassword());
    const response = await account(sessionsPage.action, "/profile/sessions", { intent: "revoke-others" });
    expect(response.headers.get("Location")).toBe("/profile/confirm?redirectTo=%2Fprofile%2Fsessions");
  });

  test("another address is one: the form asks in place, and nothing typed is lost or saved before", async () => {
    const person = await withPassword();
    await later(person);
    const typed = { intent: "details", full_name: "New Name", email: `next${number}@larkspur.example` };
    const asked = await account(profile.action, "/profile", typed);
    expect(asked.status).toBe(400);
    expect(await asked.json()).toMatchObject({
      needsProof: true,
      values: { full_name: "New Name", email: typed.email },
    });
    expect(await browser.whoAmI()).toMatchObject({ fullName: person.fullName });
    const saved = await account(profile.action, "/profile", { ...typed, current_password: PASSWORD });
    expect(saved.status).toBe(303);
    expect(await browser.whoAmI()).toMatchObject({ fullName: "New Name", email: person.email });
  });

  test("one's own phone is saved without a proof of identity, and staff call it from the ticket", async () => {
    const { ctx: staff, base, id } = await organizationAndStaff({});
    const person = await makePerson(base, { withPassword: true });
    await makeMember(base, id, person, "member");
    const ticket = await makeTicket(base, { organizationId: id, createdBy: person, status: "open", title: "No sound" });
    await saveContact(base, id, { fullName: person.fullName, email: person.email, phone: "(555) 555-0100" });
    const phoneOnTicket = async () => {
      const page = await ticketPage(args(staff, get("/admin/tickets"), { ticket: `T-${ticket.number}` }));
      return (await page.json()).about.creatorPhone;
    };
    // What we know from elsewhere, until they say themselves.
    expect(await phoneOnTicket()).toBe("(555) 555-0100");
    await later(person);
    const shown = { intent: "details", full_name: person.fullName, email: person.email };
    const send = (fields: { full_name?: string; phone?: string }) =>
      account(profile.action, "/profile", { ...shown, ...fields });
    const save = (phone: string) => send({ phone });
    expect((await save(" +1 555  555 0161 ")).status).toBe(303);
    expect(await phoneOnTicket()).toBe("+1 555 555 0161");
    expect((await errorOf(await save("5".repeat(41)))).errors).toEqual({
      phone: "Phone can have at most 40 characters",
    });
    // A page that was open before there was the field.
    expect((await send({ full_name: "Another Name" })).status).toBe(303);
    expect(await phoneOnTicket()).toBe("+1 555 555 0161");
    await save("");
    expect(await phoneOnTicket()).toBe("(555) 555-0100");
  });
});

test("a browser that has a new session since the list was shown is not said to be signed out", async () => {
  const person = await withPassword();
  await browser.password(person.email);
  const phone = openBrowser(ctx);
  await phone.password(person.email);
  const shown = (await phone.whoAmI())?.sessionHash ?? "";
  await phone.submit(confirm.action, "/profile/confirm", "account", { current_password: PASSWORD });
  const signOut = async (session: string) => {
    const fields = { intent: "revoke", session };
    const response = await account(sessionsPage.action, "/profile/sessions", fields);
    const message = takeFlash(await browser.context("/profile/sessions"));
    return [response.status, message?.kind, await phone.whoAmI()];
  };
  expect(await signOut(shown)).toMatchObject([303, "info", { userId: person.id }]);
  const open = (await phone.whoAmI())?.sessionHash ?? "";
  expect(await signOut(open)).toEqual([303, "success", null]);
  // The second of two clicks says what the first one did.
  expect(await signOut(open)).toEqual([303, "success", null]);
});

describe("the settings form of the password", () => {
  test.each([
    [{ new_password: "aaaaaa", confirm_password: "bbbbbb" }, "confirm_password", "New passwords do not match"],
    [{ new_password: "abc", confirm_password: "abc" }, "new_password", "Password must be at least 6 characters long"],
    [
      { new_password: "abcdefg", confirm_password: "abcdefg" },
      "new_password",
      "Password must be at least 8 characters long",
    ],
    [
      { new_password: "Brand!New8horse", confirm_password: "Brand!New8horse", current_password: "x" },
      "current_password",
      "Current password is incorrect",
    ],
  ])("rejects %j", async (fields, field, sentence) => {
    const person = await withPassword();
    await browser.password(person.email);
    const response = await account(profile.action, "/profile", { intent: "password", ...fields });
    expect((await errorOf(response)).errors).toEqual({ [field]: sentence });
  });
});

test("a form of an account that was made for another session is not accepted", async () => {
  const person = await withPassword();
  await browser.password(person.email);
  const response = await browser.submit(sessionsPage.action, "/profile/sessions", "sign-in", { intent: "end-all" });
  expect(await errorOf(response)).toMatchObject({ title: "Security Error" });
  expect(await browser.whoAmI()).not.toBeNull();
});

test.each([
  ["demanded", "moderator"],
  ["optional", "user"],
] as const)("after a reset the password alone opens nothing, where a factor is %s; the mailed link leads to a new one", async (_, role) => {
  const admin = await makePerson(ctx, { role: "admin" });
  const person = await withPassword({ role, withTotp: true });
  const actor = signedInAs(admin, ctx.now()) as StaffActor;
  const reset = { userId: person.id, reason: "Lost phone" };
  expect(await resetUserMfa(as(ctx, admin), actor, reset)).toMatchObject({ ok: true });
  const rejected = await browser.password(person.email);
  expect([rejected.status, (await errorOf(rejected)).errors.form]).toEqual([
    400,
    expect.stringContaining("Open the set-up link"),
  ]);
  expect(await browser.whoAmI()).toBeNull();
  expect((await browser.page()).state.at).toBe("credentials");
  const [mail] = await mailsTo(ctx, person.email);
  // Opening it moves the token from the address to a cookie.
  expect((await thrownBy(browser.open(linkIn(mail, "/login")))).status).toBe(303);
  await browser.password(person.email);
  expect((await browser.page()).state.at).toBe("setup_required");
  expect(await browser.whoAmI()).toBeNull();
});

test("a profile that cannot be read says so, with 503, and leaves out what it does not know", async () => {
  const ctx = testContext();
  const person = await withPassword();
  const open = async (signedIn: typeof ctx) => {
    const response = (await loader(args(signedIn, get("/profile")))) as Response;
    return { status: response.status, headers: response.headers, page: await response.json() };
  };
  const signedIn = derive(ctx, { signedIn: signedInAs(person, ctx.now()) });
  expect(await open(signedIn)).toMatchObject({
    status: 200,
    page: { email: person.email, state: { phone: "", pendingEmail: null, codesLeft: 0 } },
  });
  const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: overloaded"));
  const db = new Proxy(ctx.db, { get: (whole, key) => (key === "get" ? away : Reflect.get(whole, key)) });
  const broken = derive(signedIn, { db, log: () => undefined });
  const failed = await open(broken);
  expect(failed).toMatchObject({ status: 503, page: { email: person.email, state: null } });
  expect(failed.headers.get("Retry-After")).toBe("5");
});
