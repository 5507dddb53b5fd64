import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { brand } from "~/content/brand";
import { users } from "~/db/schema/accounts";
import { rateLimitAttempts, sessions } from "~/db/schema/sessions";
import type { SignInPage } from "~/features/sign-in/model";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_auth.auth";
import { loader as loginLoader, meta as signInMeta } from "~/routes/_auth.login";
import { openBrowser } from "../support/browser";
import { derive, type TestContext } from "../support/context";
import { makePerson, PASSWORD } from "../support/factories";
import { args, errorOf, get, post, thrownBy } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let number: number;
let browser: Visitor["browser"];

beforeEach(() => {
  ({ ctx, browser, number } = newVisitor());
});

const sessionsOf = (userId: string) => ctx.db.select().from(sessions).where(eq(sessions.user_id, userId));

describe("staff", () => {
  const admin = () =>
    makePerson(ctx, { role: "admin", withPassword: true, withTotp: true, email: `admin${number}@wrenfield.example` });

  test("have no session between password and code, and one after it", async () => {
    const person = await admin();
    const first = await browser.password(person.email);
    expect(first.status).toBe(303);
    expect(first.headers.get("Location")).toBe("/auth");
    expect(browser.cookies.has("__Host-sid")).toBe(false);
    expect(await sessionsOf(person.id)).toEqual([]);
    expect((await browser.page()).state).toEqual({ at: "challenge", email: person.email });

    const second = await browser.code(browser.currentCode());
    expect(second.status).toBe(303);
    expect(second.headers.get("Location")).toBe("/admin");
    expect(await browser.whoAmI()).toMatchObject({ userId: person.id, role: "admin", aal: 2, mfaEnabled: true });
    expect(browser.cookies.has("__Host-mfa")).toBe(false);
  });

  test("type codes in groups if they like", async () => {
    await browser.password((await admin()).email);
    const code = browser.currentCode();
    expect((await browser.code(` ${code.slice(0, 3)} ${code.slice(3)} `)).status).toBe(303);
  });

  test("go back to where they came from, which the challenge remembers and the address shows", async () => {
    const person = await admin();
    const path = `/auth?redirectTo=${encodeURIComponent("/admin/submissions?status=new")}`;
    const first = await browser.password(person.email, PASSWORD, path);
    expect(first.headers.get("Location")).toBe(path);
    const second = await browser.code(browser.currentCode());
    expect(second.headers.get("Location")).toBe("/admin/submissions?status=new");
  });

  test.each([
    ["", "Please enter a verification code"],
    ["12345", "Invalid code"],
    ["１２３４５６", "Invalid code"],
  ])("who type %j read %s", async (typed, sentence) => {
    await browser.password((await admin()).email);
    const response = await browser.code(typed);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ errors: { code: sentence } });
    expect((await browser.page()).state.at).toBe("challenge");
  });

  test("who type a wrong code five times start again", async () => {
    const person = await admin();
    await browser.password(person.email);
    const wrong = browser.currentCode(10);
    for (const left of [4, 3, 2, 1]) {
      expect(await errorOf(await browser.code(wrong)), String(left)).toMatchObject({
        errors: { code: "Invalid verification code" },
      });
    }
    expect((await errorOf(await browser.code(wrong))).errors.form).toContain("Invalid verification code");
    expect((await browser.page()).state.at).toBe("credentials");
    expect(await sessionsOf(person.id)).toEqual([]);
  });

  test("may cancel and sign in as somebody else", async () => {
    await browser.password((await admin()).email);
    const response = await browser.send({ intent: "cancel" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect((await browser.page()).state.at).toBe("credentials");
  });

  test("without a second factor get no session, only the word that it must be set up", async () => {
    const person = await makePerson(ctx, { role: "admin", withPassword: true });
    expect((await browser.password(person.email)).status).toBe(303);
    expect((await browser.page()).state).toEqual({ at: "setup_required", email: person.email });
    expect(await browser.whoAmI()).toBeNull();
    expect(await sessionsOf(person.id)).toEqual([]);
    expect((await browser.code(browser.currentCode())).status).toBe(400);
  });
});

describe("everyone else", () => {
  test("lands on the portal with the password alone, if they have switched on no more", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const response = await browser.password(` ${person.email.toUpperCase()} `);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/client"]);
    expect(await browser.whoAmI()).toMatchObject({ userId: person.id, aal: 1 });
  });

  test("is asked for the code once they have", async () => {
    const person = await makePerson(ctx, { withPassword: true, withTotp: true });
    await browser.password(person.email);
    expect(await browser.whoAmI()).toBeNull();
    const response = await browser.code(browser.currentCode());
    expect(response.headers.get("Location")).toBe("/client");
    expect(await browser.whoAmI()).toMatchObject({ aal: 2 });
  });

  test("is not sent to the admin area or off the site, whatever the address says", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    for (const wanted of ["/admin", "//evil.test", "/\t/evil.test", "https://evil.test/client"]) {
      const path = `/auth?redirectTo=${encodeURIComponent(wanted)}`;
      expect((await browser.password(person.email, PASSWORD, path)).headers.get("Location")).toBe("/client");
    }
  });
});

