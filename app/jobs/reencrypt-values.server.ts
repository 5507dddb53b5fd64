import { sql } from "drizzle-orm";
import { enrollmentContext } from "~/features/auth/factor-commands.server";
import { totpSecretContext } from "~/features/auth/model";
import { mailParamsContext } from "~/features/mail/enqueue-mail.server";
import type { Ctx } from "~/platform/context.server";
import { decryptValue, encryptValue, hasTwoDataKeys } from "~/platform/data-keys.server";
import { currentKeyId } from "~/platform/env.server";
import type { JobReport } from "./job";

export const REENCRYPTED_AT_ONCE = 50;
const MAX_BATCHES = 10;

type EncryptedColumn = { table: string; id: string; column: string; context: (id: string) => string };

/** Every column that holds encrypted values. What KV keeps ends by itself, within the lifetime of a session. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: "user_mfa_settings", id: "user_id", column: "totp_secret", context: totpSecretContext },
  { table: "mfa_enrollments", id: "user_id", column: "secret_enc", context: enrollmentContext },
  { table: "outbox", id: "id", column: "params_enc", context: mailParamsContext },
];

type Row = { id: string; value: string };
type JobContext = Pick<Ctx, "budget" | "config" | "db" | "log">;

/** Whatever a run does not reach, the next one finds: a value names its key. One that cannot be decrypted is logged. */
export async function reencryptValues(ctx: JobContext): Promise<JobReport> {
  if (!hasTwoDataKeys(ctx.config)) return { count: 0 };
  let count = 0;
  let batches = 0;
  for (const encrypted of ENCRYPTED_COLUMNS) {
    for (let after = ""; ; batches += 1) {
      if (batches === MAX_BATCHES || (batches > 0 && ctx.budget.isUsedUp())) return { count, more: true };
      const rows = await readOutdated(ctx, encrypted, after);
      count += await reencrypt(ctx, encrypted, rows);
      after = rows.at(-1)?.id ?? after;
      if (rows.length < REENCRYPTED_AT_ONCE) break;
    }
  }
  return { count };
}

function readOutdated(
  { db, config }: JobContext,
  { table, id, column }: EncryptedColumn,
  after: string,
): Promise<Row[]> {
  const value = sql.raw(column);
  const prefix = `v1.${currentKeyId(config)}.`;
  return db.all<Row>(sql`SELECT ${sql.raw(id)} AS id, ${value} AS value FROM ${sql.raw(table)}
    WHERE ${value} <> '' AND substr(${value}, 1, ${prefix.length}) <> ${prefix} AND ${sql.raw(id)} > ${after}
    ORDER BY ${sql.raw(id)} LIMIT ${REENCRYPTED_AT_ONCE}`);
}

async function reencrypt(ctx: JobContext, encrypted: EncryptedColumn, rows: readonly Row[]): Promise<number> {
  const changes = rows.flatMap(({ id, value }) => {
    const again = encryptedAgain(ctx, encrypted.context(id), value);
    return again === null ? [] : [[id, value, again] as const];
  });
  const failed = rows.length - changes.length;
  if (failed > 0) ctx.log("error", { event: "reencryption_failed", count: failed });
  if (changes.length === 0) return 0;
  const [table, id, column] = [encrypted.table, encrypted.id, encrypted.column].map((name) => sql.raw(name));
  // Only the value that was read is replaced: somebody may set up a new factor at this moment.
  const result = await ctx.db.run(sql`UPDATE ${table} SET ${column} = change.value ->> 2
    FROM json_each(${JSON.stringify(changes)}) change
    WHERE ${table}.${id} = change.value ->> 0 AND ${table}.${column} = change.value ->> 1`);
  return result.meta.changes;
}

function encryptedAgain({ config }: JobContext, context: string, value: string): string | null {
  try {
    return encryptValue(config, context, decryptValue(config, context, value));
  } catch {
    return null;
  }
}
