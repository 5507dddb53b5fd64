import { changeCredentials } from "~/features/auth/change-credentials.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { fail, ok } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import {
  type AccessInput,
  type AccessResult,
  expectAdmin,
  findOther,
  mailAccessChange,
  recordAccessChange,
} from "./access-change.server";

/** Signs a person out in every browser; after the next sign-in they may do nothing but choose a new password. */
export async function requirePasswordChange(
  ctx: Ctx,
  actor: StaffActor,
  { userId, reason }: AccessInput,
): Promise<AccessResult> {
  const found = await findOther(ctx, actor, userId);
  if (!found.ok) return found;
  const account = found.value;
  const written = await changeCredentials(ctx, account, {
    uses: [expectAdmin(ctx, actor)],
    account: { must_change_password: 1 },
    session: null,
    audit: [recordAccessChange(ctx, "user.password_change_required", { account, reason })],
    mail: [mailAccessChange(ctx, account, "password_change_required")],
  });
  return written ? ok(undefined) : fail("denied");
}
