import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Actor } from "~/access/model";
import { can } from "~/access/policy";
import { commit, expectRow } from "~/db/client.server";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { organizationSubject } from "./subject";

type MfaRequirementChange = { organizationId: string; isRequired: boolean };

/**
 * Requires a second factor of everyone in an organization, or makes it optional again. Only its owner and platform
 * admins may do this. The grace period begins when it is first required: requiring it again changes nothing. The
 * ability is checked first and the membership again in the batch, so an owner who is replaced or suspended meanwhile
 * changes nothing.
 */
export async function requireMfa(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  actor: Actor & Pick<SignedIn, "fullName" | "email">,
  { organizationId, isRequired }: MfaRequirementChange,
): Promise<Result<undefined, "not_allowed">> {
  if (!can(actor, "organization.require_mfa", { organizationId })) return fail("not_allowed");
  const organization = eq(organizations.id, organizationId);
  const isChange = isRequired ? isNull(organizations.mfa_required_at) : isNotNull(organizations.mfa_required_at);
  const [changing] = await ctx.db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(and(organization, isChange))
    .limit(1);
  if (!changing) return ok(undefined);
  const written = await commit(ctx.db, [
    ...(actor.role === "admin" ? [] : [expectOwner(ctx, actor.userId, organizationId)]),
    expectRow(ctx.db, organizations, and(organization, isChange)),
    ctx.db
      .update(organizations)
      .set({ mfa_required_at: isRequired ? ctx.now() : null, updated_at: ctx.now() })
      .where(organization),
    recordAudit(ctx, "organization.mfa_requirement_changed", {
      subject: organizationSubject(changing),
      orgId: organizationId,
      meta: { required: isRequired },
      actor: toAuditActor(actor),
    }),
  ]);
  return written ? ok(undefined) : fail("not_allowed");
}

const expectOwner = (ctx: Pick<Ctx, "db">, userId: string, organizationId: string) =>
  expectRow(
    ctx.db,
    organizationMemberships,
    and(
      eq(organizationMemberships.organization_id, organizationId),
      eq(organizationMemberships.user_id, userId),
      eq(organizationMemberships.role, "owner"),
      eq(organizationMemberships.status, "active"),
    ),
  );
