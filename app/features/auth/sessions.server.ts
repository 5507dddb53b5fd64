import { and, eq, gt, isNull, lt, lte, ne, type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { isStaffRole, type PlatformRole } from "~/access/model";
import { commit, expectChange, expectRow, expectThat, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { sessions } from "~/db/schema/sessions";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { SessionLimits } from "~/features/settings/model";
import { userSubject } from "~/features/users/model";
import { days, hours, type Instant, minutes } from "~/lib/time";
import { disconnectSession, disconnectUser } from "~/live/publish.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import {
  deleteChallengeCookie,
  deleteLinkCookie,
  deleteSessionCookie,
  deleteUnsentFormCookie,
  knownDevice,
  rememberDevice,
  sessionIdOf,
  setSessionCookie,
} from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { clearLimit } from "~/platform/rate-limits.server";
import { networkPrefix } from "~/platform/request-headers.server";
import { deleteSessionData, keepSessionData, readSessionData, sessionDataKey } from "~/platform/session-data.server";
import { consumeLink, type OpenLink, securityMail, voidLinks } from "./mail-links.server";
import { lifetimesOf, MAX_PASSWORD_FAILURES, MAX_SESSIONS, type ProvenPerson, TOUCH_INTERVAL } from "./model";
import { type Account, findAccount, findSignedIn, listOpenSessions } from "./queries.server";

const BROWSERS = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
] as const;

/** Without a version: the list of sessions needs none, and the user agent itself is never shown. */
export function deviceLabel(userAgent: string): string {
  const named = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? "A browser";
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}

const deviceKey = (sessionHash: string) => sessionDataKey("sess", sessionHash);

/** What is known of the browser of each session; "A browser" where KV has nothing. */
export async function withDevices<Session extends { sessionHash: string }>(
  ctx: Pick<Ctx, "config" | "kv" | "log" | "now" | "request">,
  sessions: readonly Session[],
): Promise<(Session & { device: string })[]> {
  const keys = sessions.map(({ sessionHash }) => deviceKey(sessionHash));
  const labels = await readSessionData(ctx, keys, z.string());
  return sessions.map((session) => ({
    ...session,
    device: labels?.get(deviceKey(session.sessionHash)) ?? deviceLabel(""),
  }));
}

/** Returns, in milliseconds, what the settings say of a limit if that is shorter than the longest one. */
const limitOf = (key: keyof SessionLimits, unit: number, longest: number): SQL =>
  sql`min(${longest}, coalesce((SELECT (value_json ->> ${`$.${key}`}) * ${unit} FROM settings
    WHERE key = 'sessionLimits'), ${longest}))`;

/** As expressions that are read in the batch itself. */
function sessionLimits(role: PlatformRole): { idle: SQL; absolute: SQL } {
  const { idle, absolute } = lifetimesOf(role);
  return isStaffRole(role)
    ? { idle: limitOf("staffIdleMinutes", minutes(1), idle), absolute: limitOf("staffHours", hours(1), absolute) }
    : { idle: limitOf("clientIdleHours", hours(1), idle), absolute: limitOf("clientDays", days(1), absolute) };
}

type PreparedSession = {
  /** Holds statements for the batch that completes the sign-in, which fails when the person's epoch has changed. */
  statements: Statement[];
  onCommitted: () => void;
  sessionHash: string;
};

type SessionOptions = {
  /** 1: with a password only; 2: with password and second factor. */
  aal: 1 | 2;
  isRenewal?: boolean;
  /** A renewal without a full proof keeps the old time. */
  provedAt?: Instant;
  /** The address was just proved and the password chosen in this browser, so that no mail tells of a new one. */
  isFirst?: boolean;
};

/** The id is always new, against session fixation; the session of the cookie that was sent ends in the same batch. */
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
    sessionHash,
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
      ctx.after(keepSessionData(ctx, deviceKey(sessionHash), label, lifetimes.absolute));
      if (isNewDevice) ctx.after(deliverOutbox(ctx));
      if (!previousHash) return;
      deleteSessionData(ctx, deviceKey(previousHash));
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

const hasRole = ({ userId, role }: ProvenPerson) =>
  sql`coalesce((select role from user_roles where user_id = ${userId}), 'user') = ${role}`;

const organizationOfSession = (sessionHash: string, userId: string) =>
  sql<string | null>`(select current_org_id from sessions where id_hash = ${sessionHash} and user_id = ${userId})`;

/** Stored, so that an organization that takes the person in later does not become the current one by itself. */
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

