import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";

/**
 * Holds for a session that counts as signed in at an instant: not revoked, of the account's present epoch, of an active
 * account, and before both of its ends. Expects the aliases `s` for `sessions` and `u` for `users`.
 */
export const isSessionAlive = (now: Instant): SQL =>
  sql`s.revoked_at IS NULL AND s.epoch = u.auth_epoch AND u.status = 'active'
    AND s.abs_expires_at > ${now} AND s.idle_expires_at > ${now}`;
