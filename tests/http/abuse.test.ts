import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import * as profile from "~/routes/_account.profile._index";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { makePerson, PASSWORD, type Person } from "../support/factories";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let number: number;

beforeEach(() => {
  ({ ctx, browser, number } = newVisitor());
});

const accountOf = async (email: string) => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];
const signUp = (email: string, more: Record<string, string> = {}) =>
  browser.send(
    { intent: "sign-up", full_name: "Priya", email, password: PASSWORD, confirm_password: PASSWORD, ...more },
    "/client/auth?tab=create",
  );

describe("an address tells nothing about its account", () => {
  /** Collects everything of an answer that a stranger sees, and what it leaves in the browser. */
  async function seen(answer: Response) {
    return {
      status: answer.status,
      location: answer.headers.get("Location"),
      body: await answer.text(),
      cookies: [...browser.cookies.keys()],
    };
  }
  const all = async (answer: (email: string) => Promise<Response>) => {
    const addresses = [`new${number}@clinic.example`];
    for (const status of ["active", "unverified", "pending", "deactivated"] as const) {
      addresses.push((await makePerson(ctx, { status })).email);
    }
    const answers = [];
    for (const email of addresses) {
      browser.cookies.clear();
      answers.push(await seen(await answer(email)));
    }
    return answers;
  };

  test.each([
    ["signing up", signUp],
    ["asking for the confirmation again", (email: string) => browser.send({ intent: "resend", email }, "/client/auth")],
    ["asking for a reset", (email: string) => browser.send({ intent: "request-reset", email }, "/login?mode=reset")],
  ])("when %s: new, active, unconfirmed, invited and closed answer the same, byte for byte", async (_, answer) => {
    const [first, ...others] = await all(answer);
    expect(first?.status).toBe(303);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("fields nobody asked for are not looked at", () => {
  const EXTRA = {
    role: "admin",
    status: "active",
    id: "usr_chosen",
    user_id: "usr_chosen",
    organization_id: "org_chosen",
    auth_epoch: "99",
    must_change_password: "0",
    is_enabled: "1",
    __proto__: "x",
    "constructor[prototype][role]": "admin",
  };

  test("by the sign-up", async () => {
    const email = `mass${number}@clinic.example`;
    expect((await signUp(email, EXTRA)).status).toBe(303);
    const account = await accountOf(email);
    expect(account).toMatchObject({ status: "unverified", auth_epoch: 0 });
    expect(account?.id).not.toBe("usr_chosen");
    expect(
      await ctx.db
        .select()
        .from(userRoles)
        .where(eq(userRoles.user_id, account?.id ?? "")),
    ).toEqual([]);
  });

  test("by the settings, whoever the form names", async () => {
    const victim = await makePerson(ctx);
    const person: Person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    const form = { intent: "details", full_name: "Mine", email: person.email, ...EXTRA, user_id: victim.id };
    expect((await browser.submit(profile.action, "/profile", "account", form)).status).toBe(303);
    expect((await accountOf(person.email))?.full_name).toBe("Mine");
    expect((await accountOf(victim.email))?.full_name).toBe(victim.fullName);
    expect(await browser.whoAmI()).toMatchObject({ role: "user" });
    const joined = await ctx.db
      .select()
      .from(organizationMemberships)
      .where(eq(organizationMemberships.user_id, person.id));
    expect(joined).toEqual([]);
  });
});

test("what people call themselves is text in the mails they cause", async () => {
  const email = `script${number}@clinic.example`;
  await signUp(email, { full_name: "<script>alert(1)</script>\r\nBcc: all@evil.example", organization_name: "<b>" });
  const [mail] = await mailsTo(ctx, email);
  expect(mail?.html).not.toContain("<script>");
  expect(mail?.to).toBe(email);
  expect(`${mail?.subject}`).not.toMatch(/[\r\n]|Bcc/);
});

test("links in mails lead to our own origin, whatever host and headers the request came with", async () => {
  const person = await makePerson(ctx);
  const elsewhere = openBrowser(ctx, { url: new URL("http://127.0.0.1:8787/login") });
  await elsewhere.send({ intent: "request-reset", email: person.email }, "/login?mode=reset");
  const [mail] = await mailsTo(ctx, person.email);
  expect(linkIn(mail, "/login")).toMatch(/^\/login\?mode=reset&token=[\w-]{43}$/);
  const hosts = [...(mail?.text.matchAll(/https?:\/\/[^/\s]+/g) ?? [])].map(([origin]) => origin);
  expect(new Set(hosts)).toEqual(new Set([ctx.config.APP_ORIGIN]));
});

test.each([
  "' OR 1=1 --",
  "%",
  "a@b.example\u0000",
  "ＡＤＭＩＮ@wrenfield.example",
  `${"x".repeat(300)}@clinic.example`,
  "$scrypt-hmac$",
  '{"$ne":null}',
])("as an address %j is rejected in words, never with an error", async (email) => {
  for (const answer of [
    await browser.password(email),
    await browser.send({ intent: "request-reset", email }, "/login?mode=reset"),
    await signUp(email),
  ]) {
    expect([303, 400]).toContain(answer.status);
  }
  expect(await browser.whoAmI()).toBeNull();
});
