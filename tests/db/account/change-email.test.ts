import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import { confirmEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import { findProfileState } from "~/features/auth/queries.server";
import { resendConfirmation } from "~/features/sign-in/sign-up.server";
import { hours, minutes } from "~/lib/time";
import { derive, type TestContext } from "../../support/context";
import { emailChangeLink, requestChange } from "../../support/email-change";
import { as, makePerson, type Person } from "../../support/factories";
import { visitorContext } from "../../support/visitor";

let ctx: TestContext;
let person: Person;
let wanted: string;
let changes = 0;

beforeEach(async () => {
  changes += 1;
  ctx = visitorContext();
  person = await makePerson(ctx);
  wanted = `moved${changes}@larkspur.example`;
});

const request = (email = wanted) => requestChange(ctx, person, email);
const confirmation = () => emailChangeLink(ctx, wanted, /^Confirm your new/);
const undo = () => emailChangeLink(ctx, person.email, /is being changed$/);
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
  const waiting = async () => (await findProfileState(ctx.db, person.id, ctx.now())).pendingEmail;
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

test("nobody keeps a person from a new address by asking for confirmations of it that have no account", async () => {
  const options = { wait: async () => undefined, resendInvitations: async () => false };
  for (let asked = 0; asked < 5; asked += 1)
    expect(await resendConfirmation(ctx, wanted, options)).toEqual({ ok: true });
  expect(await request()).toBe(true);
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

describe("a request for another address is rejected, and sends no mail,", () => {
  const another = () => {
    changes += 1;
    return `moved${changes}@larkspur.example`;
  };
  const mails = async () => {
    await ctx.settle();
    return ctx.sent.length;
  };

  test("after three of one account, whatever addresses they name", async () => {
    const asked = [await request(another()), await request(another()), await request(another())];
    expect(asked).toEqual([true, true, true]);
    const before = await mails();
    expect(await request(another())).toBe(false);
    expect(await mails()).toBe(before);
    ctx.clock.advance(hours(1));
    expect(await request(another())).toBe(true);
  });

  test("after three to one mailbox, however it is written and whoever asks", async () => {
    const asked: boolean[] = [];
    for (const spelling of ["", "+1", "+two", "+3+4"]) {
      person = await makePerson(ctx);
      asked.push(await request(wanted.replace("@", `${spelling}@`)));
    }
    expect(asked).toEqual([true, true, true, false]);
  });

  test("after ten from one network: of seventeen in a row, ten are sent", async () => {
    const asked: boolean[] = [];
    for (let account = 0; account < 17; account += 1) {
      person = await makePerson(ctx);
      asked.push(await request(another()));
    }
    expect(asked.filter(Boolean)).toHaveLength(10);
    expect(asked[16]).toBe(false);
    ctx = derive(ctx, { request: { ...ctx.request, network: "198.51.100.250" } });
    expect(await request(another())).toBe(true);
  });
});
