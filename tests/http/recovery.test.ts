import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import type { ValidationError } from "~/lib/form";
import * as profile from "~/routes/_account.profile._index";
import * as mfa from "~/routes/_account.profile.mfa";
import * as admin from "~/routes/_admin.admin._index";
import * as portal from "~/routes/_portal.client._index";
import { openBrowser } from "../support/browser";
import { derive, type TestContext } from "../support/context";
import { makePerson, PASSWORD, type Person } from "../support/factories";
import { linkIn, mailsTo } from "../support/mails";
import { thrownBy } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];

beforeEach(() => {
  ({ ctx, browser } = newVisitor());
});

const errorOf = async (response: Response) => (await response.json()) as ValidationError;

describe("a password that must be changed", () => {
  test("opens nothing else, and the new one is typed at the next sign-in", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await ctx.db.update(users).set({ must_change_password: 1 }).where(eq(users.id, person.id));
    await browser.password(person.email);
    const sent = await browser.visit(profile.loader, "/profile");
    expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/login?mode=update"]);

    const required = { at: "password_update", email: person.email, proof: "password", isRequired: true };
    expect((await browser.page("/login?mode=update")).state).toEqual(required);

    const form = { intent: "update-password", new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
    const wrong = await browser.send({ ...form, current_password: "Wrong!Horse7" }, "/login?mode=update");
    expect((await errorOf(wrong)).errors).toEqual({ current_password: "Current password is incorrect" });
    const updated = await browser.send({ ...form, current_password: PASSWORD }, "/login?mode=update");
    expect(updated.headers.get("Location")).toBe("/client/auth");
    expect(await browser.whoAmI()).toBeNull();
    await browser.password(person.email, "Brand!New8horse");
    expect(await browser.whoAmI()).toMatchObject({ mustChangePassword: false });
  });

  describe("by one of the staff who has no second factor yet", () => {
    const change = {
      intent: "update-password",
      current_password: PASSWORD,
      new_password: "Brand!New8horse",
      confirm_password: "Brand!New8horse",
    };
    let person: Person;

    beforeEach(async () => {
      person = await makePerson(ctx, { withPassword: true, role: "moderator" });
      await ctx.db.update(users).set({ must_change_password: 1 }).where(eq(users.id, person.id));
      await browser.password(person.email);
    });

    test("comes first, then the factor, and then the backup codes are seen", async () => {
      expect((await browser.page("/login?mode=update")).state).toMatchObject({ proof: "password", isRequired: true });
      const updated = await browser.send(change, "/login?mode=update");
      expect([updated.status, updated.headers.get("Location")]).toEqual([303, "/auth"]);
      const { state, enrollment } = await browser.page("/auth");
      expect(state).toMatchObject({ at: "setup_required", email: person.email });
      const code = codeAt(enrollment?.secret ?? "", stepAt(ctx.now()));
      const completed = await browser.send({ intent: "verify-setup", code });
      expect(completed.headers.get("Location")).toMatch(/^\/profile\/mfa\?step=codes/);
      expect(await browser.whoAmI()).toMatchObject({ aal: 2, mustChangePassword: false, codesUnsaved: true });
      const codes = await browser.visit(mfa.loader, "/profile/mfa?step=codes");
      expect(codes.status).toBe(200);
      expect(((await codes.json()) as { codes: string[] }).codes).toHaveLength(10);
    });

    test("is all that the session before it opens, which has no second factor", async () => {
      expect(await browser.whoAmI()).toMatchObject({ aal: 1, mustChangePassword: true });
      for (const [loader, path] of [
        [admin.loader, "/admin"],
        [mfa.loader, "/profile/mfa?do=enable"],
        [profile.loader, "/profile"],
        [portal.loader, "/client"],
      ] as const) {
        const sent = await browser.visit(loader as never, path);
        expect([path, sent.status, sent.headers.get("Location")]).toEqual([path, 303, "/login?mode=update"]);
      }
    });

    test("leads to no set-up for whoever types a wrong password, or one that is over", async () => {
      const wrong = await browser.send({ ...change, current_password: "Wrong!Horse7" }, "/login?mode=update");
      expect(wrong.status).toBe(400);
      expect(browser.cookies.has("__Host-mfa")).toBe(false);
      await browser.send(change, "/login?mode=update");
      const late = openBrowser(ctx);
      expect((await late.password(person.email, PASSWORD)).status).toBe(400);
    });
  });
});

