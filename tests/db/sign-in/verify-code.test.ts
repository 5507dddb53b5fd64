import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mfaAuditLog, userMfaSettings } from "~/db/schema/security";
import { authChallenges, rateLimitAttempts } from "~/db/schema/sessions";
import { startChallenge } from "~/features/auth/factor-commands.server";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { verifyCode } from "~/features/sign-in/authenticator.server";
import { minutes, seconds } from "~/lib/time";
import { encryptValue } from "~/platform/data-keys.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, type Person, TOTP_SECRET } from "../../support/factories";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

let ctx: TestContext;
let tech: Person;

beforeEach(async () => {
  ctx = testContext();
  tech = await makePerson(ctx, { role: "moderator", withTotp: true });
});

const provenTech = () => proven(tech, { mfaEnabled: true });
const startVerify = (redirectTo: string | null = null) => challenged(ctx, provenTech(), { redirectTo });

const code = (offset = 0) => codeAt(TOTP_SECRET, stepAt(ctx.now()) + offset);
const wrong = () => (code() === "000000" ? "000001" : "000000");
const verify = (challengeId: string, typed: string) => verifyCode(ctx, { challengeId, method: "totp", code: typed });
const codeOf = async (work: ReturnType<typeof verifyCode>) => {
  const step = await work;
  return step.ok ? "signed in" : step.error.code;
};
const liveSessions = () => liveSessionsOf(ctx, tech);
const mfaLog = () => ctx.db.select().from(mfaAuditLog).where(eq(mfaAuditLog.user_id, tech.id));

test("of twenty parallel uses of one code in four browsers only one signs in, and the others are rejected", async () => {
  const challenges = await Promise.all([startVerify(), startVerify(), startVerify(), startVerify()]);
  const ids = challenges.flatMap((id) => [id, id, id, id, id]);
  const typed = code();
  const answers = await Promise.all(ids.map((id) => codeOf(verify(id, typed))));
  expect(answers.filter((answer) => answer === "signed in")).toHaveLength(1);
  expect(await liveSessions()).toHaveLength(1);
  const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, tech.id));
  // The others are rejected, which is recorded once.
  expect(events.map((event) => event.action).sort()).toEqual(["session.refused", "session.started"]);
  expect((await mfaLog()).filter((event) => event.success === 1)).toHaveLength(1);
});

describe("a code works once", () => {
  test("it is rejected in a second challenge, with the error of a wrong code", async () => {
    const typed = code();
    expect(await codeOf(verify(await startVerify(), typed))).toBe("signed in");
    expect(await verify(await startVerify(), typed)).toEqual({
      ok: false,
      error: { code: "code_wrong", attemptsLeft: 4 },
    });
    expect((await mfaLog()).map((event) => event.failure_reason)).toEqual([null, "replayed_code"]);
    expect(await liveSessions()).toHaveLength(1);
  });

  test("every code of an earlier step is rejected too, although it has not expired", async () => {
    const earlier = code(-1);
    expect(await codeOf(verify(await startVerify(), code()))).toBe("signed in");
    expect(await codeOf(verify(await startVerify(), earlier))).toBe("code_wrong");
    expect(await codeOf(verify(await startVerify(), code(1)))).toBe("signed in");
  });

  test("a challenge leads to one session only", async () => {
    const id = await startVerify();
    expect(await codeOf(verify(id, code()))).toBe("signed in");
    ctx.clock.advance(seconds(30));
    expect(await codeOf(verify(id, code()))).toBe("challenge_invalid");
  });
});

describe("attempts are limited", () => {
  test("the fifth wrong code ends the challenge, and then the right one is rejected too", async () => {
    const id = await startVerify();
    for (const left of [4, 3, 2, 1, 0]) {
      expect(await verify(id, wrong())).toEqual({ ok: false, error: { code: "code_wrong", attemptsLeft: left } });
    }
    expect(ctx.cookiesSet.at(-1)).toMatch(/^__Host-mfa=;.* ?Max-Age=0;/);
    expect(await codeOf(verify(id, code()))).toBe("challenge_invalid");
    expect(await liveSessions()).toEqual([]);
  });

  test("of fifty parallel wrong codes five are checked", async () => {
    const id = await startVerify();
    const answers = await Promise.all(Array.from({ length: 50 }, () => codeOf(verify(id, wrong()))));
    expect(answers.filter((answer) => answer === "code_wrong")).toHaveLength(5);
    expect(answers.filter((answer) => answer === "challenge_invalid")).toHaveLength(45);
  });

  test("ten wrong codes in an hour, over all challenges, block further codes, the right one too", async () => {
    for (const _ of [1, 2]) {
      const id = await startVerify();
      for (let guess = 0; guess < 5; guess += 1) await verify(id, wrong());
    }
    const id = await startVerify();
    expect(await verify(id, code())).toEqual({
      ok: false,
      error: { code: "too_many_attempts", retryAt: ctx.now() + minutes(15) },
    });
    const [challenge] = await ctx.db
      .select()
      .from(authChallenges)
      .where(and(eq(authChallenges.user_id, tech.id), eq(authChallenges.attempts, 0)));
    expect(challenge, "an attempt that was not evaluated is not spent").toBeDefined();
    ctx.clock.advance(minutes(15) + 1);
    expect(await codeOf(verify(await startVerify(), code()))).toBe("signed in");
  });
});

