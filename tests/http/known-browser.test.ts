import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { unlockUser } from "~/features/user-management/commands.server";
import { findPersonAccount } from "~/features/user-management/queries.server";
import { minutes } from "~/lib/time";
import * as login from "~/routes/_auth.login";
import * as notMe from "~/routes/_auth.not-me";
import { openBrowser } from "../support/browser";
import type { TestContext } from "../support/context";
import { as, makePerson, PASSWORD, type Person, signedInAs } from "../support/factories";
import { linkIn, mailsTo } from "../support/mails";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let owner: Person;

beforeEach(async () => {
  ({ ctx, browser } = newVisitor());
  owner = await makePerson(ctx, { withPassword: true });
  await browser.password(owner.email);
});

const newDeviceMails = async () =>
  (await mailsTo(ctx, owner.email)).filter(({ text }) => text.includes("This wasn't me") && text.includes("Chrome"));

/** Stores a running block. */
const block = (attempt_type: string, identifier: string) => {
  const running = { attempts: 9, blocked_until: ctx.now() + minutes(15), last_attempt_at: ctx.now() };
  const target = [rateLimitAttempts.attempt_type, rateLimitAttempts.identifier];
  return ctx.db
    .insert(rateLimitAttempts)
    .values({ attempt_type, identifier, ...running })
    .onConflictDoUpdate({ target, set: running });
};

test("after “This wasn't me” and a new password the browser of the intruder is a stranger's", async () => {
  const intruder = openBrowser(ctx);
  await intruder.password(owner.email);
  const mails = await newDeviceMails();
  await intruder.signOut();
  await intruder.password(owner.email);
  expect(await newDeviceMails()).toHaveLength(mails.length);
  await intruder.signOut();

  await browser.visit(notMe.loader, linkIn(mails.at(-1), "/not-me"));
  expect((await browser.submit(notMe.action, "/not-me", "link:not-me")).status).toBe(303);
  await browser.send({ intent: "request-reset", email: owner.email }, "/login?mode=reset");
  const resetMail = (await mailsTo(ctx, owner.email)).findLast(({ text }) => text.includes("mode=reset&token="));
  await browser.visit(login.loader, linkIn(resetMail, "/login"));
  const NEW = "Brand!New8horse";
  const form = { intent: "update-password", new_password: NEW, confirm_password: NEW };
  expect((await browser.send(form, "/login?mode=reset")).status).toBe(303);

  await block("login_account", `user:${owner.id}`);
  expect((await intruder.password(owner.email, NEW)).status).toBe(429);
  ctx.clock.advance(minutes(15));
  expect((await intruder.password(owner.email, NEW)).status).toBe(303);
  expect(await newDeviceMails()).toHaveLength(mails.length + 1);
});

test("a hundred wrong passwords by strangers lock the password for them, and never for the owner's browser, which lifts no lock", async () => {
  await ctx.db.update(users).set({ password_failures: 99 }).where(eq(users.id, owner.id));
  await openBrowser(ctx).password(owner.email, "Wrong!Horse7battery");
  await ctx.settle();
  await browser.signOut();
  const failures = async () => (await ctx.db.select().from(users).where(eq(users.id, owner.id)))[0]?.password_failures;
  expect(await failures()).toBe(100);
  expect((await openBrowser(ctx).password(owner.email)).status).toBe(400);
  await browser.password(owner.email);
  expect(await browser.whoAmI()).toMatchObject({ userId: owner.id });
  await ctx.settle();
  expect(await failures()).toBe(100);
  expect((await openBrowser(ctx).password(owner.email)).status).toBe(400);
});

test("a block of the whole network does not lock out the owner's browser, nor does its sign-in lift the block", async () => {
  await browser.signOut();
  await block("login_ip", ctx.request.network);
  expect((await openBrowser(ctx).password(owner.email)).status).toBe(429);
  await browser.password(owner.email);
  expect(await browser.whoAmI()).toMatchObject({ userId: owner.id });
  expect((await openBrowser(ctx).password(owner.email, PASSWORD)).status).toBe(429);
});

test("an unlocked account can be signed in to from the owner's browser too, which has a limit of its own; others stay blocked", async () => {
  const other = await makePerson(ctx);
  await block("login_device", `${other.id}:device`);
  await browser.signOut();
  for (let attempt = 0; attempt < 10; attempt += 1) await browser.password(owner.email, "Wrong!Horse7battery");
  expect((await browser.password(owner.email)).status).toBe(429);
  const blockOf = ({ id }: Person) => findPersonAccount(ctx.db, id, ctx.now());
  expect(await blockOf(owner)).toMatchObject({ failures: 10, blockedUntil: expect.any(Number) });
  const admin = await makePerson(ctx, { role: "admin" });
  const actor = { ...signedInAs(admin, ctx.now()), role: "admin", membership: null } as const;
  const unlocked = await unlockUser(as(ctx, admin), actor, { userId: owner.id, reason: "Called us" });
  expect(unlocked).toMatchObject({ ok: true });
  expect(await blockOf(owner)).toMatchObject({ failures: 0, blockedUntil: null });
  expect(await blockOf(other)).toMatchObject({ failures: 9 });
  await browser.password(owner.email);
  expect(await browser.whoAmI()).toMatchObject({ userId: owner.id });
});
