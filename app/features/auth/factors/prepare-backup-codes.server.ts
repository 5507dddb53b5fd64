import { eq, sql } from "drizzle-orm";
import type { Db, Statement } from "~/db/client.server";
import { mfaBackupCodes } from "~/db/schema/mfa";
import type { Ctx } from "~/platform/context.server";
import { codesCookieOf, deleteCodesCookie, setCodesCookie } from "~/platform/cookies.server";
import { hashBackupCode, newSalt } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import { runInHashQueue } from "~/platform/hash-queue.server";
import { CODES_PER_SET, codeFrom, normalizeCode } from "./backup-codes";

type PreparedCodes = {
  codes: string[];
  /** Holds the statements that replace the whole set. */
  statements: Statement[];
  /** Passes the codes to the page that shows them, in an encrypted cookie. */
  show: () => void;
};

const encryptionContext = (userId: string) => `backup-codes:${userId}`;

/** Makes a set of backup codes without storing it. Hashing all ten takes half as long as hashing a password. */
export async function prepareBackupCodes(ctx: Ctx, userId: string): Promise<PreparedCodes> {
  const salt = newSalt();
  const setId = ctx.newId("set");
  const codes = Array.from({ length: CODES_PER_SET }, () => codeFrom(Buffer.from(ctx.newToken(), "base64url")));
  const hashes = await runInHashQueue(() => hashesOf(ctx, codes, salt));
  const row = { user_id: userId, set_id: setId, salt, created_at: ctx.now() };
  const rows = hashes.map((code_hash) => ({ ...row, id: ctx.newId("bkc"), code_hash }));
  return {
    codes,
    statements: [
      ctx.db.delete(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, userId)),
      ...rows.map((row) => ctx.db.insert(mfaBackupCodes).values(row)),
    ],
    show: () => setCodesCookie(ctx, encryptValue(ctx.config, encryptionContext(userId), JSON.stringify(codes))),
  };
}

const hashesOf = (ctx: Pick<Ctx, "config">, codes: readonly string[], salt: string): string[] =>
  codes.map((code) => hashBackupCode(ctx.config.PASSWORD_PEPPER_1, code, salt));

/** Returns the codes just made, once: loading the page again does not show them. Null: there are none to show. */
export function takeNewCodes(ctx: Pick<Ctx, "config" | "request" | "setCookie">, userId: string): string[] | null {
  const encrypted = codesCookieOf(ctx);
  if (!encrypted) return null;
  deleteCodesCookie(ctx);
  try {
    return JSON.parse(decryptValue(ctx.config, encryptionContext(userId), encrypted)) as string[];
  } catch {
    // The cookie is another person's, or damaged.
    return null;
  }
}

/** Returns those texts that are codes of the person's current set. Codes that a form posts back are not trusted. */
export async function ownCodes(
  ctx: Pick<Ctx, "config" | "db">,
  userId: string,
  typed: readonly string[],
): Promise<string[]> {
  const stored = await ctx.db
    .select({ salt: mfaBackupCodes.salt, hash: mfaBackupCodes.code_hash })
    .from(mfaBackupCodes)
    .where(eq(mfaBackupCodes.user_id, userId))
    .limit(CODES_PER_SET);
  const salt = stored[0]?.salt;
  if (!salt) return [];
  const codes = typed.slice(0, CODES_PER_SET).map(normalizeCode);
  const hashes = await runInHashQueue(() => hashesOf(ctx, codes, salt));
  return codes.filter((_, index) => stored.some((row) => row.hash === hashes[index]));
}

/** Returns how many codes the person can still use. */
export async function countBackupCodes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)`.as("count") })
    .from(mfaBackupCodes)
    .where(sql`${mfaBackupCodes.user_id} = ${userId} and ${mfaBackupCodes.used_at} is null`);
  return row?.count ?? 0;
}
