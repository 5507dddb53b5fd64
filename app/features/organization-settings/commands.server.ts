import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { MemberActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { organizationSubject, organizationTexts } from "~/features/organizations/model";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import type { OrganizationSettings } from "./model";
import { findOrganizationSettings } from "./queries.server";

/** Members without it keep their access for seven days, counted from now or from when they join. */
export async function requireMfa(
  ctx: Ctx,
  actor: MemberActor,
  { isRequired }: { isRequired: boolean },
): Promise<boolean> {
  const { organizationId, organizationName } = actor.membership;
  const now = ctx.now();
  const { mfa_required_at } = organizations;
  return commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.require_mfa", organizationId)),
    ctx.db
      .update(organizations)
      .set({ mfa_required_at: isRequired ? now : null, updated_at: now })
      .where(
        and(eq(organizations.id, organizationId), isRequired ? isNull(mfa_required_at) : isNotNull(mfa_required_at)),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, isRequired ? "organization.mfa_required" : "organization.mfa_optional", {
      subject: organizationSubject({ id: organizationId, name: organizationName }),
      orgId: organizationId,
    }),
  ]);
}

/**
 * Saves what the admins of an organization may change of it, unless somebody has saved since the form was shown. Saving
 * what is stored already changes nothing and leaves no trace.
 */
export async function saveOrganizationSettings(
  ctx: Ctx,
  actor: MemberActor,
  { version, ...settings }: OrganizationSettings & { version: number },
): Promise<Result<{ changed: boolean }, "changed" | "not_found">> {
  const { organizationId } = actor.membership;
  const stored = await findOrganizationSettings(ctx.db, organizationId);
  if (!stored) return fail("not_found");
  const changedFields = (Object.keys(settings) as (keyof OrganizationSettings)[]).filter(
    (field) => settings[field] !== stored[field],
  );
  if (changedFields.length === 0) return ok({ changed: false });
  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.edit", organizationId)),
    ctx.db
      .update(organizations)
      .set({
        ...organizationTexts(settings),
        visibility: settings.visibility,
        default_role: settings.defaultRole,
        allows_copies: settings.allowsCopies,
        updated_at: ctx.now(),
        version: sql`${organizations.version} + 1`,
      })
      .where(and(eq(organizations.id, organizationId), eq(organizations.version, version))),
    expectChange(ctx.db),
    recordAudit(ctx, "organization.updated", {
      subject: organizationSubject({ id: organizationId, name: settings.name }),
      orgId: organizationId,
      meta: { fields: changedFields },
    }),
  ]);
  return written ? ok({ changed: true }) : fail("changed");
}
