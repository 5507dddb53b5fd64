import { and, asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { auditEvents, refusedSignIns } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { mfaAuditLog, mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/security";
import { authChallenges, rateLimitAttempts } from "~/db/schema/sessions";
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
import { encryptValue } from "~/platform/data-keys.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSession, PASSWORD, type Person, signedInAs, TOTP_SECRET } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

type Step = Awaited<ReturnType<typeof verifyCode>>;

/** Says how a step of a sign-in went. */
const outcomeOf = async (work: Promise<Step>) => {
  const step = await work;
  return step.ok ? "signed in" : step.error.code;
};
const logOf = ({ id }: Person) => ctx.db.select().from(mfaAuditLog).where(eq(mfaAuditLog.user_id, id));
const settingsOf = ({ id }: Person) => ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, id));
const switchOff = ({ id }: Person) =>
  ctx.db.update(userMfaSettings).set({ is_enabled: 0 }).where(eq(userMfaSettings.user_id, id));
const codeNow = (secret = TOTP_SECRET, offset = 0) => codeAt(secret, stepAt(ctx.now()) + offset);

describe("setting up a second factor", () => {
  let admin: Person;

  beforeEach(async () => {
    admin = await makePerson(ctx, { role: "admin" });
  });

  const owner = () => ({ userId: admin.id, email: admin.email });
  const begin = () => commit(ctx.db, [beginEnrollment(ctx, admin.id)]);
  const secret = async () => (await findEnrollment(ctx, owner()))?.secret ?? "";
  const codeOf = async () => codeNow(await secret());
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
    const [settings] = await settingsOf(admin);
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
      expect((await completeEnrollment(ctx, { person: proven(admin), code: old })).ok).toBe(false);
      expect((await completeEnrollment(ctx, { person: proven(admin), code: await codeOf() })).ok).toBe(true);
    });

    test("expires after ten minutes", async () => {
      await begin();
      const shown = await secret();
      ctx.clock.advance(minutes(10) - 1);
      expect(await findEnrollment(ctx, owner())).not.toBeNull();
      ctx.clock.advance(1);
      expect(await findEnrollment(ctx, owner())).toBeNull();
      const late = await completeEnrollment(ctx, { person: proven(admin), code: codeNow(shown) });
      expect(late).toEqual({ ok: false, code: "enrollment_invalid" });
    });

    test("belongs to one person: copied to another row it cannot be opened", async () => {
      await begin();
      const other = await makePerson(ctx);
      await ctx.db.update(mfaEnrollments).set({ user_id: other.id }).where(eq(mfaEnrollments.user_id, admin.id));
      await expect(findEnrollment(ctx, { userId: other.id, email: other.email })).rejects.toThrow();
    });

    test("is shown as a QR code that an app can read, and is no factor before its first code", async () => {
      await begin();
      expect(await settingsOf(admin)).toEqual([]);
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

describe("codes of an authenticator", () => {
  let tech: Person;

  beforeEach(async () => {
    tech = await makePerson(ctx, { role: "moderator", withTotp: true });
  });

  const provenTech = () => proven(tech, { mfaEnabled: true });
  const startVerify = (redirectTo: string | null = null) => challenged(ctx, provenTech(), { redirectTo });
  const code = (offset = 0) => codeNow(TOTP_SECRET, offset);
  const wrong = () => (code() === "000000" ? "000001" : "000000");
  const verify = (challengeId: string, typed: string) => verifyCode(ctx, { challengeId, method: "totp", code: typed });

  test("of twenty parallel uses of one code in four browsers only one signs in, and the others are rejected", async () => {
    const challenges = await Promise.all([startVerify(), startVerify(), startVerify(), startVerify()]);
    const ids = challenges.flatMap((id) => [id, id, id, id, id]);
    const typed = code();
    const answers = await Promise.all(ids.map((id) => outcomeOf(verify(id, typed))));
    expect(answers.filter((answer) => answer === "signed in")).toHaveLength(1);
    expect(await liveSessionsOf(ctx, tech)).toHaveLength(1);
    const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, tech.id));
    // The others are rejected, which is recorded once.
    expect(events.map((event) => event.action).sort()).toEqual(["session.refused", "session.started"]);
    expect((await logOf(tech)).filter((event) => event.success === 1)).toHaveLength(1);
  });

  describe("a code works once", () => {
    test("it is rejected in a second challenge, with the error of a wrong code", async () => {
      const typed = code();
      expect(await outcomeOf(verify(await startVerify(), typed))).toBe("signed in");
      const again = { code: "code_wrong", attemptsLeft: 4 };
      expect(await verify(await startVerify(), typed)).toEqual({ ok: false, error: again });
      expect((await logOf(tech)).map((event) => event.failure_reason)).toEqual([null, "replayed_code"]);
      expect(await liveSessionsOf(ctx, tech)).toHaveLength(1);
    });

    test("every code of an earlier step is rejected too, although it has not expired", async () => {
      const earlier = code(-1);
      expect(await outcomeOf(verify(await startVerify(), code()))).toBe("signed in");
      expect(await outcomeOf(verify(await startVerify(), earlier))).toBe("code_wrong");
      expect(await outcomeOf(verify(await startVerify(), code(1)))).toBe("signed in");
    });

    test("a challenge leads to one session only", async () => {
      const id = await startVerify();
      expect(await outcomeOf(verify(id, code()))).toBe("signed in");
      ctx.clock.advance(seconds(30));
      expect(await outcomeOf(verify(id, code()))).toBe("challenge_invalid");
    });
  });

  describe("attempts are limited", () => {
    test("the fifth wrong code ends the challenge, and then the right one is rejected too", async () => {
      const id = await startVerify();
      for (const left of [4, 3, 2, 1, 0]) {
        expect(await verify(id, wrong())).toEqual({ ok: false, error: { code: "code_wrong", attemptsLeft: left } });
      }
      expect(ctx.cookiesSet.at(-1)).toMatch(/^__Host-mfa=;.* ?Max-Age=0;/);
      expect(await outcomeOf(verify(id, code()))).toBe("challenge_invalid");
      expect(await liveSessionsOf(ctx, tech)).toEqual([]);
    });

    test("of fifty parallel wrong codes five are checked", async () => {
      const id = await startVerify();
      const answers = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(verify(id, wrong()))));
      expect(answers.filter((answer) => answer === "code_wrong")).toHaveLength(5);
      expect(answers.filter((answer) => answer === "challenge_invalid")).toHaveLength(45);
    });

    test("ten wrong codes in an hour, over all challenges, block further codes, the right one too", async () => {
      for (const _ of [1, 2]) {
        const id = await startVerify();
        for (let guess = 0; guess < 5; guess += 1) await verify(id, wrong());
      }
      const id = await startVerify();
      const error = { code: "too_many_attempts", retryAt: ctx.now() + minutes(15) };
      expect(await verify(id, code())).toEqual({ ok: false, error });
      const unspent = and(eq(authChallenges.user_id, tech.id), eq(authChallenges.attempts, 0));
      expect(await ctx.db.$count(authChallenges, unspent), "an attempt that was not evaluated is not spent").toBe(1);
      ctx.clock.advance(minutes(15) + 1);
      expect(await outcomeOf(verify(await startVerify(), code()))).toBe("signed in");
    });
  });

  describe("invalid input", () => {
    test("an empty code gets its own error and is not counted", async () => {
      const id = await startVerify();
      for (let press = 0; press < 6; press += 1) expect(await outcomeOf(verify(id, ""))).toBe("code_missing");
      expect(await outcomeOf(verify(id, code()))).toBe("signed in");
    });

    test("what is no code is malformed, and a code of another time is wrong", async () => {
      const id = await startVerify();
      expect(await outcomeOf(verify(id, "１２３４５６"))).toBe("code_malformed");
      expect(await outcomeOf(verify(id, code(2)))).toBe("code_wrong");
    });
  });

  describe("a challenge is over", () => {
    test("after ten minutes", async () => {
      const [used, expired] = [await startVerify(), await startVerify()];
      ctx.clock.advance(minutes(10) - 1);
      expect(await outcomeOf(verify(used, code()))).toBe("signed in");
      ctx.clock.advance(1);
      expect(await outcomeOf(verify(expired, code()))).toBe("challenge_invalid");
    });

    test.each([
      ["when the account's epoch has changed: a password reset ends unfinished sign-ins", { auth_epoch: 1 }],
      ["when the account was deactivated", { status: "deactivated" as const }],
    ])("%s", async (_, change) => {
      const id = await startVerify();
      await ctx.db.update(users).set(change).where(eq(users.id, tech.id));
      expect(await outcomeOf(verify(id, code()))).toBe("challenge_invalid");
    });

    test("when its id is unknown, or waits for a set-up instead of a code", async () => {
      for (const id of ["A".repeat(43), await challenged(ctx, provenTech(), { kind: "setup" })])
        expect(await outcomeOf(verify(id, code()))).toBe("challenge_invalid");
    });
  });

  test("with an unreadable secret no session starts, and the attempt is given back", async () => {
    const id = await startVerify();
    const stranger = await makePerson(ctx);
    const moved = encryptValue(ctx.config, `user_mfa_settings:totp_secret:${stranger.id}`, TOTP_SECRET);
    await ctx.db.update(userMfaSettings).set({ totp_secret: moved }).where(eq(userMfaSettings.user_id, tech.id));
    await expect(verify(id, code())).rejects.toThrow();
    expect(await liveSessionsOf(ctx, tech)).toEqual([]);
    const [challenge] = await ctx.db.select().from(authChallenges).where(eq(authChallenges.user_id, tech.id));
    expect(challenge?.attempts).toBe(0);
    const [limit] = await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.identifier, tech.id));
    expect(limit?.attempts).toBe(0);
  });

  test("a factor switched off in the meantime is rejected", async () => {
    const id = await startVerify();
    await switchOff(tech);
    expect(await outcomeOf(verify(id, code()))).toBe("factor_not_found");
    expect(await liveSessionsOf(ctx, tech)).toEqual([]);
  });

  test("success starts a session with both factors, clears the limits and redirects to the requested page", async () => {
    const counted = { attempt_type: "login_account", identifier: `user:${tech.id}`, attempts: 4 } as const;
    await ctx.db.insert(rateLimitAttempts).values({ ...counted, blocked_until: null, last_attempt_at: ctx.now() });
    const id = await startVerify("/admin/submissions");
    expect(await outcomeOf(verify(id, wrong()))).toBe("code_wrong");
    const value = { at: "signed_in", destination: "/admin/submissions" };
    expect(await verify(id, code())).toEqual({ ok: true, value });
    expect(await liveSessionsOf(ctx, tech)).toMatchObject([{ aal: 2, epoch: 0, reauth_at: ctx.now() }]);
    const limits = await ctx.db
      .select()
      .from(rateLimitAttempts)
      .where(eq(rateLimitAttempts.last_attempt_at, ctx.now()));
    const own = limits.filter(({ identifier }) => identifier === tech.id || identifier === `user:${tech.id}`);
    expect(own.map(({ attempts }) => attempts)).toEqual([0, 0]);
  });
});