describe("the first step does not succeed", () => {
  test("a wrong password and an unknown address read the same, byte for byte", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const typed = "same@length.example".slice(0, 30);
    await ctx.db.update(users).set({ email: typed }).where(eq(users.id, person.id));
    const wrong = await browser.password(typed, "Wrong!Horse7battery");
    await ctx.db.update(users).set({ email: person.email }).where(eq(users.id, person.id));
    const unknown = await browser.password(typed, "Wrong!Horse7battery");
    expect([wrong.status, unknown.status]).toEqual([400, 400]);
    const [one, other] = [await wrong.text(), await unknown.text()];
    expect(one).toBe(other);
    expect(JSON.parse(one)).toEqual({
      title: "Sign In Failed",
      errors: { form: "Invalid email or password" },
      values: { email: typed },
    });
    expect(one).not.toContain("Wrong!Horse7battery");
  });

  test.each([
    ["", "x", { email: "Email is required" }],
    ["someone@clinic.example", "", { password: "Password is required" }],
    [" ", "", { email: "Email is required", password: "Password is required" }],
  ])("e-mail %j and password %j: what is missing is marked, nothing counted", async (email, password, errors) => {
    const response = await browser.password(email, password);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ title: "Enter your email and password." });
    expect((await errorOf(await browser.password(email, password))).errors).toEqual(errors);
    const network = ctx.request.network;
    expect(await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.identifier, network))).toEqual([]);
  });

  test("the right password of an unconfirmed address is asked to confirm it first", async () => {
    const person = await makePerson(ctx, { withPassword: true, status: "unverified" });
    expect((await errorOf(await browser.password(person.email))).errors.form).toBe("Confirm your email first");
    expect(await browser.whoAmI()).toBeNull();
  });

  test("too many attempts: 429 with the time to come back", async () => {
    const email = `nobody${number}@nowhere.example`;
    for (let knock = 0; knock < 5; knock += 1) await browser.password(email, "Wrong!Horse7battery");
    const response = await browser.password(email, "Wrong!Horse7battery");
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe("60");
    expect(await errorOf(response)).toMatchObject({
      errors: { form: "Too many attempts. Try again in 1 minute." },
      values: { email },
    });
  });

  test.each([
    ["no token", ""],
    ["a made-up token", "v1.1.sign-in.1.abc.def"],
  ])("a form with %s is not looked at", async (_, form_token) => {
    const person = await makePerson(ctx, { withPassword: true });
    const response = await browser.send({ form_token, intent: "sign-in", email: person.email, password: PASSWORD });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ title: "Security Error", values: { email: person.email } });
    expect(await sessionsOf(person.id)).toEqual([]);
  });

  test.each(["constructor", "__proto__", "sign-out", "SIGN-IN"])("the intent %j does not exist", async (intent) => {
    expect((await browser.send({ intent })).status).toBe(400);
  });

  test.each([
    ["verify-code", "verification"],
    ["sign-up", "sign up"],
    ["request-reset", "password reset"],
  ])("an unexpected error of the form %s is one during %s; what was typed stays, without secrets", async (intent, step) => {
    const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: overloaded"));
    const broken = openBrowser(derive(ctx, { db: new Proxy(ctx.db, { get: () => away }) }));
    broken.cookies.set("__Host-mfa", "A".repeat(43));
    const password = "Brand!New8horse";
    const typed = { email: "priya@clinic.example", full_name: "Priya Raman", password, confirm_password: password };
    const response = await broken.send({ intent, code: "123456", ...typed });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      title: `An error occurred during ${step}`,
      values: { email: "priya@clinic.example" },
    });
    for (const secret of [password, "123456"]) expect(text).not.toContain(secret);
  });

  test("with the database away: 503, no session, and the words that say so", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: overloaded"));
    const broken = derive(ctx, { db: new Proxy(ctx.db, { get: () => away }) });
    const response = await openBrowser(broken).password(person.email);
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("5");
    expect(await errorOf(response)).toMatchObject({
      title: "An error occurred during sign in",
      errors: { form: "We can't complete sign-in right now. Please try again." },
    });
    expect(await sessionsOf(person.id)).toEqual([]);
  });
});