describe("invalid input", () => {
  test("an empty code gets its own error and is not counted", async () => {
    const id = await startVerify();
    for (let press = 0; press < 6; press += 1) expect(await codeOf(verify(id, ""))).toBe("code_missing");
    expect(await codeOf(verify(id, code()))).toBe("signed in");
  });

  test.each(["12345", "1234567", "12345a", "１２３４５６", "+12345", "1e5000"])("%j is malformed", async (typed) => {
    expect(await codeOf(verify(await startVerify(), typed))).toBe("code_malformed");
  });

  test.each([-2, 2])("a code %d steps away is wrong", async (offset) => {
    expect(await codeOf(verify(await startVerify(), code(offset)))).toBe("code_wrong");
  });
});

describe("a challenge is over", () => {
  test("after ten minutes", async () => {
    const [used, expired] = [await startVerify(), await startVerify()];
    ctx.clock.advance(minutes(10) - 1);
    expect(await codeOf(verify(used, code()))).toBe("signed in");
    ctx.clock.advance(1);
    expect(await codeOf(verify(expired, code()))).toBe("challenge_invalid");
  });

  test("when the account's epoch has changed: a password reset ends unfinished sign-ins", async () => {
    const id = await startVerify();
    await ctx.db.update(users).set({ auth_epoch: 1 }).where(eq(users.id, tech.id));
    expect(await codeOf(verify(id, code()))).toBe("challenge_invalid");
  });

  test("when the account was deactivated", async () => {
    const id = await startVerify();
    await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, tech.id));
    expect(await codeOf(verify(id, code()))).toBe("challenge_invalid");
  });

  test("when its id is unknown", async () => {
    expect(await codeOf(verify("A".repeat(43), code()))).toBe("challenge_invalid");
  });

  test("when it waits for a set-up instead of a code", async () => {
    ctx.cookiesSet.length = 0;
    await startChallenge(ctx, provenTech(), { kind: "setup", redirectTo: null });
    const id = ctx.cookiesSet[0]?.match(/^__Host-mfa=([\w-]{43});/)?.[1] ?? "";
    expect(await codeOf(verify(id, code()))).toBe("challenge_invalid");
  });
});

test("with an unreadable secret no session starts, and the attempt is given back", async () => {
  const id = await startVerify();
  const stranger = await makePerson(ctx);
  const moved = encryptValue(ctx.config, `user_mfa_settings:totp_secret:${stranger.id}`, TOTP_SECRET);
  await ctx.db.update(userMfaSettings).set({ totp_secret: moved }).where(eq(userMfaSettings.user_id, tech.id));
  await expect(verify(id, code())).rejects.toThrow();
  expect(await liveSessions()).toEqual([]);
  const [challenge] = await ctx.db.select().from(authChallenges).where(eq(authChallenges.user_id, tech.id));
  expect(challenge?.attempts).toBe(0);
  const [limit] = await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.identifier, tech.id));
  expect(limit?.attempts).toBe(0);
});

test("a factor switched off in the meantime is rejected", async () => {
  const id = await startVerify();
  await ctx.db.update(userMfaSettings).set({ is_enabled: 0 }).where(eq(userMfaSettings.user_id, tech.id));
  expect(await codeOf(verify(id, code()))).toBe("factor_not_found");
  expect(await liveSessions()).toEqual([]);
});

test("success starts a session with both factors, clears the limits and redirects to the requested page", async () => {
  await ctx.db.insert(rateLimitAttempts).values({
    attempt_type: "login_account",
    identifier: `user:${tech.id}`,
    attempts: 4,
    blocked_until: null,
    last_attempt_at: ctx.now(),
  });
  const id = await startVerify("/admin/submissions");
  expect(await codeOf(verify(id, wrong()))).toBe("code_wrong");
  expect(await verify(id, code())).toEqual({
    ok: true,
    value: { at: "signed_in", destination: "/admin/submissions" },
  });
  expect(await liveSessions()).toMatchObject([{ aal: 2, epoch: 0, reauth_at: ctx.now() }]);
  const limits = await ctx.db.select().from(rateLimitAttempts).where(eq(rateLimitAttempts.last_attempt_at, ctx.now()));
  const own = limits.filter(({ identifier }) => identifier === tech.id || identifier === `user:${tech.id}`);
  expect(own.map(({ attempts }) => attempts)).toEqual([0, 0]);
});
