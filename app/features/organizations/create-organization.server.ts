import type { Statement } from "~/db/client.server";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { Ctx } from "~/platform/context.server";
import { organizationSubject, organizationTexts, slugOf } from "./model";
import { freeSlug } from "./queries.server";

type NewOrganization = {
  id?: string;
  name: string;
  description?: string;
  owner: { userId: string; fullName: string; email: string; role: string };
  needsApproval: boolean;
};

/** Where approval is needed, the membership of the owner is pending until then, and gives nothing. */
export function createOrganization(
  ctx: Ctx,
  { id = ctx.newId("org"), name, description = "", owner, needsApproval }: NewOrganization,
): Statement[] {
  const now = ctx.now();
  const timestamps = { created_at: now, updated_at: now };
  return [
    ctx.db.insert(organizations).values({
      id,
      ...organizationTexts({ name, description }),
      slug: freeSlug(slugOf(name)),
      needs_review_at: now,
      ...timestamps,
    }),
    ctx.db.insert(organizationMemberships).values({
      id: ctx.newId("mem"),
      organization_id: id,
      user_id: owner.userId,
      role: "owner",
      status: needsApproval ? "pending" : "active",
      joined_at: needsApproval ? null : now,
      ...timestamps,
    }),
    recordAudit(ctx, "organization.created", {
      subject: organizationSubject({ id, name }),
      orgId: id,
      actor: toAuditActor(owner),
    }),
  ];
}