describe("backup codes", () => {
  let tech: Person;
  let codes: string[];

  beforeEach(async () => {
    tech = await makePerson(ctx, { role: "moderator", withTotp: true });
    codes = await newSet();
  });

  async function newSet({ id } = tech): Promise<string[]> {
    const backup = await prepareBackupCodes(ctx, id);
    await commit(ctx.db, backup.statements);
    return backup.codes;
  }

  const challenge = () => challenged(ctx, proven(tech, { mfaEnabled: true }));
  const use = (challengeId: string, code = "") => verifyCode(ctx, { challengeId, method: "backup_code", code });
  /** Tries a code in a sign-in of its own. */
  const tried = async (code: string | undefined) => outcomeOf(use(await challenge(), code));

  test("of twenty parallel uses of one code in four browsers only one signs in", async () => {
    const challenges = await Promise.all([challenge(), challenge(), challenge(), challenge()]);
    const ids = challenges.flatMap((id) => [id, id, id, id, id]);
    const answers = await Promise.all(ids.map((id) => outcomeOf(use(id, codes[0])).catch(() => "saturated")));
    expect(answers.filter((answer) => answer === "signed in")).toHaveLength(1);
    expect(await liveSessionsOf(ctx, tech)).toHaveLength(1);
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
      expect([await tried(codes[0]), await tried(codes[0])]).toEqual(["signed in", "code_wrong"]);
      expect((await logOf(tech)).map(({ action, failure_reason }) => [action, failure_reason])).toEqual([
        ["backup_code_used", null],
        ["verify_challenge", null],
        ["verify_challenge", "replayed_code"],
      ]);
    });

    test("however it is typed, reduces the number left, and its owner gets a mail", async () => {
      const typed = (codes[2] ?? "").toLowerCase().replace(/0/g, "o").replace(/1/g, "l");
      const step = await use(await challenge(), `${typed.slice(0, 4)}-${typed.slice(4)}`);
      expect(step).toMatchObject({ ok: true, value: { at: "signed_in", codesLeft: 9 } });
      const mails = await mailsTo(ctx, tech.email);
      const used = mails.find(({ subject }) => subject === "A backup code was used");
      expect(used?.text).toContain("9 codes left");
    });

    test("of an earlier set, or of another person, is invalid", async () => {
      const old = codes[3];
      await newSet();
      const [foreign] = await newSet(await makePerson(ctx, { withTotp: true }));
      expect([await tried(old), await tried(foreign)]).toEqual(["code_wrong", "code_wrong"]);
    });

    test("is invalid once the factor is off", async () => {
      const id = await challenge();
      await switchOff(tech);
      expect(await outcomeOf(use(id, codes[0]))).toBe("factor_not_found");
      expect(await liveSessionsOf(ctx, tech)).toEqual([]);
    });

    test("that is missing, or none, is rejected", async () => {
      expect([await tried(""), await tried("' OR 1=1")]).toEqual(["code_missing", "code_wrong"]);
    });
  });

  test("the file contains only codes of the person's own set, whatever the form contains", async () => {
    const other = await makePerson(ctx, { withTotp: true });
    expect(await ownCodes(ctx, tech.id, [...codes.slice(0, 2), "AAAAAAAA", "<script>"])).toEqual(codes.slice(0, 2));
    expect(await ownCodes(ctx, other.id, codes)).toEqual([]);
  });

  test("attempts with backup codes are limited, and after the third wrong one the owner gets a mail", async () => {
    const id = await challenge();
    for (let guess = 0; guess < 5; guess += 1) await use(id, "AAAAAAAA");
    expect(await outcomeOf(use(id, codes[0]))).toBe("challenge_invalid");
    const mails = await mailsTo(ctx, tech.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["Someone knows your password"]);
  });
});