/** At most every five minutes. The statement checks the conditions again: a session that has ended stays ended. */
export function touchSession(ctx: Pick<Ctx, "db" | "now" | "signedIn" | "after">): void {
  const { signedIn } = ctx;
  const now = ctx.now();
  if (!signedIn || signedIn.lastSeenAt > now - TOUCH_INTERVAL) return;
  // The loaders of a page share one context, so that only the first one extends the session.
  ctx.signedIn = { ...signedIn, lastSeenAt: now };
  const limits = sessionLimits(signedIn.role);
  const end = sql`min(${sessions.abs_expires_at}, ${sessions.created_at} + ${limits.absolute})`;
  ctx.after(
    ctx.db
      .update(sessions)
      .set({ last_seen_at: now, idle_expires_at: sql`min(${now} + ${limits.idle}, ${end})`, abs_expires_at: end })
      .where(
        and(
          eq(sessions.id_hash, signedIn.sessionHash),
          isNull(sessions.revoked_at),
          lte(sessions.last_seen_at, now - TOUCH_INTERVAL),
          gt(sessions.idle_expires_at, now),
        ),
      )
      .run(),
  );
}

export const CLEAR_SITE_DATA = '"cache", "storage"';

/** When this returns, a copy of the cookie is worthless too. Throws when D1 is down: the session would stay valid. */
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
    deleteSessionData(ctx, deviceKey(signedIn.sessionHash));
    disconnectSession(ctx, signedIn);
  }
  deleteSessionCookie(ctx);
  deleteChallengeCookie(ctx);
  deleteUnsentFormCookie(ctx);
}

/** If the database is down: throws where a person is required, else null, so that public pages still work. */
export async function findPerson(
  { db, now }: Pick<Ctx, "db" | "now">,
  sessionId: string,
  { isRequired }: { isRequired: boolean },
): Promise<SignedIn | null> {
  try {
    return await findSignedIn(db, hashToken(sessionId), now());
  } catch (error) {
    if (isRequired) throw error;
    return null;
  }
}

export type CredentialChange = {
  /** First in the batch: they use up what allows the change. */
  uses?: readonly Statement[];
  account?: Partial<typeof users.$inferInsert>;
  condition?: SQL;
  changes?: readonly Statement[];
  /** Holds the new session of this browser; null: this browser is signed out like all others. */
  session: { person: ProvenPerson; aal: 1 | 2; isRenewal: boolean; provedAt?: Instant } | null;
  audit: readonly Statement[];
  mail?: readonly Statement[];
};

/**
 * One batch increments the epoch, which ends every session, and starts a new one here. Returns false, with nothing
 * written, when the account has changed or what allows the change was consumed. Throws when the database rejects it.
 */
export async function changeCredentials(
  ctx: Ctx,
  { userId, epoch }: { userId: string; epoch: number },
  { uses = [], account = {}, condition, changes = [], session, audit, mail = [] }: CredentialChange,
): Promise<boolean> {
  const renewed = session ? prepareSession(ctx, { ...session.person, epoch: epoch + 1 }, session) : null;
  const written = await commit(ctx.db, [
    ...uses,
    ctx.db
      .update(users)
      .set({ ...account, auth_epoch: sql`${users.auth_epoch} + 1`, updated_at: ctx.now() })
      .where(and(eq(users.id, userId), eq(users.auth_epoch, epoch), eq(users.status, "active"), condition)),
    expectChange(ctx.db),
    ...changes,
    ...(renewed?.statements ?? []),
    ...audit,
    ...mail,
  ]);
  if (!written) return false;
  renewed?.onCommitted();
  disconnectUser(ctx, userId);
  if (mail.length > 0) ctx.after(deliverOutbox(ctx));
  return true;
}

/** False for what ended otherwise: the browser may have a new session by now, since the list was shown. */
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

const isRevoked = async ({ db }: Pick<Ctx, "db">, userId: string, sessionHash: string): Promise<boolean> =>
  (await db.$count(
    sessions,
    and(eq(sessions.id_hash, sessionHash), eq(sessions.user_id, userId), eq(sessions.revoke_reason, "revoked")),
  )) > 0;

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

export const revoke = (ctx: Pick<Ctx, "db" | "now">, userId: string, condition: SQL): Statement =>
  ctx.db
    .update(sessions)
    .set({ revoked_at: ctx.now(), revoke_reason: "revoked" })
    .where(and(eq(sessions.user_id, userId), isNull(sessions.revoked_at), condition));

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
    deleteSessionData(ctx, deviceKey(sessionHash));
    disconnectSession(ctx, { userId, sessionHash });
  }
}
