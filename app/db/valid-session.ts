import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";

/**
 * Returns the condition for a valid session: not revoked, of the account's current epoch, of an active account, and not
 * expired. Expects the aliases `s` for `sessions` and `u` for `users`.
 */
export const validSession = (now: Instant): SQL =>
  sql`s.revoked_at IS NULL AND s.epoch = u.auth_epoch AND u.status = 'active'
    AND s.abs_expires_at > ${now} AND s.idle_expires_at > ${now}`;
