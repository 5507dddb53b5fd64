import { and, eq, isNotNull } from "drizzle-orm";
import type { Statement } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import type { Ctx } from "~/platform/context.server";

/**
 * Returns the statement that lets the person in who created an organization and waited for approval: the only pending
 * membership with a person.
 */
export const approveOwner = ({ db, now }: Pick<Ctx, "db" | "now">, organizationId: string): Statement =>
  db
    .update(organizationMemberships)
    .set({ status: "active", joined_at: now(), updated_at: now() })
    .where(
      and(
        eq(organizationMemberships.organization_id, organizationId),
        eq(organizationMemberships.status, "pending"),
        isNotNull(organizationMemberships.user_id),
      ),
    );
