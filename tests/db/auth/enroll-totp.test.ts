import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { mfaEnrollments, userMfaSettings } from "~/db/schema/security";
import { beginEnrollment, completeEnrollment, findEnrollment } from "~/features/auth/factor-commands.server";
import { codeAt, countBackupCodes, stepAt } from "~/features/auth/factors.server";
import { verifyCode, verifySetup } from "~/features/sign-in/authenticator.server";
import { minutes, seconds } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

let ctx: TestContext;
let admin: Person;

beforeEach(async () => {
  ctx = testContext();
  admin = await makePerson(ctx, { role: "admin" });
});

const owner = () => ({ userId: admin.id, email: admin.email });
const begin = () => commit(ctx.db, [beginEnrollment(ctx, admin.id)]);
const secret = async () => (await findEnrollment(ctx, owner()))?.secret ?? "";
const codeOf = async () => codeAt(await secret(), stepAt(ctx.now()));
const liveSessions = async () => {
  const rows = await liveSessionsOf(ctx, admin);
  const [user] = await ctx.db.select().from(users).where(eq(users.id, admin.id));
  return rows.filter((row) => row.epoch === user?.auth_epoch);
};

const challenge = (kind: "setup" | "verify", person = proven(admin)) => challenged(ctx, person, { kind });

test("of ten parallel requests with the first code one sets up the factor, with one session and one set of codes", async () => {
  const id = await challenge("setup");
  const code = await codeOf();
  const answers = await Promise.all(Array.from({ length: 5 }, () => verifySetup(ctx, id, code).catch(() => null)));
  expect(answers.filter((answer) => answer?.ok)).toHaveLength(1);
  expect(await liveSessions()).toHaveLength(1);
  expect(await countBackupCodes(ctx.db, admin.id)).toBe(10);
});

test("the set-up completes the sign-in, ends every other session and reminds the person to save the codes", async () => {
  await makeSession(ctx, admin, 1);
  const id = await challenge("setup");
  expect(await verifySetup(ctx, id, await codeOf())).toEqual({ ok: true, destination: "/admin" });
  expect(await liveSessions()).toMatchObject([{ aal: 2, epoch: 1 }]);
  const [settings] = await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, admin.id));
  expect(settings).toMatchObject({ is_enabled: 1, codes_unsaved: 1, last_totp_step: stepAt(ctx.now()) });
  expect((await mailsTo(ctx, admin.email)).map(({ subject }) => subject)).toContain("Two-step sign-in is on");
  expect(ctx.cookiesSet.some((cookie) => cookie.startsWith("__Host-codes=v1."))).toBe(true);
});

test("the code of the set-up cannot be used again to sign in", async () => {
  const id = await challenge("setup");
  const code = await codeOf();
  await verifySetup(ctx, id, code);
  const next = await challenge("verify", proven(admin, { epoch: 1, mfaEnabled: true }));
  expect(await verifyCode(ctx, { challengeId: next, method: "totp", code })).toMatchObject({ ok: false });
});

describe("a secret that was shown", () => {
  test("is valid only while it is the newest", async () => {
    await begin();
    const old = await codeOf();
    await begin();
    expect(await completeEnrollment(ctx, { person: proven(admin), code: old })).toMatchObject({ ok: false });
    expect(await completeEnrollment(ctx, { person: proven(admin), code: await codeOf() })).toMatchObject({ ok: true });
  });

  test("expires after ten minutes", async () => {
    await begin();
    const shown = await secret();
    ctx.clock.advance(minutes(10) - 1);
    expect(await findEnrollment(ctx, owner())).not.toBeNull();
    ctx.clock.advance(1);
    expect(await findEnrollment(ctx, owner())).toBeNull();
    const code = codeAt(shown, stepAt(ctx.now()));
    expect(await completeEnrollment(ctx, { person: proven(admin), code })).toEqual({
      ok: false,
      code: "enrollment_invalid",
    });
  });

  test("belongs to one person: copied to another row it cannot be opened", async () => {
    await begin();
    const other = await makePerson(ctx);
    await ctx.db.update(mfaEnrollments).set({ user_id: other.id }).where(eq(mfaEnrollments.user_id, admin.id));
    await expect(findEnrollment(ctx, { userId: other.id, email: other.email })).rejects.toThrow();
  });

  test("is no factor before its first code", async () => {
    await begin();
    expect(await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, admin.id))).toEqual([]);
  });

  test("is shown as a QR code that an app can read", async () => {
    await begin();
    const enrollment = await findEnrollment(ctx, owner());
    expect(enrollment?.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(enrollment?.qr.size).toBeGreaterThan(20);
    expect(enrollment?.qr.path).toMatch(/^(M\d+ \d+h\d+v1H\d+z)+$/);
  });
});

describe("the first code is rejected", () => {
  test.each([
    ["", "enrollment_code_missing"],
    ["12345", "enrollment_code_wrong"],
    ["１２３４５６", "enrollment_code_wrong"],
  ])("%j as %s", async (typed, code) => {
    await begin();
    expect(await completeEnrollment(ctx, { person: proven(admin), code: typed })).toEqual({ ok: false, code });
  });

  test("at the sixth attempt of one sign-in, even if it is right", async () => {
    const id = await challenge("setup");
    for (let guess = 0; guess < 5; guess += 1) await verifySetup(ctx, id, "000000");
    expect(await verifySetup(ctx, id, await codeOf())).toMatchObject({ ok: false });
    expect(await liveSessions()).toEqual([]);
  });

  test("when the account has changed since", async () => {
    const id = await challenge("setup");
    const code = await codeOf();
    await ctx.db.update(users).set({ auth_epoch: 5 }).where(eq(users.id, admin.id));
    expect(await verifySetup(ctx, id, code)).toMatchObject({ ok: false });
    ctx.clock.advance(seconds(1));
    expect(await liveSessions()).toEqual([]);
  });

  test("for a challenge that waits for a code of an existing factor", async () => {
    const id = await challenge("verify");
    await begin();
    expect(await verifySetup(ctx, id, await codeOf())).toMatchObject({ ok: false });
  });
});
