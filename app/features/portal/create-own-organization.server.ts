import { eq, type SQL, sql } from "drizzle-orm";
import { claimKey, commit, expectThat, findClaim } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import type { ClientActor } from "~/features/auth/guards.server";
import { createOrganization } from "~/features/organizations/create-organization.server";
import { getSettings } from "~/features/settings/queries.server";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limit.server";

const SCOPE = "organization-create";

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
  const { signUpPolicy } = await getSettings(ctx.db);
  if (signUpPolicy === "invite_only") return fail("invite_only");
  const needsApproval = signUpPolicy === "approval";
  if (await findClaim(ctx.db, nonce, SCOPE)) return ok({ needsApproval });
  if (!(await takeLimit(ctx.db, "organization_user", actor.userId, ctx.now())).allowed) return fail("limited");
  const id = ctx.newId("org");
  const isFounded = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: SCOPE, resultLocation: PORTAL_HOME_PATH, at: ctx.now() }),
    expectThat(ctx.db, belongsNowhere(actor)),
    ...createOrganization(ctx, {
      id,
      name,
      description,
      owner: { ...actor, role: ctx.signedIn?.role ?? actor.role },
      needsApproval,
    }),
    ctx.db.update(sessions).set({ current_org_id: id }).where(eq(sessions.id_hash, actor.sessionHash)),
  ]);
  if (isFounded || (await findClaim(ctx.db, nonce, SCOPE))) return ok({ needsApproval });
  return fail("denied");
}

/** Returns the condition that a person has no organization, and waits for the approval of none. */
const belongsNowhere = ({ userId }: ClientActor): SQL => sql`
  not exists (select 1 from organization_memberships where user_id = ${userId} and status in ('active', 'pending'))`;
