import { and, eq } from "drizzle-orm";
import { commit, type Db, expectChange, expectNoRow, isDuplicate } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { settings } from "~/db/schema/settings";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { startChallenge } from "~/features/auth/factors/start-challenge.server";
import type { PasswordFlaw, ProvenPerson } from "~/features/auth/model";
import { hashNewPassword } from "~/features/auth/passwords/hash-new-password.server";
import { passwordFlaw } from "~/features/auth/passwords/password-policy.server";
import { nameColumns } from "~/features/users/name-columns";
import { userSubject } from "~/features/users/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { takeLimit } from "~/platform/rate-limit.server";

/** Names the key under which `scripts/lib/setup-code.mjs` stores the hash of the setup code. */
const CODE_KEY = "setup_code_hash";

type FirstAdmin = { fullName: string; email: string; password: string; setupCode: string };

type FirstAdminError =
  | { code: PasswordFlaw | "email_taken" }
  | { code: "setup_code_missing" }
  | { code: "setup_code_wrong" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };

/**
 * Tells whether this installation has an administrator. As long as it has none, it can be claimed with the setup code.
 */
export async function hasAdmin(db: Db): Promise<boolean> {
  const rows = await db.select({ id: userRoles.user_id }).from(userRoles).where(eq(userRoles.role, "admin")).limit(1);
  return rows.length > 0;
}

/** Returns the stored form of the setup code, or null when none has been issued. */
export async function findSetupCode(db: Db): Promise<string | null> {
  const [row] = await db
    .select({ value: settings.value_json })
    .from(settings)
    .where(eq(settings.key, CODE_KEY))
    .limit(1);
  return row?.value ?? null;
}

/**
 * Creates the first administrator. One batch checks that there is no administrator, consumes the setup code and inserts
 * the account, so of several parallel posts only one succeeds. What follows is the set-up of the second factor, as for
 * all staff: there is no session before it.
 */
export async function createFirstAdmin(
  ctx: Ctx,
  { fullName, email, password, setupCode }: FirstAdmin,
): Promise<{ ok: true } | { ok: false; error: FirstAdminError }> {
  const now = ctx.now();
  const limit = await takeLimit(ctx.db, "setup_ip", ctx.request.network, now);
  if (!limit.allowed) return { ok: false, error: { code: "too_many_attempts", retryAt: limit.retryAt } };
  const flaw = await passwordFlaw(ctx, password, email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const typed = JSON.stringify(hashToken(setupCode.trim()));
  const issued = await findSetupCode(ctx.db);
  if (issued === null) return { ok: false, error: { code: "setup_code_missing" } };
  if (issued !== typed) return { ok: false, error: { code: "setup_code_wrong" } };

  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  const id = ctx.newId("usr");
  const isNew = { epoch: 0, mfaEnabled: false, mfaRequiredSince: null };
  const person: ProvenPerson = { userId: id, email, fullName, role: "admin", ...isNew };
  const account = { id, email, ...nameColumns(fullName), password_hash: hashed.hash, status: "active" as const };
  try {
    const created = await commit(ctx.db, [
      expectNoRow(ctx.db, userRoles, eq(userRoles.role, "admin")),
      ctx.db.delete(settings).where(and(eq(settings.key, CODE_KEY), eq(settings.value_json, typed))),
      expectChange(ctx.db),
      ctx.db.insert(users).values({ ...account, created_at: now, updated_at: now }),
      ctx.db.insert(userRoles).values({ user_id: id, role: "admin" }),
      recordAudit(ctx, "user.first_admin_created", {
        subject: userSubject(person),
        actor: toAuditActor(person),
      }),
    ]);
    if (!created) return { ok: false, error: { code: "setup_code_wrong" } };
  } catch (error) {
    if (isDuplicate(error, "users.email")) return { ok: false, error: { code: "email_taken" } };
    throw error;
  }
  await startChallenge(ctx, person, { kind: "setup", redirectTo: null });
  return { ok: true };
}
