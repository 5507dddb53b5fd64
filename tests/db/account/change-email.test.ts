import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { authTokens, sessions } from "~/db/schema/sessions";
import { confirmEmailChange, undoEmailChange } from "~/features/account/change-email.server";
import { findLink } from "~/features/auth/mail-links.server";
import { findProfileState, findSignedIn } from "~/features/auth/queries.server";
import { resetPassword } from "~/features/auth/set-password.server";
import { requestPasswordReset } from "~/features/sign-in/recovery.server";
import { resendConfirmation, signUp } from "~/features/sign-in/sign-up.server";
import { hours, minutes } from "~/lib/time";
import { hashToken } from "~/platform/crypto.server";
import { derive, type TestContext } from "../../support/context";
import { emailChangeLink, requestChange } from "../../support/email-change";
import { as, makePerson, makeSession, type Person } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { linkIn, mailsTo, tokenIn } from "../../support/mails";
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
const confirm = async (own = ctx) => confirmEmailChange(own, await confirmation());
const confirmation = () => emailChangeLink(ctx, wanted, /^Confirm your new/);
const undoLinkOf = (address: string) => emailChangeLink(ctx, address, /is being changed$/);
const undo = () => undoLinkOf(person.email);
const stored = async () => (await ctx.db.select().from(users).where(eq(users.id, person.id)))[0];
const INVALID = { ok: false, code: "link_invalid" };
const options = { wait: async () => undefined, resendInvitations: async () => false };
const signUpWith = (email: string) =>
  signUp(ctx, { fullName: "Somebody", email, password: "Honest!Horse7", organizationName: "" }, options);

describe("changing an address", () => {
  test("the old address stays until the link in the mail to the new one is used; then every session ends", async () => {
    expect(await request()).toBe(true);
    expect(await stored()).toMatchObject({ email: person.email, pending_email: wanted, auth_epoch: 0 });
    expect(await confirm()).toEqual({ ok: true, staysSignedIn: false });
    expect(await stored()).toMatchObject({ email: wanted, pending_email: null, auth_epoch: 1 });
  });

  test("a person who confirms in a signed-in browser stays signed in there, with a new session", async () => {
    await request();
    expect(await confirm(as(ctx, person))).toEqual({ ok: true, staysSignedIn: true });
    expect(ctx.cookiesSet.some((cookie) => /^__Host-sid=[\w-]{43};/.test(cookie))).toBe(true);
  });

  test("a confirmed address proves neither password nor second factor", async () => {
    await request();
    const own = as(ctx, person);
    const provedAt = ctx.now() - minutes(30);
    if (own.signedIn) own.signedIn = { ...own.signedIn, reauthAt: provedAt };
    expect(await confirm(own)).toEqual({ ok: true, staysSignedIn: true });
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
      expect(await confirmEmailChange(ctx, link)).toEqual(INVALID);
      expect(await stored()).toMatchObject({ email: person.email, pending_email: null });
    });

    test.each([
      ["for 72 hours after it was asked for, confirmed or not", hours(72) - 1, true],
      ["and not later", hours(72), false],
    ])("%s", async (_, after, isUndone) => {
      await request();
      const link = await undo();
      await confirm();
      ctx.clock.advance(after);
      expect((await undoEmailChange(ctx, link)).ok).toBe(isUndone);
      expect(await stored()).toMatchObject(isUndone ? { email: person.email, auth_epoch: 2 } : { email: wanted });
    });
  });

  test("an address of another account is rejected when it is confirmed, not when it is typed", async () => {
    const other = await makePerson(ctx);
    wanted = other.email;
    expect(await request()).toBe(true);
    expect(await confirm()).toEqual({ ok: false, code: "email_taken" });
    expect((await stored())?.email).toBe(person.email);
  });

  test("a newer change makes the link of an earlier one invalid", async () => {
    await request();
    const first = await confirmation();
    await request(`later${changes}@larkspur.example`);
    expect(await confirmEmailChange(ctx, first)).toEqual(INVALID);
  });

  test.each([
    ["valid for 24 hours", hours(24) - 1, true],
    ["over after them", hours(24), false],
  ])("the confirmation is %s, and undoes nothing", async (_, after, isValid) => {
    await request();
    const link = await confirmation();
    expect(await undoEmailChange(ctx, link)).toEqual(INVALID);
    ctx.clock.advance(after);
    expect((await confirmEmailChange(ctx, link)).ok).toBe(isValid);
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
});

