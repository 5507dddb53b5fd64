import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { mfaAuditLog, mfaBackupCodes, userMfaSettings } from "~/db/schema/security";
import { countBackupCodes, ownCodes, prepareBackupCodes } from "~/features/auth/factors.server";
import { verifyCode } from "~/features/sign-in/authenticator.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";
import { mailsTo } from "../../support/mails";
import { challenged, liveSessionsOf, proven } from "../../support/sign-in-steps";

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
