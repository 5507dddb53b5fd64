import { beforeEach, describe, expect, test } from "vitest";
import type { SignInPage } from "~/features/sign-in/model";
import { minutes } from "~/lib/time";
import * as login from "~/routes/_auth.login";
import * as notMe from "~/routes/_auth.not-me";
import * as verifyEmail from "~/routes/_auth.verify-email";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { makePerson, type Person } from "../support/factories";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let person: Person;

beforeEach(async () => {
  ({ ctx, browser } = newVisitor());
  person = await makePerson(ctx, { withPassword: true });
});

const token = (guess: number) => String(guess).padStart(43, "a");

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
  for (let guess = 0; guess < 45; guess += 1) statuses.push((await open(page, token(guess))).status);
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(25).fill(429)]);
  const blocked = await open(page, token(99));
  expect(Number(blocked.headers.get("Retry-After"))).toBe(15 * 60);
  ctx.clock.advance(minutes(15));
  expect((await open(page, token(100))).status).toBe(200);
});

test("posting a new password with guessed tokens is counted too", async () => {
  const form = { intent: "update-password", new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
  const statuses: number[] = [];
  for (let guess = 0; guess < 21; guess += 1) {
    browser.cookies.set("__Host-rst", token(guess));
    statuses.push((await browser.send(form, "/login?mode=reset")).status);
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
    const form = { intent: "update-password", new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
    await browser.visit(login.loader, old);
    expect((await browser.send(form, "/login?mode=reset")).status).toBe(303);

    const elsewhere = (network: string) => openBrowser(ctx, { network });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const other = elsewhere(`203.0.113.${attempt}`);
      await other.visit(login.loader, old);
      statuses.push((await other.visit(login.loader, "/login?mode=reset")).status);
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429]);

    await browser.visit(login.loader, await resetLink());
    const page = (await (await browser.visit(login.loader, "/login?mode=reset")).json()) as SignInPage;
    expect(page.state).toMatchObject({ at: "password_update", proof: "link" });
  });
});