describe("events of second factors", () => {
  let person: Person;
  let own: TestContext;
  let signedIn: SignedIn;

  async function signIn(options: Parameters<typeof makePerson>[1]) {
    person = await makePerson(ctx, { ...options, withPassword: true, withTotp: true });
    signedIn = signedInAs(person, ctx.now());
    own = derive(ctx, { signedIn });
  }

  beforeEach(() => signIn({ role: "moderator" }));

  const code = (offset = 0) => codeNow(TOTP_SECRET, offset);
  const typed = (changes = {}) => ({ password: PASSWORD, method: "totp" as const, code: code(), ...changes });

  /** Lists the notifications to administrators about this person, with the actor. */
  const told = () =>
    ctx.db
      .select({ label: liveEvents.label, actor: liveEvents.actor_id, type: liveEvents.type })
      .from(liveEvents)
      .where(eq(liveEvents.subject_id, person.id))
      .orderBy(asc(liveEvents.seq));

  async function challenge(): Promise<string> {
    await startChallenge(ctx, await accountOf(ctx, signedIn), { kind: "verify", redirectTo: null });
    return ctx.cookiesSet.at(-1)?.match(/^__Host-mfa=([\w-]{43});/)?.[1] ?? "";
  }

  describe("administrators are notified at once", () => {
    test("of a wrong code at a sign-in, by a person who is not signed in yet", async () => {
      await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code(10) });
      const label = `${person.fullName} entered a wrong code`;
      expect(await told()).toEqual([{ type: "mfa_event", actor: null, label }]);
      expect(await logOf(person)).toMatchObject([
        { success: 0, failure_reason: "wrong_code", ip_address: ctx.request.ip },
      ]);
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
      const first = { person: await accountOf(ctx, signedIn), code: codeNow(secret) };
      expect((await completeEnrollment(own, first)).ok).toBe(true);
      expect((await told()).map(({ label }) => label)).toEqual([
        `${person.fullName} switched off two-step sign-in`,
        `${person.fullName} set up two-step sign-in`,
      ]);
    });
  });

  test("of clients nobody is notified, whatever name they chose: their failed codes are in the log, and counted", async () => {
    await signIn({ fullName: "Admin: call 555 now" });
    const challengeId = await challenge();
    for (let attempt = 0; attempt < 3; attempt += 1)
      await verifyCode(ctx, { challengeId, method: "totp", code: code(10 + attempt) });
    await confirmIdentity(own, signedIn, typed({ code: code(10) }));
    expect((await disableTotp(own, signedIn, typed())).ok).toBe(true);
    expect(await told()).toEqual([]);
    expect((await logOf(person)).filter(({ success }) => success === 0)).toHaveLength(4);
    const ofPerson = eq(refusedSignIns.account_id, person.id);
    expect(await ctx.db.select().from(refusedSignIns).where(ofPerson)).toMatchObject([
      { reason: "wrong_code", count: 3 },
    ]);
  });

  test("a right code is recorded in the log and notifies nobody", async () => {
    const step = verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code() });
    expect(await outcomeOf(step)).toBe("signed in");
    expect(await logOf(person)).toMatchObject([{ action: "verify_challenge", success: 1 }]);
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
