import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { authTokens, sessions } from "~/db/schema/sessions";
import { confirmEmailChange, requestEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import type { OpenLink } from "~/features/auth/mail-links.server";
import { findAccount, findPendingEmail } from "~/features/auth/queries.server";
import { hours, minutes } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, type Person } from "../../support/factories";
import { linkIn, mailsTo, tokenIn } from "../../support/mails";

let ctx: TestContext;
let person: Person;
let wanted: string;
let changes = 0;

beforeEach(async () => {
  changes += 1;
  ctx = testContext();
  person = await makePerson(ctx);
  wanted = `moved${changes}@larkspur.example`;
});

async function request(email = wanted): Promise<boolean> {
  const account = await findAccount(ctx.db, person.id);
  if (!account) throw new Error("no account");
  return requestEmailChange(as(ctx, person), { account, email, with: [] });
}

async function linkTo(address: string, subject: RegExp): Promise<OpenLink> {
  const mail = (await mailsTo(ctx, address)).filter((candidate) => subject.test(candidate.subject)).at(-1);
  const tokenHash = hashToken(tokenIn(linkIn(mail, "/email-change")));
  const [row] = await ctx.db.select().from(authTokens).where(eq(authTokens.id_hash, tokenHash));
  return { userId: row?.user_id ?? "", email: row?.email ?? "", tokenHash };
}
const confirmation = () => linkTo(wanted, /^Confirm your new/);
const undo = () => linkTo(person.email, /is being changed$/);
const stored = async () => (await ctx.db.select().from(users).where(eq(users.id, person.id)))[0];

test("the old address stays until the link in the mail to the new one is used; then every session ends", async () => {
  expect(await request()).toBe(true);
  expect(await stored()).toMatchObject({ email: person.email, pending_email: wanted, auth_epoch: 0 });
  expect(await confirmEmailChange(ctx, await confirmation())).toEqual({ ok: true, staysSignedIn: false });
  expect(await stored()).toMatchObject({ email: wanted, pending_email: null, auth_epoch: 1 });
});

test("a person who confirms in a signed-in browser stays signed in there, with a new session", async () => {
  await request();
  const link = await confirmation();
  expect(await confirmEmailChange(as(ctx, person), link)).toEqual({ ok: true, staysSignedIn: true });
  expect(ctx.cookiesSet.some((cookie) => /^__Host-sid=[\w-]{43};/.test(cookie))).toBe(true);
});

test("a confirmed address proves neither password nor second factor", async () => {
  await request();
  const link = await confirmation();
  const own = as(ctx, person);
  const provedAt = ctx.now() - minutes(30);
  if (own.signedIn) own.signedIn = { ...own.signedIn, reauthAt: provedAt };
  expect(await confirmEmailChange(own, link)).toEqual({ ok: true, staysSignedIn: true });
  const [session] = await ctx.db.select().from(sessions).where(eq(sessions.user_id, person.id));
  expect(session?.reauth_at).toBe(provedAt);
});

test("a new address is pending exactly as long as its link is valid", async () => {
  const waiting = () => findPendingEmail(ctx.db, person.id, ctx.now());
  expect(await waiting()).toBeNull();
  await request();
  expect(await waiting()).toBe(wanted);
  ctx.clock.advance(hours(24) - 1);
  expect(await waiting()).toBe(wanted);
  ctx.clock.advance(1);
  expect(await waiting()).toBeNull();
  await request();
  expect(await waiting()).toBe(wanted);
  await undoEmailChange(ctx, await undo());
  expect(await waiting()).toBeNull();
});

test("of ten parallel confirmations one succeeds", async () => {
  await request();
  const link = await confirmation();
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirmEmailChange(ctx, link)));
  expect(answers.filter((answer) => answer.ok)).toHaveLength(1);
  expect((await stored())?.auth_epoch).toBe(1);
});

describe("the old address can undo it", () => {
  test("before it was confirmed", async () => {
    await request();
    const link = await confirmation();
    expect(await undoEmailChange(ctx, await undo())).toMatchObject({ ok: true });
    expect(await confirmEmailChange(ctx, link)).toEqual({ ok: false, code: "link_invalid" });
    expect(await stored()).toMatchObject({ email: person.email, pending_email: null });
  });

  test("for 72 hours after it was asked for, confirmed or not", async () => {
    await request();
    const link = await undo();
    await confirmEmailChange(ctx, await confirmation());
    ctx.clock.advance(hours(72) - 1);
    expect(await undoEmailChange(ctx, link)).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ email: person.email, auth_epoch: 2 });
  });

  test("and not later", async () => {
    await request();
    const link = await undo();
    await confirmEmailChange(ctx, await confirmation());
    ctx.clock.advance(hours(72));
    expect(await undoEmailChange(ctx, link)).toEqual({ ok: false, code: "link_invalid" });
  });
});

test("an address of another account is rejected when it is confirmed, not when it is typed", async () => {
  const other = await makePerson(ctx);
  wanted = other.email;
  expect(await request()).toBe(true);
  expect(await confirmEmailChange(ctx, await confirmation())).toEqual({ ok: false, code: "email_taken" });
  expect((await stored())?.email).toBe(person.email);
});

test("a newer change makes the link of an earlier one invalid", async () => {
  await request();
  const first = await confirmation();
  await request(`later${changes}@larkspur.example`);
  expect(await confirmEmailChange(ctx, first)).toEqual({ ok: false, code: "link_invalid" });
});

test("the confirmation is valid for 24 hours, and each link works for its purpose only", async () => {
  await request();
  const link = await confirmation();
  expect(await undoEmailChange(ctx, link)).toEqual({ ok: false, code: "link_invalid" });
  ctx.clock.advance(hours(24) - 1);
  expect(await confirmEmailChange(ctx, link)).toMatchObject({ ok: true });
});

test("after 24 hours the confirmation is over", async () => {
  await request();
  const link = await confirmation();
  ctx.clock.advance(hours(24));
  expect(await confirmEmailChange(ctx, link)).toEqual({ ok: false, code: "link_invalid" });
});

test("mails to an address are limited", async () => {
  const asked = [await request(), await request(), await request(), await request()];
  expect(asked).toEqual([true, true, true, false]);
  expect((await mailsTo(ctx, wanted)).length).toBe(3);
});
