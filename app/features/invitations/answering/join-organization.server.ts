import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { expectChange, expectNoRow, type Statement } from "~/db/client.server";
import { organizationMemberships } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { type AuditActor, toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { organizationSubject } from "~/features/organizations/subject";
import type { Ctx } from "~/platform/context.server";
import type { OpenTarget } from "../open-targets.server";

type MembershipTarget = Extract<OpenTarget, { kind: "membership" }>;
type NewMember = { userId: string; fullName: string; email: string; role: string };

/**
 * Returns the statements that make somebody a member. Their sessions keep the organization they work in: without a
 * chosen one it would be the first by name, which may be the new one.
 */
export function joinOrganization(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { membershipId, organization, role }: MembershipTarget,
  person: NewMember,
): Statement[] {
  const at = ctx.now();
  const actor: AuditActor = toAuditActor(person);
  return [
    keepCurrentOrganization(ctx, person.userId),
    // An organization has one owner, who may have come in another way since the invitation.
    ...(role === "owner"
      ? [expectNoRow(ctx.db, organizationMemberships, otherOwner(organization.id, membershipId))]
      : []),
    ctx.db
      .update(organizationMemberships)
      .set({ user_id: person.userId, status: "active", joined_at: at, updated_at: at })
      .where(
        and(
          eq(organizationMemberships.id, membershipId),
          eq(organizationMemberships.status, "pending"),
          isNull(organizationMemberships.user_id),
        ),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, "organization.member_joined", {
      subject: organizationSubject(organization),
      orgId: organization.id,
      meta: { role },
      actor,
    }),
  ];
}

const otherOwner = (organizationId: string, membershipId: string) =>
  and(
    eq(organizationMemberships.organization_id, organizationId),
    eq(organizationMemberships.role, "owner"),
    ne(organizationMemberships.id, membershipId),
  );

/** Writes down the organization that each open session works in, where it is only the first by name. */
const keepCurrentOrganization = ({ db }: Pick<Ctx, "db">, userId: string): Statement =>
  db
    .update(sessions)
    .set({
      current_org_id: sql`(select o.id from organization_memberships m join organizations o on o.id = m.organization_id
        where m.user_id = ${userId} and m.status = 'active' order by o.name_key, o.id limit 1)`,
    })
    .where(
      sql`${sessions.user_id} = ${userId} and ${sessions.revoked_at} is null and not exists (
        select 1 from organization_memberships where user_id = ${userId} and status = 'active'
        and organization_id = ${sessions.current_org_id})`,
    );
