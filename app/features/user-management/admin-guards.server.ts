import { type SQL, sql } from "drizzle-orm";

/*
 * What must be true at the moment of the commit: of two administrators who take the role from each other at once,
 * exactly one succeeds, and an installation never loses its last one.
 */

/** Builds the condition that a person is an active administrator. */
export const isActiveAdmin = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.user_id = ${userId} AND r.role = 'admin' AND u.status = 'active')`;

/**
 * Builds the condition that there is an active administrator besides a person. That an admin is no user is what the
 * index of the staff's roles says, and what lets it be used.
 */
export const isOtherAdmin = (userId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM user_roles r JOIN users u ON u.id = r.user_id
    WHERE r.role = 'admin' AND r.role <> 'user' AND r.user_id <> ${userId} AND u.status = 'active')`;
