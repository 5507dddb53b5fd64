import { and, eq } from "drizzle-orm";
import { commit, expectChange, isDuplicate } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { consumeLink, type OpenLink, voidLinks } from "~/features/auth/mail-links.server";
import { userSubject } from "~/features/users/subject";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie } from "~/platform/cookies.server";
import { createOrganization } from "./create-organization.server";

/** Limits the attempts when organizations created at the same time compete for a slug. */
const SLUG_ATTEMPTS = 5;

/**
 * Activates the account whose address the link proves, and creates the organization named at the sign-up, with the
 * person as its owner, in the same batch. Nobody is signed in. Returns false when the link is no longer valid.
 */
export async function confirmSignUp(ctx: Ctx, link: OpenLink): Promise<boolean> {
  const { userId, email, tokenHash } = link;
  const [person] = await ctx.db
    .select({ fullName: users.full_name, organizationName: users.pending_organization_name })
    .from(users)
    .where(eq(users.id, userId))
    .limit(1);
  const owner = { userId, email, fullName: person?.fullName ?? "", role: "user" };
  const name = person?.organizationName;
  for (let attempt = 1; ; attempt += 1) {
    const creation = name ? await createOrganization(ctx, { name, owner }) : [];
    try {
      const confirmed = await commit(ctx.db, [
        ...consumeLink(ctx, "verify_email", tokenHash),
        ctx.db
          .update(users)
          .set({ status: "active", pending_organization_name: null, updated_at: ctx.now() })
          .where(and(eq(users.id, userId), eq(users.status, "unverified"), eq(users.email, email))),
        expectChange(ctx.db),
        voidLinks(ctx, userId, ["verify_email"]),
        ...creation,
        recordAudit(ctx, "user.confirmed", {
          subject: userSubject(owner),
          actor: toAuditActor(owner),
        }),
      ]);
      deleteLinkCookie(ctx, "verify_email");
      return confirmed;
    } catch (error) {
      if (!isDuplicate(error, "organizations.slug") || attempt === SLUG_ATTEMPTS) throw error;
    }
  }
}
