import { commit, type Statement } from "~/db/client.server";
import { recordMfaEvent } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { invariant } from "~/lib/errors";
import type { FormValues, ValidationError } from "~/lib/form";
import { seconds } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { isHashQueueFull } from "~/platform/hash-queue.server";
import { clearLimit, giveBackLimit, takeLimit } from "~/platform/rate-limits.server";
import type { ActionResult } from "~/platform/responses.server";
import { verifyFactor } from "./factors.server";
import { accountError, IdentityForm } from "./forms.server";
import { TITLES } from "./labels";
import {
  challengeMethod,
  type IdentityError,
  type IdentityRequest,
  type ProvenPerson,
  STEP_UP_LIFETIME,
  type TypedIdentity,
} from "./model";
import { checkPassword } from "./passwords.server";
import { type Account, findAccount } from "./queries.server";
import { prepareSession } from "./sessions.server";

export type IdentityProof =
  | {
      ok: true;
      person: ProvenPerson;
      account: Account;
      statements: Statement[];
    }
  | { ok: false; error: IdentityError };

export async function accountOf(ctx: Pick<Ctx, "db">, signedIn: SignedIn): Promise<Account> {
  const account = await findAccount(ctx.db, signedIn.userId);
  invariant(account, "The session belongs to no account");
  return account;
}

export const hasRecentProof = (ctx: Pick<Ctx, "now">, signedIn: SignedIn): boolean =>
  signedIn.reauthAt > ctx.now() - STEP_UP_LIFETIME;

/** Each attempt is counted before it is checked. */
export async function confirmIdentity(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<IdentityProof> {
  const failed = (error: IdentityError): IdentityProof => ({ ok: false, error });
  const account = await accountOf(ctx, signedIn);
  if (typed.password === "") return failed({ code: "current_password_missing" });
  if (account.mfaEnabled && typed.code === "") return failed({ code: "code_missing" });

  const check = await checkPassword(ctx, account, typed.password);
  if (check.kind === "blocked") return failed({ code: "too_many_attempts", retryAt: check.retryAt });
  if (check.kind === "busy") return failed({ code: "unavailable", retryAt: check.retryAt });
  if (check.kind === "wrong") return failed({ code: "current_password_wrong" });
  if (!account.mfaEnabled) return { ok: true, person: account, account, statements: [] };

  const { userId } = account;
  const limit = await takeLimit(ctx.db, "mfa", userId, ctx.now());
  if (!limit.allowed) return failed({ code: "too_many_attempts", retryAt: limit.retryAt });
  const proof = await verifyFactor(ctx, account, typed).catch(async (error: unknown) => {
    // No code was checked.
    await commit(ctx.db, [giveBackLimit(ctx.db, "mfa", userId)]);
    if (isHashQueueFull(error)) return null;
    throw error;
  });
  if (!proof) return failed({ code: "unavailable", retryAt: ctx.now() + seconds(2) });
  if (!proof.ok) {
    const { failure } = proof;
    await commit(ctx.db, recordMfaEvent(ctx, account, { action: "verify_challenge", method: typed.method, failure }));
    ctx.after(ctx.live.notify("staff"));
    return failed({ code: failure === "malformed" ? "code_malformed" : "code_wrong" });
  }
  const statements = [
    ...proof.statements,
    ...recordMfaEvent(ctx, account, { action: "verify_challenge", method: typed.method }),
    clearLimit(ctx.db, "mfa", userId),
  ];
  return { ok: true, person: account, account, statements };
}

/** Ten minutes, in a session with a new id. */
export async function renewSession(ctx: Ctx, signedIn: SignedIn, typed: TypedIdentity): Promise<IdentityProof> {
  const proof = await confirmIdentity(ctx, signedIn, typed);
  if (!proof.ok) return proof;
  const session = prepareSession(ctx, proof.person, { aal: proof.account.mfaEnabled ? 2 : 1, isRenewal: true });
  if (!(await commit(ctx.db, [...proof.statements, ...session.statements]))) {
    return { ok: false, error: { code: "code_wrong" } };
  }
  session.onCommitted();
  // Where this request shows the page again, its forms belong to the new session.
  ctx.signedIn = { ...signedIn, sessionHash: session.sessionHash, reauthAt: ctx.now() };
  ctx.after(deliverOutbox(ctx));
  return proof;
}

export function identityRequest(ctx: Pick<Ctx, "now" | "request">, signedIn: SignedIn): IdentityRequest | null {
  if (hasRecentProof(ctx, signedIn)) return null;
  const { email, mfaEnabled } = signedIn;
  return { email, mfaEnabled, method: challengeMethod(ctx.request.url.searchParams.get("method")) };
}

/** Checks the proof that a form holds where the last one is too old. Null: the form may go on. */
export async function missingProof(
  ctx: Ctx,
  signedIn: SignedIn,
  { fields, values }: { fields: FormValues; values?: FormValues },
): Promise<ActionResult<ValidationError> | null> {
  if (hasRecentProof(ctx, signedIn)) return null;
  const proof = await renewSession(ctx, signedIn, IdentityForm.parse(fields));
  return proof.ok ? null : accountError(ctx, { title: TITLES.verification, error: proof.error, values });
}
