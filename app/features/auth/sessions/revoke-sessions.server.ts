import { and, eq, isNull, ne, type SQL } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { sessions } from "~/db/schema/sessions";
import { personAs } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { userSubject } from "~/features/users/subject";
import { disconnectSession } from "~/live/disconnect.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { dropLinkCookie, dropSessionCookie } from "~/platform/cookies.server";
import { deleteSessionPayload } from "~/platform/session-payload.server";
import { changeCredentials } from "../change-credentials.server";
import { consumeLink, type OpenLink, voidLinks } from "../mail-links.server";
import { type Account, findAccount, listOpenSessions } from "../queries.server";

/** Signs out another browser of the same person. A session of somebody else, or one that is over, is not touched. */
export async function revokeSession(ctx: Ctx, signedIn: SignedIn, sessionHash: string): Promise<void> {
  if (sessionHash === signedIn.sessionHash) return;
  const revoked = await commit(ctx.db, [
    revoke(ctx, signedIn.userId, eq(sessions.id_hash, sessionHash)),
    expectChange(ctx.db),
    recordAudit(ctx, "session.revoked", { subject: userSubject(signedIn), meta: { session: sessionHash } }),
  ]);
  if (revoked) forget(ctx, signedIn.userId, [sessionHash]);
}

/** Signs out all other browsers of the person. */
export async function revokeOtherSessions(ctx: Ctx, signedIn: SignedIn): Promise<void> {
  const { userId, sessionHash } = signedIn;
  // One that starts after this read ends all the same; its socket closes with the hub's next round.
  const others = (await listOpenSessions(ctx.db, userId, ctx.now()))
    .map((session) => session.sessionHash)
    .filter((hash) => hash !== sessionHash);
  await commit(ctx.db, [
    revoke(ctx, userId, ne(sessions.id_hash, sessionHash)),
    recordAudit(ctx, "session.revoked", { subject: userSubject(signedIn) }),
  ]);
  forget(ctx, userId, others);
}

const revoke = (ctx: Ctx, userId: string, condition: SQL): Statement =>
  ctx.db
    .update(sessions)
    .set({ revoked_at: ctx.now(), revoke_reason: "revoked" })
    .where(and(eq(sessions.user_id, userId), isNull(sessions.revoked_at), condition));

/** Signs out everywhere, here included: no session of the person lives on, whoever holds it. */
export async function endAllSessions(ctx: Ctx, signedIn: SignedIn): Promise<void> {
  const account = await findAccount(ctx.db, signedIn.userId);
  if (account) await endAll(ctx, account, []);
  dropSessionCookie(ctx);
}

/** What "This wasn't me" does. False: the link is used up, overtaken or too old. */
export async function endSessionsByLink(ctx: Ctx, link: OpenLink): Promise<boolean> {
  const account = await findAccount(ctx.db, link.userId);
  const ended =
    account?.status === "active" && (await endAll(ctx, account, consumeLink(ctx, "not_me", link.tokenHash)));
  dropLinkCookie(ctx, "not_me");
  if (ended && ctx.signedIn?.userId === link.userId) dropSessionCookie(ctx);
  return ended;
}

async function endAll(ctx: Ctx, account: Account, uses: ReturnType<typeof consumeLink>): Promise<boolean> {
  const { userId } = account;
  return changeCredentials(ctx, account, {
    uses,
    changes: [voidLinks(ctx, userId, ["email_change"])],
    session: null,
    audit: [recordAudit(ctx, "user.sessions_ended", { subject: userSubject(account), actor: personAs(account) })],
  });
}

function forget(ctx: Ctx, userId: string, hashes: readonly string[]): void {
  for (const sessionHash of hashes) {
    deleteSessionPayload(ctx, sessionHash);
    disconnectSession(ctx, { userId, sessionHash });
  }
}
