import { type SQL, sql } from "drizzle-orm";
import type { Actor, OrganizationRole } from "~/access/model";
import { type Ability, can } from "~/access/policy";

const ORGANIZATION_ROLES: readonly OrganizationRole[] = ["owner", "admin", "member"];

/**
 * Returns the condition that the actor still holds an ability in an organization when the statement runs. A batch that
 * changes what people may do expects it: somebody may have taken the right away since the guard of the route.
 */
export function stillAllowed(actor: Actor, ability: Ability, organizationId: string): SQL {
  const { userId, role, membership } = actor;
  const isActive = sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND status = 'active')`;
  if (membership === null) {
    return sql`${isActive} AND coalesce((SELECT role FROM user_roles WHERE user_id = ${userId}), 'user') = ${role}`;
  }
  const roles = ORGANIZATION_ROLES.filter((each) =>
    can({ userId, role, membership: { organizationId, role: each } }, ability, { organizationId }),
  );
  return sql`${isActive} AND EXISTS (SELECT 1 FROM organization_memberships
    WHERE organization_id = ${organizationId} AND user_id = ${userId} AND status = 'active'
      AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)})))`;
}
