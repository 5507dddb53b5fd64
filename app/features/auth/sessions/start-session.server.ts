import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { isStaffRole } from "~/access/model";
import { commit, expectRow, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import { personAs } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { userSubject } from "~/features/users/subject";
import { disconnectSession } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import {
  dropChallengeCookie,
  knownDevice,
  rememberDevice,
  sessionIdOf,
  setSessionCookie,
} from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { clearLimit } from "~/platform/rate-limit.server";
import { deleteSessionPayload, storeSessionPayload } from "~/platform/session-payload.server";
import { lifetimesOf, MAX_SESSIONS, type ProvenPerson } from "../model";
import { securityMail } from "../security-mail.server";
import { deviceLabel } from "./device-label";

export type PreparedSession = {
  /** For the batch that completes the sign-in; they hold only as long as the person's epoch has not moved. */
  statements: Statement[];
  /** Once the batch is written: hands out the cookies and tidies up after the session that was replaced. */
  onCommitted: () => void;
};

type SessionOptions = {
  /** 1 = password, 2 = password and second factor. */
  aal: 1 | 2;
  /** It takes the place of the person's own session, after something that must change the id. */
  isRenewal?: boolean;
};

/**
 * Puts together a new session without starting it. The id is always fresh: one that a browser brought along is never
 * adopted, and the session it stood for ends in the same batch.
 */
export function prepareSession(
  ctx: Ctx,
  person: ProvenPerson,
  { aal, isRenewal = false }: SessionOptions,
): PreparedSession {
  const now = ctx.now();
  const sessionId = ctx.newToken();
  const sessionHash = hashToken(sessionId);
  const earlierId = sessionIdOf(ctx);
  const earlierHash = earlierId && hashToken(earlierId);
  const device = knownDevice(ctx, person.userId);
  const life = lifetimesOf(person.role);
  const label = deviceLabel(ctx.request.userAgent);
  const isNews = !device && !isRenewal;

  return {
    statements: [
      expectRow(
        ctx.db,
        users,
        and(eq(users.id, person.userId), eq(users.auth_epoch, person.epoch), eq(users.status, "active")),
      ),
      ...(earlierHash ? [revokeReplaced(ctx, earlierHash)] : []),
      ctx.db.insert(sessions).values({
        id_hash: sessionHash,
        user_id: person.userId,
        epoch: person.epoch,
        aal,
        current_org_id: isRenewal && earlierHash ? organizationOf(earlierHash, person.userId) : null,
        created_at: now,
        last_seen_at: now,
        idle_expires_at: now + life.idle,
        abs_expires_at: now + life.absolute,
        reauth_at: now,
        ua_label: label,
        ip_prefix: ctx.request.network,
      }),
      revokeSurplus(ctx, person.userId),
      recordAudit(ctx, isRenewal ? "session.renewed" : "session.started", {
        subject: userSubject(person),
        meta: { aal, session: sessionHash },
        actor: personAs(person),
      }),
      clearLimit(ctx.db, "login_account", `user:${person.userId}`),
      ...(device ? [clearLimit(ctx.db, "login_device", device)] : []),
      ctx.db
        .update(users)
        .set({ password_failures: 0 })
        .where(and(eq(users.id, person.userId), gt(users.password_failures, 0))),
      ...(isNews ? securityMail(ctx, person, "new-device", { device: label, network: ctx.request.network }) : []),
    ],
    onCommitted: () => {
      setSessionCookie(ctx, sessionId, isStaffRole(person.role) ? null : life.absolute);
      dropChallengeCookie(ctx);
      rememberDevice(ctx, person.userId);
      storeSessionPayload(ctx, sessionHash, { device: label, at: now }, life.absolute);
      if (isNews) ctx.after(deliverOutbox(ctx));
      if (!earlierHash) return;
      deleteSessionPayload(ctx, earlierHash);
      disconnectSession(ctx, { userId: person.userId, sessionHash: earlierHash });
    },
  };
}

/** Starts a session for a person of whom no second factor is asked. False: their account changed in the meantime. */
export async function startSession(ctx: Ctx, person: ProvenPerson): Promise<boolean> {
  const session = prepareSession(ctx, person, { aal: 1 });
  const started = await commit(ctx.db, session.statements);
  if (started) session.onCommitted();
  return started;
}

/** The organization the person was working in, carried over. */
const organizationOf = (sessionHash: string, userId: string) =>
  sql<string | null>`(select current_org_id from sessions where id_hash = ${sessionHash} and user_id = ${userId})`;

const revokeReplaced = (ctx: Ctx, sessionHash: string): Statement =>
  ctx.db
    .update(sessions)
    .set({ revoked_at: ctx.now(), revoke_reason: "replaced" })
    .where(and(eq(sessions.id_hash, sessionHash), isNull(sessions.revoked_at)));

/** Ends the oldest sessions beyond the number a person may have; the one just inserted is the newest. */
function revokeSurplus(ctx: Ctx, userId: string): Statement {
  const now = ctx.now();
  return ctx.db
    .update(sessions)
    .set({ revoked_at: now, revoke_reason: "surplus" })
    .where(
      sql`${sessions.user_id} = ${userId} and ${sessions.revoked_at} is null and ${sessions.id_hash} not in (
        select id_hash from sessions where user_id = ${userId} and revoked_at is null
        and idle_expires_at > ${now} and abs_expires_at > ${now} order by created_at desc, rowid desc limit ${MAX_SESSIONS})`,
    );
}
