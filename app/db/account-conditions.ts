import { type SQL, sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";

/** Holds the active memberships `om` of the person `u`, each with its organization `o`. */
export const ACTIVE_MEMBERSHIPS = sql`organization_memberships om
  CROSS JOIN organizations o ON o.id = om.organization_id WHERE om.user_id = u.id AND om.status = 'active'`;

/** Selects since when the site requires a second factor of the person `u`, if it does of every client. */
const SITE_REQUIREMENT_BEGAN = sql`(SELECT max(CAST(s.value_json AS INTEGER), u.created_at) FROM settings s
  WHERE s.key = 'mfaOfClientsSince' AND s.value_json <> 'null')`;

const OF_ORGANIZATIONS = sql`min(max(o.mfa_required_at, coalesce(om.joined_at, om.created_at)))`;

/**
 * Selects, of active memberships, when the requirement of a second factor began (see `MfaRequirementInput`): that of an
 * organization or that of the site, whichever was earlier.
 */
export const MFA_REQUIREMENT_BEGAN = sql`coalesce(min(${OF_ORGANIZATIONS}, ${SITE_REQUIREMENT_BEGAN}), ${OF_ORGANIZATIONS},
  ${SITE_REQUIREMENT_BEGAN})`;

/**
 * Selects since when the person `u` must have a second factor; NULL: neither an organization nor the site requires it.
 * Part of the queries for sessions and accounts, so that it is read fresh and without an extra round trip.
 */
export const MFA_REQUIRED_SINCE = sql`(SELECT ${MFA_REQUIREMENT_BEGAN} FROM ${ACTIVE_MEMBERSHIPS})`;

/**
 * Returns the condition for a valid session: not revoked, of the account's current epoch, of an active account, and not
 * expired. Expects the aliases `s` for `sessions` and `u` for `users`.
 */
export const validSession = (now: Instant): SQL =>
  sql`s.revoked_at IS NULL AND s.epoch = u.auth_epoch AND u.status = 'active'
    AND s.abs_expires_at > ${now} AND s.idle_expires_at > ${now}`;
