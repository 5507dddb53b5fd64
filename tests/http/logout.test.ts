import { beforeEach, describe, expect, test } from "vitest";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as logoutLoader } from "~/routes/logout";
import type { TestContext } from "../support/context";
import { makePerson } from "../support/factories";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];

beforeEach(() => {
  ({ ctx, browser } = newVisitor());
});

describe("signing out", () => {
  test("is not done by a link", async () => {
    const response = logoutLoader();
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST"]);
  });

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
