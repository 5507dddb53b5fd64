import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { brand } from "~/content/brand";
import { users } from "~/db/schema/accounts";
import type { SignInPage } from "~/features/sign-in/model";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_auth.auth";
import { loader as loginLoader, meta as signInMeta } from "~/routes/_auth.login";
import type { TestContext } from "../support/context";
import { makePerson } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];

beforeEach(() => {
  ({ ctx, browser } = newVisitor());
});

describe("the page itself", () => {
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
    await browser.password(admin.email);
    await browser.code(browser.currentCode());
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
