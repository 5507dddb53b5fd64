import { and, eq, isNull, ne, type SQL } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { userSubject } from "~/features/users/subject";
import { disconnectSession } from "~/live/disconnect.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteLinkCookie, deleteSessionCookie } from "~/platform/cookies.server";
import { deleteSessionPayload } from "~/platform/session-payload.server";
import { changeCredentials } from "../change-credentials.server";
import { consumeLink, type OpenLink, voidLinks } from "../mail-links.server";
import { type Account, findAccount, listOpenSessions } from "../queries.server";

/**
 * Signs out another browser of the same person. Sessions of other people and ended ones do not change. Returns whether
 * it is signed out, as by the first of two clicks. False for what ended otherwise: the browser may have a new session
 * by now, since the list was shown.
 */
export async function revokeSession(ctx: Ctx, signedIn: SignedIn, sessionHash: string): Promise<boolean> {
  if (sessionHash === signedIn.sessionHash) return false;
  const revoked = await commit(ctx.db, [
    revoke(ctx, signedIn.userId, eq(sessions.id_hash, sessionHash)),
    expectChange(ctx.db),
    recordAudit(ctx, "session.revoked", { subject: userSubject(signedIn), meta: { session: sessionHash } }),
  ]);
  if (!revoked) return isRevoked(ctx, signedIn.userId, sessionHash);
  closeRevoked(ctx, signedIn.userId, [sessionHash]);
  return true;
}

/** Tells whether a session of a person was ended from a list of sessions. */
const isRevoked = async ({ db }: Pick<Ctx, "db">, userId: string, sessionHash: string): Promise<boolean> =>
  (await db.$count(
    sessions,
    and(eq(sessions.id_hash, sessionHash), eq(sessions.user_id, userId), eq(sessions.revoke_reason, "revoked")),
  )) > 0;

/** Signs out all other browsers of the person. */
export async function revokeOtherSessions(ctx: Ctx, signedIn: SignedIn): Promise<void> {
  const { userId, sessionHash } = signedIn;
  // A session that starts after this read is revoked too; the hub closes its socket at its next check.
  const others = (await listOpenSessions(ctx.db, userId, ctx.now()))
    .map((session) => session.sessionHash)
    .filter((hash) => hash !== sessionHash);
  await commit(ctx.db, [
    revoke(ctx, userId, ne(sessions.id_hash, sessionHash)),
    recordAudit(ctx, "session.revoked", { subject: userSubject(signedIn) }),
  ]);
  closeRevoked(ctx, userId, others);
}

/** Returns the statement that revokes the open sessions of a person for which a condition holds. */
export const revoke = (ctx: Pick<Ctx, "db" | "now">, userId: string, condition: SQL): Statement =>
  ctx.db
    .update(sessions)
    .set({ revoked_at: ctx.now(), revoke_reason: "revoked" })
    .where(and(eq(sessions.user_id, userId), isNull(sessions.revoked_at), condition));

/** Signs the person out in every browser, including this one. */
export async function endAllSessions(ctx: Ctx, signedIn: SignedIn): Promise<void> {
  const account = await findAccount(ctx.db, signedIn.userId);
  if (account) await endAll(ctx, account, []);
  deleteSessionCookie(ctx);
}

/** Ends all sessions with the link "This wasn't me". Returns false when the link is used, replaced or expired. */
export async function endSessionsByLink(ctx: Ctx, link: OpenLink): Promise<boolean> {
  const account = await findAccount(ctx.db, link.userId);
  const ended =
    account?.status === "active" && (await endAll(ctx, account, consumeLink(ctx, "not_me", link.tokenHash)));
  deleteLinkCookie(ctx, "not_me");
  if (ended && ctx.signedIn?.userId === link.userId) deleteSessionCookie(ctx);
  return ended;
}

async function endAll(ctx: Ctx, account: Account, uses: ReturnType<typeof consumeLink>): Promise<boolean> {
  const { userId } = account;
  return changeCredentials(ctx, account, {
    uses,
    changes: [voidLinks(ctx, userId, ["email_change"])],
    session: null,
    audit: [recordAudit(ctx, "user.sessions_ended", { subject: userSubject(account), actor: toAuditActor(account) })],
  });
}

/** Deletes what is kept of revoked sessions elsewhere and closes their sockets, after the commit. */
export function closeRevoked(
  ctx: Pick<Ctx, "db" | "kv" | "live" | "after">,
  userId: string,
  hashes: readonly string[],
): void {
  for (const sessionHash of hashes) {
    deleteSessionPayload(ctx, sessionHash);
    disconnectSession(ctx, { userId, sessionHash });
  }
}
