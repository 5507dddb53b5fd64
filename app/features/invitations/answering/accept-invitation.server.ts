import { and, eq, sql } from "drizzle-orm";
import { commit, expectChange, expectRow, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { freeAddress, isReserved } from "~/features/auth/address-claims.server";
import type { PasswordFlaw, SignInStep } from "~/features/auth/model";
import { hashNewPassword } from "~/features/auth/passwords/hash-new-password.server";
import { passwordFlaw } from "~/features/auth/passwords/password-policy.server";
import { continueSignIn } from "~/features/sign-in/authenticator.server";
import { findDraft, type SignUpDraft } from "~/features/sign-in/sign-up-draft.server";
import { nameColumns } from "~/features/users/name-columns";
import { userSubject } from "~/features/users/subject";
import type { Instant } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { deleteLinkCookie, deleteSignUpCookie, rememberDevice } from "~/platform/cookies.server";
import type { OpenTarget } from "../open-targets.server";
import { removeTarget } from "../remove-target.server";
import { consumeInvitation } from "./consume-invitation.server";
import { joinOrganization } from "./join-organization.server";
import type { OpenedInvitation } from "./opened-invitation.server";

/**
 * Says why an invitation is not accepted. `not_open`: the invitation, or the account, has changed meanwhile; the page
 * says how.
 */
type AcceptError =
  | { code: PasswordFlaw }
  | { code: "not_open" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };
type Failed = { ok: false; error: AcceptError };
type Accepted = { ok: true; wasMember?: true } | Failed;
type Opened = { ok: true; next: SignInStep } | Failed;

const NOT_OPEN: Failed = { ok: false, error: { code: "not_open" } };

/**
 * Makes a signed-in person a member. An invitation is bound to its address: theirs must be the same, and still be so
 * when the batch runs. Somebody who has become a member in another way only uses up the invitation.
 */
export async function acceptInvitation(ctx: Ctx, invitation: OpenedInvitation, person: SignedIn): Promise<Accepted> {
  const { target } = invitation;
  if (target.kind !== "membership") return NOT_OPEN;
  const uses = [
    ...consumeInvitation(ctx, invitation),
    expectRow(
      ctx.db,
      users,
      and(eq(users.id, person.userId), eq(users.email, target.email), eq(users.status, "active")),
    ),
  ];
  try {
    const accepted = await commit(ctx.db, [...uses, ...joinOrganization(ctx, target, person)]);
    if (!accepted) return NOT_OPEN;
  } catch (error) {
    if (!isDuplicate(error, "organization_memberships.organization_id")) throw error;
    if (!(await commit(ctx.db, [...uses, ...removeTarget(ctx, target)]))) return NOT_OPEN;
    deleteLinkCookie(ctx, "invitation");
    return { ok: true, wasMember: true };
  }
  deleteLinkCookie(ctx, "invitation");
  return { ok: true };
}

/** Opens the account of an invitation with the name and password typed on its page. */
export async function openInvitedAccount(
  ctx: Ctx,
  invitation: OpenedInvitation,
  { fullName, password }: { fullName: string; password: string },
): Promise<Opened> {
  if (!invitation.provesAddress) return NOT_OPEN;
  const flaw = await passwordFlaw(ctx, password, invitation.target.email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  return openAccount(ctx, invitation, { fullName, passwordHash: hashed.hash });
}

/**
 * Returns what was typed for an invitation at a sign-up in this browser. Null: nothing was, or the account is one of
 * the staff, whose password is typed with the link at hand.
 */
export const draftFor = (ctx: Pick<Ctx, "config" | "now" | "request">, { target }: OpenedInvitation) =>
  target.kind === "account" && target.role !== "user" ? null : findDraft(ctx, target.email);

/** Opens the account of an invitation with what was typed at a sign-up in this browser, which sent the mail again. */
export async function openFromDraft(ctx: Ctx, invitation: OpenedInvitation): Promise<Opened> {
  const draft = draftFor(ctx, invitation);
  return draft ? openAccount(ctx, invitation, draft) : NOT_OPEN;
}

/**
 * Opens the account that staff have prepared, or a new one, which becomes a member in the same batch. The link proves
 * the address. Its owner is signed in as far as nothing else is required: staff set up a second factor first.
 */
async function openAccount(
  ctx: Ctx,
  invitation: OpenedInvitation,
  { fullName, passwordHash }: Pick<SignUpDraft, "fullName" | "passwordHash">,
): Promise<Opened> {
  const { target } = invitation;
  if (!invitation.provesAddress) return NOT_OPEN;
  const typed = {
    ...nameColumns(fullName),
    password_hash: passwordHash,
    status: "active" as const,
    updated_at: ctx.now(),
  };
  const { epoch } = invitation;
  const userId = target.kind === "account" ? target.userId : ctx.newId("usr");
  const opened =
    target.kind === "account"
      ? activate(ctx, { ...target, epoch }, typed)
      : createMember(ctx, target, { ...typed, id: userId });
  try {
    if (!(await commit(ctx.db, [...consumeInvitation(ctx, invitation), ...opened]))) return NOT_OPEN;
  } catch (error) {
    // Somebody has confirmed an account with the address meanwhile: it accepts the invitation after signing in.
    if (isDuplicate(error, "users.email")) return NOT_OPEN;
    throw error;
  }
  deleteLinkCookie(ctx, "invitation");
  deleteSignUpCookie(ctx);
  rememberDevice(ctx, { userId, epoch });
  return { ok: true, next: await continueSignIn(ctx, { userId, epoch, isFirst: true, redirectTo: null }) };
}

type TypedAccount = ReturnType<typeof nameColumns> & { password_hash: string; status: "active"; updated_at: Instant };

/**
 * Returns the statements that open the account staff have prepared. It keeps its role; staff set up a second factor.
 */
function activate(
  ctx: Ctx,
  { userId, email, role, epoch }: Extract<OpenTarget, { kind: "account" }> & { epoch: number },
  typed: TypedAccount,
): Statement[] {
  const person = { userId, email, role, fullName: typed.full_name };
  return [
    ctx.db
      .update(users)
      .set(typed)
      .where(
        and(eq(users.id, userId), eq(users.email, email), eq(users.status, "pending"), eq(users.auth_epoch, epoch)),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, "user.invitation_accepted", { subject: userSubject(person), actor: toAuditActor(person) }),
  ];
}

/** Returns the statements that create an account with its membership. One that only claims the address gives way. */
function createMember(
  ctx: Ctx,
  target: Extract<OpenTarget, { kind: "membership" }>,
  typed: TypedAccount & { id: string },
): Statement[] {
  const { email } = target;
  const userId = typed.id;
  const person = { userId, email, role: "user", fullName: typed.full_name };
  return [
    expectThat(ctx.db, sql`not ${isReserved(ctx, email, userId)}`),
    ...freeAddress(ctx.db, email),
    ctx.db.insert(users).values({ email, ...typed, created_at: ctx.now() }),
    recordAudit(ctx, "user.invitation_accepted", { subject: userSubject(person), actor: toAuditActor(person) }),
    ...joinOrganization(ctx, target, person),
  ];
}
