import type { Statement } from "~/db/client.server";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { Ctx } from "~/platform/context.server";
import { freeSlug, organizationTexts, slugOf } from "./model";
import { slugsLike } from "./queries.server";
import { organizationSubject } from "./subject";

type NewOrganization = { name: string; owner: { userId: string; fullName: string; email: string; role: string } };

/**
 * Returns the statements that create an organization with its owner. Two organizations of the same name, created at the
 * same time, may get the same slug: the second batch then fails with a duplicate of `organizations.slug`, and the
 * caller prepares it again.
 */
export async function createOrganization(ctx: Ctx, { name, owner }: NewOrganization): Promise<Statement[]> {
  const slug = slugOf(name);
  const id = ctx.newId("org");
  const now = ctx.now();
  const timestamps = { created_at: now, updated_at: now };
  const free = freeSlug(slug, await slugsLike(ctx.db, slug));
  return [
    ctx.db
      .insert(organizations)
      .values({ id, ...organizationTexts({ name, description: "" }), slug: free, ...timestamps }),
    ctx.db.insert(organizationMemberships).values({
      id: ctx.newId("mem"),
      organization_id: id,
      user_id: owner.userId,
      role: "owner",
      status: "active",
      joined_at: now,
      ...timestamps,
    }),
    recordAudit(ctx, "organization.created", {
      subject: organizationSubject({ id, name }),
      orgId: id,
      actor: toAuditActor(owner),
    }),
  ];
}
