import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import type { SignUpSettings, StoredSignUpSettings } from "./model";

/** Names the stored settings of the form. */
export const SIGN_UP_KEYS = [
  "signUpPolicy",
  "onlyInviteExistingAccounts",
] as const satisfies readonly (keyof SignUpSettings)[];

/** Matches their rows, over `s` of settings. */
const isSignUpKey: SQL = sql`s.key IN (SELECT value FROM json_each(${JSON.stringify(SIGN_UP_KEYS)}))`;

/** Returns the sum of the versions of the settings, which grows whichever of them is saved. */
export const signUpVersion: SQL = sql`(SELECT coalesce(sum(s.version), 0) FROM settings s WHERE ${isSignUpKey})`;

/** Returns the settings of the form as they count now, with their version and who has saved them last. */
export async function findSignUpSettings(db: Db): Promise<StoredSignUpSettings> {
  const [{ signUpPolicy, onlyInviteExistingAccounts }, rows] = await Promise.all([
    getSettings(db),
    db.all<{ version: number; at: Instant; by: string | null }>(sql`
      SELECT s.version, s.updated_at AS at, u.full_name AS by FROM settings s LEFT JOIN users u ON u.id = s.updated_by
      WHERE ${isSignUpKey} ORDER BY s.updated_at DESC`),
  ]);
  const [latest] = rows;
  return {
    signUpPolicy,
    onlyInviteExistingAccounts,
    version: rows.reduce((sum, row) => sum + row.version, 0),
    lastChange: latest ? { at: latest.at, by: latest.by } : null,
  };
}
