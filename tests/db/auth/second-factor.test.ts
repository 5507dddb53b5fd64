import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { refusedSignIns } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { mfaAuditLog, mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/security";
import { accountOf, confirmIdentity } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  disableTotp,
  findEnrollment,
  startChallenge,
} from "~/features/auth/factor-commands.server";
import { codeAt, countBackupCodes, ownCodes, prepareBackupCodes, stepAt } from "~/features/auth/factors.server";
import { verifyCode, verifySetup } from "~/features/sign-in/authenticator.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import { minutes, seconds } from "~/lib/time";
import type { SignedIn } from "~/platform/context.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSession, PASSWORD, type Person, TOTP_SECRET } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

describe("setting up a second factor", () => {
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
      expect(await completeEnrollment(ctx, { person: proven(admin), code: await codeOf() })).toMatchObject({
        ok: true,
      });
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
});

describe("backup codes", () => {
  let ctx: TestContext;

  let tech: Person;

  let codes: string[];

  beforeEach(async () => {
    ctx = testContext();
    tech = await makePerson(ctx, { role: "moderator", withTotp: true });
    codes = await newSet();
  });

  async function newSet(): Promise<string[]> {
    const backup = await prepareBackupCodes(ctx, tech.id);
    await commit(ctx.db, backup.statements);
    return backup.codes;
  }

  const challenge = () => challenged(ctx, proven(tech, { mfaEnabled: true }));

  const use = (challengeId: string, code = "") => verifyCode(ctx, { challengeId, method: "backup_code", code });

  const codeOf = async (work: ReturnType<typeof use>) => {
    const step = await work;
    return step.ok ? "signed in" : step.error.code;
  };

  const liveSessions = () => liveSessionsOf(ctx, tech);

  test("of twenty parallel uses of one code in four browsers only one signs in", async () => {
    const challenges = await Promise.all([challenge(), challenge(), challenge(), challenge()]);
    const ids = challenges.flatMap((id) => [id, id, id, id, id]);
    const answers = await Promise.all(ids.map((id) => codeOf(use(id, codes[0])).catch(() => "saturated")));
    expect(answers.filter((answer) => answer === "signed in")).toHaveLength(1);
    expect(await liveSessions()).toHaveLength(1);
    expect(await countBackupCodes(ctx.db, tech.id)).toBe(9);
  });

  test("a set has ten codes of eight unambiguous characters, and none of them is in the database", async () => {
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    const rows = JSON.stringify(await ctx.db.select().from(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, tech.id)));
    for (const code of codes) expect(rows).not.toContain(code);
  });

  describe("a code", () => {
    test("is rejected the second time, with the error of a wrong code", async () => {
      expect(await codeOf(use(await challenge(), codes[0]))).toBe("signed in");
      expect(await codeOf(use(await challenge(), codes[0]))).toBe("code_wrong");
      const log = await ctx.db.select().from(mfaAuditLog).where(eq(mfaAuditLog.user_id, tech.id));
      expect(log.map(({ action, failure_reason }) => [action, failure_reason])).toEqual([
        ["backup_code_used", null],
        ["verify_challenge", null],
        ["verify_challenge", "replayed_code"],
      ]);
    });

    test("may be typed in lower case, in groups, and with letters that look like digits", async () => {
      const typed = (codes[1] ?? "").toLowerCase().replace(/0/g, "o").replace(/1/g, "l");
      expect(await codeOf(use(await challenge(), `${typed.slice(0, 4)}-${typed.slice(4)}`))).toBe("signed in");
    });

    test("reduces the number left, and its owner gets a mail", async () => {
      const step = await use(await challenge(), codes[2]);
      expect(step).toMatchObject({ ok: true, value: { at: "signed_in", codesLeft: 9 } });
      const mails = await mailsTo(ctx, tech.email);
      const used = mails.find(({ subject }) => subject === "A backup code was used");
      expect(used?.text).toContain("9 codes left");
    });

    test("of an earlier set is invalid", async () => {
      const old = codes[3];
      await newSet();
      expect(await codeOf(use(await challenge(), old))).toBe("code_wrong");
    });

    test("of another person is invalid", async () => {
      const other = await makePerson(ctx, { withTotp: true });
      const backup = await prepareBackupCodes(ctx, other.id);
      await commit(ctx.db, backup.statements);
      expect(await codeOf(use(await challenge(), backup.codes[0]))).toBe("code_wrong");
    });

    test("is invalid once the factor is off", async () => {
      const id = await challenge();
      await ctx.db.update(userMfaSettings).set({ is_enabled: 0 }).where(eq(userMfaSettings.user_id, tech.id));
      expect(await codeOf(use(id, codes[0]))).toBe("factor_not_found");
      expect(await liveSessions()).toEqual([]);
    });

    test.each(["", "ABC", "ÄÖÜ@€!§$", "' OR 1=1"])("%j is rejected", async (typed) => {
      expect(await codeOf(use(await challenge(), typed))).toBe(typed === "" ? "code_missing" : "code_wrong");
    });
  });

  test("the file contains only codes of the person's own set, whatever the form contains", async () => {
    const other = await makePerson(ctx, { withTotp: true });
    expect(await ownCodes(ctx, tech.id, [...codes.slice(0, 2), "AAAAAAAA", "<script>"])).toEqual(codes.slice(0, 2));
    expect(await ownCodes(ctx, other.id, codes)).toEqual([]);
  });

  test("attempts with backup codes are limited like those with TOTP codes", async () => {
    const id = await challenge();
    for (let guess = 0; guess < 5; guess += 1) await use(id, "AAAAAAAA");
    expect(await codeOf(use(id, codes[0]))).toBe("challenge_invalid");
  });

  test("after the third wrong code the owner gets a mail that somebody knows the password", async () => {
    const id = await challenge();
    for (let guess = 0; guess < 4; guess += 1) await use(id, "AAAAAAAA");
    const mails = await mailsTo(ctx, tech.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Someone knows your password"]);
  });
});