describe("the reset screen", () => {
  test("answers an address that exists and one that does not byte for byte the same", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const [one, other] = [
      await browser.send({ intent: "request-reset", email: person.email }, "/login?mode=reset"),
      await browser.send({ intent: "request-reset", email: "nobody@nowhere.example" }, "/login?mode=reset"),
    ];
    expect([one.status, one.headers.get("Location")]).toEqual([other.status, other.headers.get("Location")]);
    expect(await one.text()).toBe(await other.text());
  });

  test("says that mail is delayed while the provider's quota is used up, whoever asks, and not otherwise", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const noteFor = async (email: string, path = "/login?reset=sent") => {
      await browser.send({ intent: "request-reset", email }, "/login?mode=reset");
      return (await browser.page(path)).mailNote;
    };
    expect(await noteFor(person.email)).toBeUndefined();
    await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
    const note = "Our mail is delayed right now. If none has come within an hour, ask for it again.";
    expect(await noteFor(person.email)).toBe(note);
    expect(await noteFor("nobody@nowhere.example")).toBe(note);
    expect(await noteFor(person.email, "/client/auth?tab=check")).toBe(note);
    expect(await noteFor(person.email, "/login")).toBeUndefined();
    await endMailPause(ctx);
  });

  test("takes the token out of the address and uses nothing up by being opened", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.send({ intent: "request-reset", email: person.email }, "/login?mode=reset");
    const link = linkIn((await mailsTo(ctx, person.email))[0], "/login");
    for (let scan = 0; scan < 3; scan += 1) {
      const response = await thrownBy(browser.open(link));
      expect([response.status, response.headers.get("Location")]).toEqual([303, "/login?mode=reset"]);
    }
    const { state } = await browser.page("/login?mode=reset");
    expect(state).toMatchObject({ at: "password_update", email: person.email, proof: "link" });
  });

  test("says that a link is over to whoever comes by one, until they ask for another", async () => {
    const invalid = { at: "reset_request", isLinkInvalid: true };
    await thrownBy(browser.open(`/login?mode=reset&token=${"a".repeat(43)}`));
    expect((await browser.page("/login?mode=reset")).state).toEqual(invalid);
    await browser.send({ intent: "request-reset", email: "nobody@nowhere.example" }, "/login?mode=reset");
    expect((await browser.page("/login?mode=reset")).state).toEqual({ ...invalid, isLinkInvalid: false });
  });

  test("asks somebody who is signed in and has no link for the current password", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    expect((await browser.page("/login?mode=reset")).state).toMatchObject({ at: "password_update", proof: "password" });
  });

  test.each([
    "/login",
    "/auth",
  ])("at %s?mode=update asks whoever has no link for an address, and sends the mail", async (path) => {
    const shown = await browser.page(`${path}?mode=update`);
    expect(shown.state).toEqual({ at: "reset_request", isLinkInvalid: true });
    const { email } = await makePerson(ctx, { withPassword: true });
    const sent = await browser.send({ intent: "request-reset", email }, shown.action);
    expect(sent.headers.get("Location")).toBe(`${path}?reset=sent`);
    expect(await mailsTo(ctx, email)).toHaveLength(1);
  });

  test("without link and session changes nothing", async () => {
    const form = { intent: "update-password", new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
    const response = await browser.send(form, "/login?mode=update");
    expect(response.status).toBe(400);
    expect((await errorOf(response)).title).toBe("Password Update Failed");
  });

  test("an unexpected error of a new password is one during password update, and no password comes back", async () => {
    const select = () => {
      throw new Error("D1_ERROR: overloaded");
    };
    const db = new Proxy(ctx.db, { get: (real, name) => (name === "select" ? select : Reflect.get(real, name)) });
    const broken = openBrowser(derive(ctx, { db }));
    broken.cookies.set("__Host-rst", "A".repeat(43));
    const next = { new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
    const response = await broken.send({ intent: "update-password", ...next }, "/login?mode=update");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      title: "An error occurred during password update",
      errors: { form: "Please try again in a moment." },
    });
    expect(text).not.toContain("Brand!New8horse");
  });

  test.each([
    [{}, { new_password: "Enter the new password twice.", confirm_password: "Enter the password again." }],
    [{ new_password: "a" }, { confirm_password: "Enter the new password twice." }],
    [{ current_password: "", new_password: "a" }, { current_password: "Enter your current password." }],
    [{ new_password: "a", confirm_password: "b" }, { confirm_password: "Passwords do not match" }],
  ])("marks every field that is wrong with %j", async (fields, errors) => {
    const response = await browser.send({ intent: "update-password", ...fields }, "/login?mode=reset");
    expect((await errorOf(response)).errors).toMatchObject(errors);
  });

  test("keeps the page the person wants to open", async () => {
    const { redirectTo } = await browser.page("/login?mode=reset&redirectTo=%2Fprofile");
    expect(redirectTo).toBe("/profile");
    const form = { intent: "request-reset", email: "nobody@nowhere.example" };
    const sent = await browser.send(form, "/login?mode=reset&redirectTo=%2Fprofile");
    expect(sent.headers.get("Location")).toBe("/login?redirectTo=%2Fprofile&reset=sent");
    const elsewhere = await browser.send(form, "/login?mode=reset&redirectTo=%2F%2Fevil.test");
    expect(elsewhere.headers.get("Location")).toBe("/login?reset=sent");
  });
});
