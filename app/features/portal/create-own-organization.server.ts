import { eq, type SQL, sql } from "drizzle-orm";
import { sessions } from "~/db/schema/sessions";
import type { ClientActor } from "~/features/auth/guards.server";
import { createOrganization } from "~/features/organizations/create-organization.server";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type Planned, runCommand } from "~/platform/run-command.server";

type Creation = Result<{ needsApproval: boolean }, "invite_only" | "limited" | "denied">;

/**
 * Creates an organization for a person who belongs to none, as its owner and the one they work in from now on. By the
 * sign-up policy staff may have to approve it first, or nobody may. However many such forms arrive at once, one wins.
 */
export async function createOwnOrganization(
  ctx: Ctx,
  actor: ClientActor,
  { name, description, nonce }: { name: string; description: string; nonce: string },
): Promise<Creation> {
  const id = ctx.newId("org");
  const form = { scope: "organization-create", key: nonce };
  const created = await runCommand(ctx, form, {
    read: () => getSettings(ctx.db),
    plan: async ({ signUpPolicy }, { isFirst }): Promise<Planned<"invite_only" | "limited" | "denied">> => {
      if (signUpPolicy === "invite_only") return fail("invite_only");
      const limit = isFirst ? await takeLimit(ctx.db, "organization_user", actor.userId, ctx.now()) : null;
      if (limit?.allowed === false) return fail("limited");
      return ok({
        resultId: signUpPolicy,
        expects: [{ that: belongsNowhere(actor), otherwise: "denied" }],
        statements: [
          ...createOrganization(ctx, {
            id,
            name,
            description,
            owner: { ...actor, role: ctx.signedIn?.role ?? actor.role },
            needsApproval: signUpPolicy === "approval",
          }),
          ctx.db.update(sessions).set({ current_org_id: id }).where(eq(sessions.id_hash, actor.sessionHash)),
        ],
      });
    },
  });
  return created.ok ? ok({ needsApproval: created.value === "approval" }) : created;
}

/** Returns the condition that a person has no organization, and waits for the approval of none. */
const belongsNowhere = ({ userId }: ClientActor): SQL => sql`
  not exists (select 1 from organization_memberships where user_id = ${userId} and status in ('active', 'pending'))`;
