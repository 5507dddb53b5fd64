import { eq } from "drizzle-orm";
import { expectChange } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import type { StaffActor } from "~/features/auth/guards.server";
import { listOpenSessions } from "~/features/auth/queries.server";
import { closeRevoked, revoke } from "~/features/auth/sessions/revoke-sessions.server";
import { fail } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { type AccessInput, type AccessResult, changeAccess } from "./access-change.server";

/**
 * Signs a person out in one browser; the others stay. `session`: the number of its row, as pages have it. Fails with
 * `session_ended` when it is no open session of the person.
 */
export async function endUserSession(
  ctx: Ctx,
  actor: StaffActor,
  { session, ...input }: AccessInput & { session: string },
): Promise<AccessResult> {
  const open = await listOpenSessions(ctx.db, input.userId, ctx.now());
  const found = open.find(({ id }) => String(id) === session);
  if (!found) return fail("session_ended");
  const ended = await changeAccess(ctx, actor, input, ({ userId }) => ({
    statements: [revoke(ctx, userId, eq(sessions.id_hash, found.sessionHash)), expectChange(ctx.db)],
    event: "user.session_ended",
    mail: "session_ended",
  }));
  if (ended.ok) closeRevoked(ctx, input.userId, [found.sessionHash]);
  return ended;
}
