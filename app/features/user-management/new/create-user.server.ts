import { not, sql } from "drizzle-orm";
import type { PlatformRole } from "~/access/model";
import { claimKey, commit, expectThat, findClaim, isDuplicate } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import { freeAddress, isReserved } from "~/features/auth/address-claims.server";
import type { StaffActor } from "~/features/auth/guards.server";
import type { PasswordFlaw } from "~/features/auth/model";
import { hashNewPassword } from "~/features/auth/passwords/hash-new-password.server";
import { passwordFlaw } from "~/features/auth/passwords/password-policy.server";
import { nameColumns } from "~/features/users/name-columns";
import { userPath, userSubject } from "~/features/users/subject";
import { type Duration, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { isActiveAdmin } from "../admin-guards.server";

/** Limits how long a password works that somebody else has set. */
const INITIAL_PASSWORD_LIFETIME: Duration = hours(72);

const SCOPE = "user-create";

type NewUser = { email: string; fullName: string; role: PlatformRole; password: string; nonce: string };

type Created = { ok: true } | { ok: false; error: CreateError };
export type CreateError = { code: PasswordFlaw | "email_taken" | "denied" } | { code: "unavailable"; retryAt: Instant };

/**
 * Makes an account with a password that whoever makes it hands over. Its owner must choose another one at the first
 * sign-in, and within 72 hours. All of it is one batch: nothing is stored of an account that could not be made. An
 * address that is merely claimed by a sign-up gives way.
 */
export async function createUser(
  ctx: Ctx,
  actor: StaffActor,
  { email, fullName, role, password, nonce }: NewUser,
): Promise<Created> {
  const flaw = await passwordFlaw(ctx, password, email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  // Where the answer was lost, the same token may come with something else. The hash is keyed, so that nobody guesses
  // the password by it.
  const typed = JSON.stringify([email, fullName, role, password]);
  const key = `${nonce}:${keyedHash(ctx.config.FORM_KEY_1, "user-create", typed)}`;
  const id = ctx.newId("usr");
  const now = ctx.now();
  try {
    const written = await commit(ctx.db, [
      ...claimKey(ctx.db, { key, scope: SCOPE, resultLocation: userPath(id), at: now }),
      expectThat(ctx.db, isActiveAdmin(actor.userId)),
      // An address that its former owner may take back counts as taken.
      expectThat(ctx.db, not(isReserved(ctx, email, id))),
      ...freeAddress(ctx.db, email),
      ctx.db.insert(users).values({
        id,
        email,
        ...nameColumns(fullName),
        status: "active",
        password_hash: hashed.hash,
        must_change_password: 1,
        password_expires_at: now + INITIAL_PASSWORD_LIFETIME,
        created_at: now,
        updated_at: now,
      }),
      ctx.db.insert(userRoles).values({ user_id: id, role }),
      recordAudit(ctx, "user.created", { subject: userSubject({ userId: id, fullName }), meta: { role } }),
    ]);
    if (written) return { ok: true };
  } catch (error) {
    if (!isDuplicate(error, "users.email")) throw error;
    return { ok: false, error: { code: "email_taken" } };
  }
  // The same form posted twice made one account.
  if (await findClaim(ctx.db, key, SCOPE)) return { ok: true };
  return { ok: false, error: { code: (await isTaken(ctx, email)) ? "email_taken" : "denied" } };
}

/** Tells whether somebody may still take the address back. */
async function isTaken(ctx: Pick<Ctx, "db" | "now">, email: string): Promise<boolean> {
  const row = await ctx.db.get<{ taken: number }>(sql`SELECT ${isReserved(ctx, email, "")} AS taken`);
  return row.taken === 1;
}
