import { sql } from "drizzle-orm";

/** Holds the active memberships `om` of the person `u`, each with its organization `o`. */
export const ACTIVE_MEMBERSHIPS = sql`organization_memberships om
  CROSS JOIN organizations o ON o.id = om.organization_id WHERE om.user_id = u.id AND om.status = 'active'`;

/** Selects, of active memberships, when the requirement of a second factor began (see `MfaRequirementInput`). */
export const MFA_REQUIREMENT_BEGAN = sql`min(max(o.mfa_required_at, coalesce(om.joined_at, om.created_at)))`;

/**
 * Selects since when the person `u` must have a second factor; NULL: no organization requires it. Part of the queries for
 * sessions and accounts, so that it is read fresh and without an extra round trip.
 */
export const MFA_REQUIRED_SINCE = sql`(SELECT ${MFA_REQUIREMENT_BEGAN} FROM ${ACTIVE_MEMBERSHIPS})`;