describe("the page of the sign-in", () => {
  test("sends people who are signed in where they belong", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    expect((await thrownBy(browser.open())).headers.get("Location")).toBe("/client");
    expect((await thrownBy(browser.open("/auth?redirectTo=/profile"))).headers.get("Location")).toBe("/profile");
    expect((await thrownBy(browser.open("/auth?redirectTo=/admin"))).headers.get("Location")).toBe("/client");
  });

  test("of the clients leads staff to the portal too, unless they wanted another page", async () => {
    const admin = await makePerson(ctx, {
      role: "admin",
      withPassword: true,
      withTotp: true,
      email: `staff${ctx.request.network.replaceAll(".", "-")}@wrenfield.example`,
    });
    await browser.enter(admin.email);
    expect((await thrownBy(browser.open("/auth"))).headers.get("Location")).toBe("/admin");
    expect((await thrownBy(browser.open("/client/auth"))).headers.get("Location")).toBe("/client");
    expect((await thrownBy(browser.open("/client/auth?redirectTo=%2Fadmin"))).headers.get("Location")).toBe("/admin");
  });

  test("stays for someone who must choose a new password first, so that nobody is sent round in circles", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    await ctx.db.update(users).set({ must_change_password: 1 }).where(eq(users.id, person.id));
    expect((await browser.page("/login?mode=update")).state).toMatchObject({
      at: "password_update",
      proof: "password",
    });
    expect((await thrownBy(browser.open("/auth"))).headers.get("Location")).toBe("/login?mode=update");
  });

  test.each([
    ["a wrong password", { intent: "sign-in", email: "somebody@larkspur.example", password: "Wrong!Horse7" }, "/auth"],
    ["an empty password", { intent: "sign-in", email: "somebody@larkspur.example", password: "" }, "/auth"],
    ["a sign-up without a name", { intent: "sign-up", email: "new@larkspur.example" }, "/client/auth?tab=create"],
  ])("says of %s what is wrong on that form, while another tab waits for a code", async (_, fields, path) => {
    const person = await makePerson(ctx, { withPassword: true, withTotp: true });
    await browser.password(person.email);
    expect((await browser.page(path)).state.at).toBe("challenge");
    const context = await browser.context(path);
    const form = { form_token: issueFormToken(context, "sign-in"), ...fields };
    expect((await action({ context, request: post(path, form), params: {} })).status).toBe(400);
    const shown = (await (await loader({ context, request: get(path), params: {} })).json()) as SignInPage;
    expect(shown.state.at).toBe(fields.intent === "sign-in" ? "credentials" : "sign_up");
    expect((await browser.page()).state.at).toBe("challenge");
    expect((await browser.code(browser.currentCode())).status).toBe(303);
  });

  test("says why, for those who wanted their settings", async () => {
    expect((await browser.page("/auth?redirectTo=%2Fprofile")).reason).toBe("Please log in to view settings");
    expect((await browser.page()).reason).toBeUndefined();
  });

  test("is the same at both addresses and posts back to its own", async () => {
    const request = get("/login?redirectTo=%2Fadmin&mode=x&next=//evil.test");
    const page = (await (await loginLoader(args(ctx, request))).json()) as SignInPage;
    expect(page.action).toBe("/login?redirectTo=%2Fadmin");
  });

  test.each([
    ["/login?mode=reset&redirectTo=/profile", "/auth"],
    ["/auth", "/auth"],
    ["/client/auth?tab=sign-up", "/client/auth"],
  ])("%s names %s as its canonical address", (address, canonical) => {
    const { pathname } = new URL(address, "https://wrenfield.example");
    const matches = [
      { id: "root", data: { brand } },
      { id: "routes/_auth", data: { origin: "https://wrenfield.example" } },
    ];
    const described = signInMeta({ location: { pathname }, matches } as unknown as Parameters<typeof signInMeta>[0]);
    expect(described).toContainEqual({
      tagName: "link",
      rel: "canonical",
      href: `https://wrenfield.example${canonical}`,
    });
  });

  test("a challenge cookie that is none shows the credentials without asking the database", async () => {
    browser.cookies.set("__Host-mfa", "' OR 1=1 --");
    const before = ctx.cost.queries;
    expect((await browser.page()).state.at).toBe("credentials");
    expect(ctx.cost.queries).toBe(before);
  });
});

describe("signing out", () => {
  test("ends the session and has the browser forget what it kept", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    const sessionId = browser.cookies.get("__Host-sid") ?? "";
    const response = await browser.signOut();
    expect(response.status).toBe(303);
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect(browser.cookies.has("__Host-sid")).toBe(false);
    browser.cookies.set("__Host-sid", sessionId);
    expect(await browser.whoAmI()).toBeNull();
  });

  test("without our form leaves the session alone", async () => {
    await browser.password((await makePerson(ctx, { withPassword: true })).email);
    const response = await browser.signOut("v1.1.sign-out.1.abc.def");
    expect(response.headers.get("Location")).toBe("/");
    expect(await browser.whoAmI()).not.toBeNull();
  });

  test("a second time is no error", async () => {
    await browser.password((await makePerson(ctx, { withPassword: true })).email);
    const { signedIn } = await browser.context();
    const token = issueFormToken({ ...ctx, signedIn }, "sign-out");
    for (const time of ["first", "second"]) {
      const response = await browser.signOut(token);
      expect([response.status, response.headers.get("Location")], time).toEqual([303, "/auth"]);
    }
  });

  test("without having signed in is no error", async () => {
    const response = await browser.signOut("");
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/auth"]);
  });
});
