import { and, eq, isNotNull } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import { approveOwner } from "~/features/organizations/approve-owner.server";
import { organizationSubject } from "~/features/organizations/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findDetails } from "./queries.server";

/**
 * Notes that staff have looked at an organization that a client has created, and lets its founder in who waited for
 * that. Once is enough: a second time does nothing.
 */
export async function reviewOrganization(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  organizationId: string,
): Promise<Result<null, "organization_not_found">> {
  const found = await findDetails(ctx.db, organizationId);
  if (!found) return fail("organization_not_found");
  await commit(ctx.db, [
    ctx.db
      .update(organizations)
      .set({ needs_review_at: null })
      .where(and(eq(organizations.id, organizationId), isNotNull(organizations.needs_review_at))),
    expectChange(ctx.db),
    approveOwner(ctx, organizationId),
    recordAudit(ctx, "organization.reviewed", {
      subject: organizationSubject({ id: organizationId, name: found.name }),
      orgId: organizationId,
    }),
  ]);
  return ok(null);
}
