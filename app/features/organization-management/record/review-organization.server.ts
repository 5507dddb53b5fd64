import { and, eq, isNotNull } from "drizzle-orm";
import { commit, type Db, expectChange, expectThat } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { approveOwner } from "~/features/organizations/approve-owner.server";
import { organizationSubject } from "~/features/organizations/subject";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findDetails, findWaitingCreator } from "./queries.server";

/**
 * Records that staff have looked at an organization that a client has created, and opens it to its creator, who waited
 * for that and gets a mail. Once is enough: a second time does nothing. `denied`: who does it has lost the right to.
 */
export async function reviewOrganization(
  ctx: Ctx,
  actor: StaffActor,
  organizationId: string,
): Promise<Result<null, "organization_not_found" | "denied">> {
  const { db } = ctx;
  const [found, creator] = await Promise.all([findDetails(db, organizationId), findWaitingCreator(db, organizationId)]);
  if (!found) return fail("organization_not_found");
  const reviewed = await commit(db, [
    expectThat(db, stillAllowed(actor, "organization.manage", organizationId)),
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
    ...(creator
      ? [
          enqueueMail(ctx, "membership-changed", {
            to: creator.email,
            about: { type: "user", id: creator.userId },
            data: { organization: found.name, change: "approved" },
          }),
        ]
      : []),
  ]);
  if (!reviewed) return whyNot(db, organizationId);
  if (creator) ctx.after(deliverOutbox(ctx));
  return ok(null);
}

/** Tells why nothing was written: a colleague has done it, the organization is gone, or the right to do it is. */
async function whyNot(db: Db, organizationId: string): Promise<Result<null, "organization_not_found" | "denied">> {
  const [row] = await db
    .select({ waitsSince: organizations.needs_review_at })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .limit(1);
  if (!row) return fail("organization_not_found");
  return row.waitsSince === null ? ok(null) : fail("denied");
}
