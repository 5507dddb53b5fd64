import { and, eq, isNull } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { userSubject } from "~/features/users/subject";
import { disconnectSession } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import { deleteChallengeCookie, deleteSessionCookie, deleteUnsentFormCookie } from "~/platform/cookies.server";
import { deleteSessionPayload } from "~/platform/session-payload.server";

/** Tells the browser at a sign-out to delete cached pages (`Clear-Site-Data`). */
export const CLEAR_SITE_DATA = '"cache", "storage"';

/**
 * Signs out: when this returns, the session's cookie is worthless, even if it was copied. Sockets are closed and the
 * payload in KV is deleted after the response. Without a session only the cookies are removed. Throws when D1 is
 * unavailable, because the session would then stay valid.
 */
export async function endSession(ctx: Ctx): Promise<void> {
  const { signedIn } = ctx;
  if (signedIn) {
    await commit(ctx.db, [
      ctx.db
        .update(sessions)
        .set({ revoked_at: ctx.now(), revoke_reason: "signed_out" })
        .where(and(eq(sessions.id_hash, signedIn.sessionHash), isNull(sessions.revoked_at))),
      recordAudit(ctx, "session.ended", {
        subject: userSubject(signedIn),
        meta: { session: signedIn.sessionHash },
      }),
    ]);
    deleteSessionPayload(ctx, signedIn.sessionHash);
    disconnectSession(ctx, signedIn);
  }
  deleteSessionCookie(ctx);
  deleteChallengeCookie(ctx);
  deleteUnsentFormCookie(ctx);
}