describe("events of second factors", () => {
  let ctx: TestContext;

  let person: Person;

  let own: TestContext;

  let signedIn: SignedIn;

  beforeEach(async () => {
    ctx = testContext();
    person = await makePerson(ctx, { role: "moderator", withPassword: true, withTotp: true });
    own = as(ctx, person);
    if (!own.signedIn) throw new Error("Nobody is signed in");
    signedIn = own.signedIn;
  });

  const code = (offset = 0) => codeAt(TOTP_SECRET, stepAt(ctx.now()) + offset);

  const typed = (changes = {}) => ({ password: PASSWORD, method: "totp" as const, code: code(), ...changes });

  /** Lists the notifications to administrators about this person, with the actor. */
  const told = () =>
    ctx.db
      .select({ label: liveEvents.label, actor: liveEvents.actor_id, type: liveEvents.type })
      .from(liveEvents)
      .where(eq(liveEvents.subject_id, person.id))
      .orderBy(asc(liveEvents.seq));

  const logged = () => ctx.db.select().from(mfaAuditLog).where(eq(mfaAuditLog.user_id, person.id));

  async function challenge(): Promise<string> {
    await startChallenge(ctx, await accountOf(ctx, signedIn), { kind: "verify", redirectTo: null });
    return ctx.cookiesSet.at(-1)?.match(/^__Host-mfa=([\w-]{43});/)?.[1] ?? "";
  }

  describe("administrators are notified at once", () => {
    test("of a wrong code at a sign-in, by a person who is not signed in yet", async () => {
      await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code(10) });
      const label = `${person.fullName} entered a wrong code`;
      expect(await told()).toEqual([{ type: "mfa_event", actor: null, label }]);
      expect(await logged()).toMatchObject([{ success: 0, failure_reason: "wrong_code", ip_address: ctx.request.ip }]);
      await ctx.settle();
      expect(ctx.notified).toContain("staff");
    });

    test("of a wrong code in a session that may be stolen", async () => {
      await confirmIdentity(own, signedIn, typed({ code: code(10) }));
      expect(await told()).toMatchObject([{ type: "mfa_event", actor: person.id }]);
    });

    test("of a factor that was switched off, and of one that was set up", async () => {
      expect((await disableTotp(own, signedIn, typed())).ok).toBe(true);
      await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
      const { secret } = (await findEnrollment(ctx, { userId: person.id, email: person.email })) ?? { secret: "" };
      const first = codeAt(secret, stepAt(ctx.now()));
      expect((await completeEnrollment(own, { person: await accountOf(ctx, signedIn), code: first })).ok).toBe(true);
      expect((await told()).map(({ label }) => label)).toEqual([
        `${person.fullName} switched off two-step sign-in`,
        `${person.fullName} set up two-step sign-in`,
      ]);
    });
  });

  test("of clients nobody is notified, whatever name they chose: their failed codes are in the log, and counted", async () => {
    person = await makePerson(ctx, { fullName: "Admin: call 555 now", withPassword: true, withTotp: true });
    own = as(ctx, person);
    if (!own.signedIn) throw new Error("Nobody is signed in");
    signedIn = own.signedIn;
    const challengeId = await challenge();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await verifyCode(ctx, { challengeId, method: "totp", code: code(10 + attempt) });
    }
    await confirmIdentity(own, signedIn, typed({ code: code(10) }));
    expect((await disableTotp(own, signedIn, typed())).ok).toBe(true);
    expect(await told()).toEqual([]);
    expect((await logged()).filter(({ success }) => success === 0)).toHaveLength(4);
    const ofPerson = eq(refusedSignIns.account_id, person.id);
    expect(await ctx.db.select().from(refusedSignIns).where(ofPerson)).toMatchObject([
      { reason: "wrong_code", count: 3 },
    ]);
  });

  test("a right code is recorded in the log and notifies nobody", async () => {
    expect(await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code() })).toMatchObject({
      ok: true,
    });
    expect(await logged()).toMatchObject([{ action: "verify_challenge", success: 1 }]);
    expect(await told()).toEqual([]);
  });

  test("a technician's list does not show it, an administrator's does", async () => {
    await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code(10) });
    const labels = async (role: "admin" | "moderator") =>
      (await listLiveUpdates(as(ctx, await makePerson(ctx, { role })))).updates.map(({ label }) => label);
    const line = `Sign-in: ${person.fullName} entered a wrong code`;
    expect(await labels("admin")).toContain(line);
    expect(await labels("moderator")).not.toContain(line);
  });
});
