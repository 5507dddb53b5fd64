import { eq, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { recordFailedSignIn } from "~/features/audit/failed-sign-ins.server";
import { toAuditActor, VISITOR } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { userSubject } from "~/features/users/subject";
import { type Duration, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { knownDevice } from "~/platform/cookies.server";
import { isPassword, keyedHash } from "~/platform/crypto.server";
import { HashQueueFullError, runInHashQueue } from "~/platform/hash-queue.server";
import { giveBackLimit, takeLimit } from "~/platform/rate-limit.server";
import type { LimitType } from "~/platform/rate-limits";
import type { Credentials } from "../forms.server";
import { MAX_PASSWORD_FAILURES, type ProvenPerson, type SignInStep, stepDone, stepFailed } from "../model";
import { type Account, findAccountByEmail } from "../queries.server";
import { minimumResponseTime, type Wait } from "./minimum-response-time.server";

const SATURATED_RETRY: Duration = seconds(2);

type Bucket = { type: LimitType; identifier: string };

/** Describes an account whose password was right. */
export type PasswordHolder = ProvenPerson & Pick<Account, "setupNeedsLink" | "mustChangePassword">;

/**
 * Checks a password. The order matters: the attempt is counted before anything is hashed, an unknown account takes the
 * same time and gives the same result as a wrong password, and only a person who knows the password is told that the
 * address is not confirmed.
 *
 * Throws when D1 is unavailable: without a working rate limit nobody may sign in.
 */
export async function verifyPassword(
  ctx: Ctx,
  { email, password }: Credentials,
  wait?: Wait,
): Promise<SignInStep<PasswordHolder>> {
  const startedAt = ctx.now();
  const network: Bucket = { type: "login_ip", identifier: ctx.request.network };
  const [networkLimit, stored] = await Promise.all([take(ctx, network), findAccountByEmail(ctx.db, email)]);
  const own = bucketFor(ctx, email, stored);
  const isKnownDevice = own.type === "login_device";
  // A stranger in the same network must not lock out the owner's browser, which has a limit of its own.
  if (!networkLimit.allowed && !isKnownDevice) {
    return stepFailed({ code: "too_many_attempts", retryAt: networkLimit.retryAt });
  }
  const counted = networkLimit.allowed ? [network] : [];
  const ownLimit = await take(ctx, own);
  if (!ownLimit.allowed) {
    await giveBack(ctx, ...counted);
    return stepFailed({ code: "too_many_attempts", retryAt: ownLimit.retryAt });
  }

  let isRight: boolean;
  try {
    const passwordHash = stored?.passwordHash ?? null;
    isRight = await runInHashQueue(() => isPassword(ctx.config.PASSWORD_PEPPER_1, password, passwordHash));
  } catch (error) {
    await giveBack(ctx, own, ...counted);
    if (!(error instanceof HashQueueFullError)) throw error;
    return stepFailed({ code: "unavailable", retryAt: ctx.now() + SATURATED_RETRY });
  }
  await minimumResponseTime(ctx, startedAt, wait);

  if (!stored || !isRight || !allowsPasswordSignIn(stored, { now: startedAt, isKnownDevice })) {
    // After the response: recording it first would take longer for accounts that exist.
    ctx.after(recordFailure(ctx, stored, isRight));
    return stepFailed({ code: "credentials_wrong" });
  }
  // A right password is not a guess. Without this, many people behind one IP address would lock each other out.
  await giveBack(ctx, own, ...counted);
  if (stored.status === "unverified") return stepFailed({ code: "email_unconfirmed" });
  return stepDone(stored);
}

/**
 * Tells whether the account may be signed in to with its password, whatever was typed. Wrong passwords lock it for
 * strangers only: otherwise anybody could lock out the owner.
 */
function allowsPasswordSignIn(
  { status, passwordFailures, passwordExpiresAt }: Account,
  { now, isKnownDevice }: { now: Instant; isKnownDevice: boolean },
): boolean {
  const isOpen = status === "active" || status === "unverified";
  const isExpired = passwordExpiresAt !== null && passwordExpiresAt <= now;
  return isOpen && !isExpired && (isKnownDevice || passwordFailures < MAX_PASSWORD_FAILURES);
}

/**
 * Returns the rate limit that counts attempts on an account. A browser the person has signed in with before has its own
 * limit, so an attacker cannot lock out the owner there. Addresses without an account are counted too, by a keyed hash,
 * because people sometimes type their password into the e-mail field.
 */
export function bucketFor(ctx: Pick<Ctx, "config" | "now" | "request">, email: string, stored: Account | null): Bucket {
  if (!stored) {
    return {
      type: "login_account",
      identifier: `anon:${keyedHash(ctx.config.LOG_HMAC_KEY, "email/v1", email).slice(0, 8)}`,
    };
  }
  const device = knownDevice(ctx, stored);
  if (device) return { type: "login_device", identifier: `${stored.userId}:${device}` };
  return { type: "login_account", identifier: `user:${stored.userId}` };
}

const take = (ctx: Pick<Ctx, "db" | "now">, { type, identifier }: Bucket) =>
  takeLimit(ctx.db, type, identifier, ctx.now());

/** Gives counted attempts back when no password was guessed. */
const giveBack = (ctx: Pick<Ctx, "db">, ...buckets: Bucket[]) =>
  commit(
    ctx.db,
    buckets.map(({ type, identifier }) => giveBackLimit(ctx.db, type, identifier)),
  );

/** Returns the statements that count a failed sign-in, and record it if it is the first one like it of the hour. */
const failureEvents = (ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">, stored: Account | null) =>
  recordFailedSignIn(ctx, {
    account: stored ? toAuditActor(stored) : null,
    reason: stored && stored.status !== "active" ? stored.status : "credentials",
  });

/** Records a failed sign-in. The hundredth wrong password in a row locks the password and sends a mail to its owner. */
async function recordFailure(ctx: Ctx, stored: Account | null, isRight: boolean): Promise<void> {
  await commit(ctx.db, failureEvents(ctx, stored));
  if (!stored || isRight) return;
  const [row] = await ctx.db
    .update(users)
    .set({ password_failures: sql`${users.password_failures} + 1` })
    .where(eq(users.id, stored.userId))
    .returning({ failures: users.password_failures });
  if (row?.failures !== MAX_PASSWORD_FAILURES) return;
  await commit(ctx.db, [
    recordAudit(ctx, "user.password_locked", {
      subject: userSubject(stored),
      actor: VISITOR,
    }),
    enqueueMail(ctx, "password-locked", { to: stored.email, about: userSubject(stored), data: {} }),
  ]);
  await deliverOutbox(ctx);
}
