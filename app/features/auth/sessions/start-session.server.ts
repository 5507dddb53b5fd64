import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { isStaffRole } from "~/access/model";
import { commit, expectRow, expectThat, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { userSubject } from "~/features/users/subject";
import type { Instant } from "~/lib/time";
import { disconnectSession } from "~/live/disconnect.server";
import type { Ctx } from "~/platform/context.server";
import {
  deleteChallengeCookie,
  knownDevice,
  rememberDevice,
  sessionIdOf,
  setSessionCookie,
} from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { networkPrefix } from "~/platform/network.server";
import { clearLimit } from "~/platform/rate-limit.server";
import { deleteSessionPayload, storeSessionPayload } from "~/platform/session-payload.server";
import { lifetimesOf, MAX_PASSWORD_FAILURES, MAX_SESSIONS, type ProvenPerson } from "../model";
import { securityMail } from "../security-mail.server";
import { deviceLabel } from "./device-label";
import { sessionLimits } from "./session-limits.server";

type PreparedSession = {
  /** Holds statements for the batch that completes the sign-in, which fails when the person's epoch has changed. */
  statements: Statement[];
  /** Sets the cookies and cleans up the session that was replaced. */
  onCommitted: () => void;
};

type SessionOptions = {
  /** Says how the person signed in: 1 with a password only, 2 with password and second factor. */
  aal: 1 | 2;
  /** Tells whether it replaces the person's present session, for example after a step-up. */
  isRenewal?: boolean;
  /**
   * Says when the person last proved who they are; by default now. A renewal without a full proof keeps the old time.
   */
  provedAt?: Instant;
  /**
   * Tells whether the person has just proved their address in this browser and chosen the password here, so that no
   * mail tells them of a new browser.
   */
  isFirst?: boolean;
};

/**
 * Prepares a new session without starting it. The id is always new, which prevents session fixation; the session whose
 * cookie the browser sent ends in the same batch.
 */
export function prepareSession(
  ctx: Ctx,
  person: ProvenPerson,
  { aal, isRenewal = false, provedAt, isFirst = false }: SessionOptions,
): PreparedSession {
  const now = ctx.now();
  const sessionId = ctx.newToken();
  const sessionHash = hashToken(sessionId);
  const previousId = sessionIdOf(ctx);
  const previousHash = previousId && hashToken(previousId);
  const device = knownDevice(ctx, person);
  const lifetimes = lifetimesOf(person.role);
  const limits = sessionLimits(person.role);
  const label = deviceLabel(ctx.request.userAgent);
  const network = networkPrefix(ctx.request.ip);
  const isNewDevice = !device && !isRenewal && !isFirst;

  return {
    statements: [
      expectRow(
        ctx.db,
        users,
        and(eq(users.id, person.userId), eq(users.auth_epoch, person.epoch), eq(users.status, "active")),
      ),
      expectThat(ctx.db, hasRole(person)),
      ...(previousHash ? [revokeReplaced(ctx, previousHash)] : []),
      ctx.db.insert(sessions).values({
        id_hash: sessionHash,
        user_id: person.userId,
        epoch: person.epoch,
        aal,
        current_org_id:
          isRenewal && previousHash
            ? organizationOfSession(previousHash, person.userId)
            : organizationOfLastSession(person.userId),
        created_at: now,
        last_seen_at: now,
        idle_expires_at: sql`${now} + ${limits.idle}`,
        abs_expires_at: sql`${now} + ${limits.absolute}`,
        reauth_at: provedAt ?? now,
        ua_label: label,
        ip_prefix: network,
      }),
      revokeSurplus(ctx, person.userId),
      recordAudit(ctx, isRenewal ? "session.renewed" : "session.started", {
        subject: userSubject(person),
        meta: { aal, session: sessionHash },
        actor: toAuditActor(person),
      }),
      clearLimit(ctx.db, "login_account", `user:${person.userId}`),
      ...(device ? [clearLimit(ctx.db, "login_device", `${person.userId}:${device}`)] : []),
      ctx.db
        .update(users)
        .set({ password_failures: 0 })
        // A locked password stays locked for strangers when its owner signs in with a browser of theirs.
        .where(
          and(
            eq(users.id, person.userId),
            gt(users.password_failures, 0),
            lt(users.password_failures, MAX_PASSWORD_FAILURES),
          ),
        ),
      ...(isNewDevice ? securityMail(ctx, person, "new-device", { device: label, network }) : []),
    ],
    onCommitted: () => {
      setSessionCookie(ctx, sessionId, isStaffRole(person.role) ? null : lifetimes.absolute);
      deleteChallengeCookie(ctx);
      rememberDevice(ctx, person);
      storeSessionPayload(ctx, sessionHash, { device: label, at: now }, lifetimes.absolute);
      if (isNewDevice) ctx.after(deliverOutbox(ctx));
      if (!previousHash) return;
      deleteSessionPayload(ctx, previousHash);
      // On a shared browser the previous session may be somebody else's.
      disconnectSession(ctx, { userId: ctx.signedIn?.userId ?? person.userId, sessionHash: previousHash });
    },
  };
}

/** Starts a session for a person who needs no second factor. Returns false when the account has changed. */
export async function startSession(
  ctx: Ctx,
  person: ProvenPerson,
  options: Pick<SessionOptions, "isFirst"> = {},
): Promise<boolean> {
  const session = prepareSession(ctx, person, { aal: 1, ...options });
  const started = await commit(ctx.db, session.statements);
  if (started) session.onCommitted();
  return started;
}

/**
 * Returns the condition that the person still has the role the session is made for: its lifetime depends on the role.
 */
const hasRole = ({ userId, role }: ProvenPerson) =>
  sql`coalesce((select role from user_roles where user_id = ${userId}), 'user') = ${role}`;

/** Selects the organization of the replaced session, so that the new one continues there. */
const organizationOfSession = (sessionHash: string, userId: string) =>
  sql<string | null>`(select current_org_id from sessions where id_hash = ${sessionHash} and user_id = ${userId})`;

/**
 * Selects the organization that the person worked in last, else the first of theirs by name. Stored, so that one that
 * takes them in later does not become the current one by itself.
 */
const organizationOfLastSession = (userId: string) =>
  sql<string | null>`coalesce(
    (select p.current_org_id from sessions p join organization_memberships m
      on m.organization_id = p.current_org_id and m.user_id = p.user_id and m.status = 'active'
      where p.user_id = ${userId} order by p.last_seen_at desc, p.created_at desc limit 1),
    (select o.id from organization_memberships m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} and m.status = 'active' order by o.name_key, o.id limit 1))`;

const revokeReplaced = (ctx: Pick<Ctx, "db" | "now">, sessionHash: string): Statement =>
  ctx.db
    .update(sessions)
    .set({ revoked_at: ctx.now(), revoke_reason: "replaced" })
    .where(and(eq(sessions.id_hash, sessionHash), isNull(sessions.revoked_at)));

/** Ends the oldest sessions beyond the number a person may have; the one just inserted is the newest. */
function revokeSurplus(ctx: Pick<Ctx, "db" | "now">, userId: string): Statement {
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