describe("undoing a change of address", () => {
  describe("whoever takes over an account cannot keep its first owner out", () => {
    /** Changes the address as a thief does who has a session, and reads the mails of their own address. */
    async function steal(to: string) {
      wanted = to;
      await request();
      expect(await confirm()).toMatchObject({ ok: true });
    }

    test("by changing the address again and again: the first link brings it back", async () => {
      await steal(wanted);
      const link = await undo();
      for (const turn of [1, 2, 3]) {
        ctx.clock.advance(hours(2));
        await steal(`thief${changes}-${turn}@larkspur.example`);
      }
      expect(await undoEmailChange(ctx, link)).toMatchObject({ ok: true });
      expect(await stored()).toMatchObject({ email: person.email, pending_email: null, password_hash: null });
    });

    test("by undoing the undo with the link of a later address", async () => {
      await steal(wanted);
      const thiefs = `thief${changes}@larkspur.example`;
      const stolen = wanted;
      const owners = await undo();
      await steal(thiefs);
      const later = await undoLinkOf(stolen);
      expect(await undoEmailChange(ctx, owners)).toMatchObject({ ok: true });
      expect(await undoEmailChange(ctx, later)).toEqual(INVALID);
      expect((await stored())?.email).toBe(person.email);
    });

    test("by undoing first: an older link still works", async () => {
      await steal(wanted);
      const stolen = wanted;
      const owners = await undo();
      await steal(`thief${changes}@larkspur.example`);
      expect(await undoEmailChange(ctx, await undoLinkOf(stolen))).toMatchObject({ ok: true });
      expect((await stored())?.email).toBe(stolen);
      expect(await undoEmailChange(ctx, owners)).toMatchObject({ ok: true });
      expect((await stored())?.email).toBe(person.email);
    });

    test("with links that were mailed to the later address", async () => {
      await steal(wanted);
      await requestPasswordReset(ctx, wanted, async () => undefined);
      const token = tokenIn(linkIn((await mailsTo(ctx, wanted)).at(-1), "/login"));
      expect(await undoEmailChange(ctx, await undo())).toMatchObject({ ok: true });
      const isUsed = sql`id_hash = ${hashToken(token)} AND consumed_at IS NOT NULL`;
      expect(await ctx.db.$count(authTokens, isUsed)).toBe(1);
    });

    test("by changing the account at the same moment", async () => {
      await steal(wanted);
      const link = await undo();
      const racing = interruptedBeforeCommit(ctx, () =>
        ctx.db.update(users).set({ auth_epoch: 5 }).where(eq(users.id, person.id)),
      );
      expect(await undoEmailChange(racing, link)).toMatchObject({ ok: true });
      expect(await stored()).toMatchObject({ email: person.email, auth_epoch: 6 });
    });

    test("by signing up with the address that became free, or by moving another account to it", async () => {
      await steal(wanted);
      const link = await undo();
      expect(await signUpWith(person.email)).toMatchObject({ ok: true });
      expect(await ctx.db.$count(users, eq(users.email, person.email))).toBe(0);

      const owner = person;
      person = await makePerson(ctx);
      wanted = owner.email;
      await request();
      expect(await confirm()).toEqual({ ok: false, code: "email_taken" });
      person = owner;
      expect(await undoEmailChange(ctx, link)).toMatchObject({ ok: true });
      expect((await stored())?.email).toBe(owner.email);
    });

    test("once 72 hours are over, the address is free again", async () => {
      await steal(wanted);
      ctx.clock.advance(hours(72));
      await signUpWith(person.email);
      expect(await ctx.db.$count(users, eq(users.email, person.email))).toBe(1);
    });

    test("the undo signs everybody out, and the browser of the link chooses the new password", async () => {
      await steal(wanted);
      const thief = await makeSession(ctx, person);
      ctx.cookiesSet.length = 0;
      await undoEmailChange(ctx, await undo());
      expect(await findSignedIn(ctx.db, thief.signedIn.sessionHash, ctx.now())).toBeNull();
      const token = ctx.cookiesSet.map((cookie) => /^__Host-rst=([\w-]{43});/.exec(cookie)?.[1]).find(Boolean) ?? "";
      const opened = derive(ctx, { request: { ...ctx.request, cookies: new Map([["__Host-rst", token]]) } });
      const link = await findLink(opened, "reset");
      expect(link).toMatchObject({ userId: person.id, email: person.email });
      if (link) expect(await resetPassword(opened, link, "Brand!New8horse")).toMatchObject({ ok: true });
    });
  });

  describe("an account that nobody has confirmed", () => {
    const unconfirmed = () => makePerson(ctx, { status: "unverified", email: wanted });

    test("does not keep its address from somebody who proves it", async () => {
      const other = await unconfirmed();
      await request();
      expect(await confirm()).toMatchObject({ ok: true });
      expect((await stored())?.email).toBe(wanted);
      expect(await ctx.db.$count(users, eq(users.id, other.id))).toBe(0);
    });

    test("does not keep it from its former owner", async () => {
      await request();
      await confirm();
      const link = await undo();
      wanted = person.email;
      await unconfirmed();
      expect(await undoEmailChange(ctx, link)).toMatchObject({ ok: true });
      expect((await stored())?.email).toBe(wanted);
    });
  });
});
