import { and, eq } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import { accountOf, confirmIdentity, hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { IdentityError, TypedIdentity } from "~/features/auth/model";
import type { Account } from "~/features/auth/queries.server";
import { nameColumns, userSubject } from "~/features/users/model";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { requestEmailChange } from "./change-email.server";

type ProfileInput = { fullName: string; email: string };

type SavedProfile =
  /** Is `pending` while the new address is not confirmed yet; not `changed` where all was like that already. */
  | { ok: true; pending: boolean; changed: boolean }
  /** Is `proof_missing` where changing the address requires a proof of identity, in the same form. */
  | { ok: false; error: IdentityError | { code: "mails_too_many"; retryAt: Instant } | { code: "proof_missing" } };

/**
 * Saves name and e-mail address. A new name takes effect at once. A new address requires a fresh proof of identity and
 * then a confirmation link. Without the proof nothing is saved, so that the same form can be sent again.
 */
export async function saveProfile(
  ctx: Ctx,
  signedIn: SignedIn,
  { fullName, email }: ProfileInput,
  typed: TypedIdentity,
): Promise<SavedProfile> {
  const account = await accountOf(ctx, signedIn);
  const saveName = account.fullName === fullName ? [] : nameStatements(ctx, account, fullName);
  if (email === account.email) {
    await commit(ctx.db, saveName);
    return { ok: true, pending: false, changed: saveName.length > 0 };
  }
  const proof = await proofFor(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  const requested = await requestEmailChange(ctx, { account, email, with: [...proof.statements, ...saveName] });
  return requested.ok ? { ok: true, pending: true, changed: true } : requested;
}

type Proof = { ok: true; statements: Statement[] } | Extract<SavedProfile, { ok: false }>;

async function proofFor(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<Proof> {
  if (hasRecentProof(ctx, signedIn)) return { ok: true, statements: [] };
  if (typed.password === "" && typed.code === "") return { ok: false, error: { code: "proof_missing" } };
  return confirmIdentity(ctx, signedIn, typed);
}

const nameStatements = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { userId }: Account,
  fullName: string,
): Statement[] => [
  ctx.db
    .update(users)
    .set({ ...nameColumns(fullName), updated_at: ctx.now() })
    .where(and(eq(users.id, userId), eq(users.status, "active"))),
  expectChange(ctx.db),
  recordAudit(ctx, "user.profile_changed", { subject: userSubject({ userId, fullName }) }),
];
