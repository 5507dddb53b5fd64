import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { userMfaSettings } from "~/db/schema/security";
import { beginEnrollment, findEnrollment } from "~/features/auth/factor-commands.server";
import { codeAt, stepAt, verifyFactor } from "~/features/auth/factors.server";
import { totpSecretContext } from "~/features/auth/model";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { ENCRYPTED_COLUMNS, REENCRYPTED_AT_ONCE, reencryptValues } from "~/jobs/reencrypt-values.server";
import { keyIdOf } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { type TestContext, testContext } from "../../support/context";
import { makePerson, TOTP_SECRET } from "../../support/factories";
import { queueMail } from "../../support/outbox";

let ctx: TestContext;
let both: TestContext;
let onlyNew: TestContext;

beforeEach(async () => {
  ctx = testContext();
  for (const { table, column } of ENCRYPTED_COLUMNS) {
    await ctx.db.run(sql`DELETE FROM ${sql.raw(table)} WHERE ${sql.raw(column)} IS NOT NULL`);
  }
  const DATA_KEK_2 = Buffer.alloc(32, 9).toString("base64");
  both = { ...ctx, config: { ...ctx.config, DATA_KEK_2 } };
  onlyNew = { ...ctx, config: { ...ctx.config, DATA_KEK_1: undefined, DATA_KEK_2 } };
});

const storedSecret = async (userId: string) => {
  const [row] = await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, userId));
  return row?.totp_secret ?? "";
};
const prove = async (context: TestContext, userId: string) => {
  const owner = { userId, fullName: "Ada", email: "ada@clinic.example", encryptedSecret: await storedSecret(userId) };
  return (await verifyFactor(context, owner, { method: "totp", code: codeAt(TOTP_SECRET, stepAt(ctx.now())) })).ok;
};

test("with one key there is nothing to move", async () => {
  const { id } = await makePerson(ctx, { withTotp: true });
  const before = await storedSecret(id);
  expect(await reencryptValues(ctx)).toEqual({ count: 0 });
  expect(await storedSecret(id)).toBe(before);
});

test("while two keys are configured both open factors, and new values have the second", async () => {
  const { id } = await makePerson(ctx, { withTotp: true });
  expect(await prove(both, id)).toBe(true);
  const later = await makePerson(both, { withTotp: true });
  expect(keyIdOf(await storedSecret(later.id))).toBe("2");
  expect(await prove(both, later.id)).toBe(true);
  await expect(prove(ctx, later.id)).rejects.toThrow("data key 2");
});

test("after the move everything opens without the first key: factors, enrollments and waiting mail", async () => {
  const { id, email } = await makePerson(ctx, { withTotp: true });
  await commit(ctx.db, [beginEnrollment(ctx, id)]);
  const before = await findEnrollment(ctx, { userId: id, email });
  await queueMail(ctx);
  await expect(prove(onlyNew, id)).rejects.toThrow("data key 1");
  expect(await reencryptValues(both)).toEqual({ count: 3 });
  expect(await reencryptValues(both)).toEqual({ count: 0 });
  expect(await prove(onlyNew, id)).toBe(true);
  expect((await findEnrollment(onlyNew, { userId: id, email }))?.secret).toBe(before?.secret);
  expect(await deliverOutbox(onlyNew)).toMatchObject({ sent: 1 });
});

test("more values than a run takes are moved by the next runs, whatever stopped the first", async () => {
  const people = REENCRYPTED_AT_ONCE * 11;
  const secrets = Array.from({ length: people }, (_, index) => {
    const id = `usr_key${String(index).padStart(4, "0")}`;
    return [id, encryptValue(ctx.config, totpSecretContext(id), TOTP_SECRET)];
  });
  const each = sql`FROM json_each(${JSON.stringify(secrets)})`;
  await ctx.db.run(sql`INSERT OR IGNORE INTO users(id, email, full_name, status, created_at, updated_at)
    SELECT value ->> 0, value ->> 0 || '@clinic.example', 'Ada', 'active', 1, 1 ${each}`);
  await ctx.db.run(sql`INSERT INTO user_mfa_settings(user_id, totp_secret, updated_at)
    SELECT value ->> 0, value ->> 1, 1 ${each}`);
  const left = async () =>
    (
      await ctx.db.all<{ n: number }>(sql`SELECT count(*) AS n FROM user_mfa_settings WHERE totp_secret LIKE 'v1.1.%'`)
    )[0]?.n;
  expect(await reencryptValues(both)).toEqual({ count: REENCRYPTED_AT_ONCE * 10, more: true });
  expect(await left()).toBe(REENCRYPTED_AT_ONCE);
  const runs = await Promise.all([reencryptValues(both), reencryptValues(both)]);
  expect(runs.every(({ more }) => !more)).toBe(true);
  expect(await left()).toBe(0);
  const secret = await storedSecret("usr_key0549");
  expect(decryptValue(onlyNew.config, totpSecretContext("usr_key0549"), secret)).toBe(TOTP_SECRET);
});

test("a factor that is set up anew while the job moves the old one stays the new one", async () => {
  const { id } = await makePerson(ctx, { withTotp: true });
  const fresh = encryptValue(both.config, totpSecretContext(id), "GEZDGNBVGY3TQOJQ");
  const run = both.db.run.bind(both.db);
  const interrupted: TestContext = {
    ...both,
    db: Object.assign(Object.create(both.db) as TestContext["db"], {
      run: (async (statement) => {
        await ctx.db.update(userMfaSettings).set({ totp_secret: fresh }).where(eq(userMfaSettings.user_id, id));
        return run(statement);
      }) as TestContext["db"]["run"],
    }),
  };
  await reencryptValues(interrupted);
  expect(await storedSecret(id)).toBe(fresh);
});

test("a value that cannot be decrypted stays as it is, is logged, and stops no other", async () => {
  const damaged = await makePerson(ctx, { withTotp: true });
  const { id } = await makePerson(ctx, { withTotp: true });
  await ctx.db
    .update(userMfaSettings)
    .set({ totp_secret: "v1.1.AAAA.AAAA" })
    .where(eq(userMfaSettings.user_id, damaged.id));
  const lines: unknown[] = [];
  expect(await reencryptValues({ ...both, log: (_level, fields) => lines.push(fields) })).toEqual({ count: 1 });
  expect(await storedSecret(damaged.id)).toBe("v1.1.AAAA.AAAA");
  expect(keyIdOf(await storedSecret(id))).toBe("2");
  expect(lines).toContainEqual({ event: "reencryption_failed", count: 1 });
});

test("the first key can be the current one again: the next exchange goes back", async () => {
  const { id } = await makePerson(both, { withTotp: true });
  const back = { ...both, config: { ...both.config, DATA_KEK_CURRENT: "1" as const } };
  expect(await reencryptValues(back)).toEqual({ count: 1 });
  expect(keyIdOf(await storedSecret(id))).toBe("1");
});
