import { and, eq } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { ConfirmedAccount } from "~/features/auth/forms.server";
import { consumeLink, type OpenLink, voidLinks } from "~/features/auth/mail-links.server";
import type { PasswordFlaw, SignInStep } from "~/features/auth/model";
import { hashNewPassword } from "~/features/auth/passwords/hash-new-password.server";
import { passwordFlaw } from "~/features/auth/passwords/password-policy.server";
import { getSettings } from "~/features/settings/queries.server";
import { continueSignIn } from "~/features/sign-in/authenticator.server";
import { findDraft, type SignUpDraft } from "~/features/sign-in/sign-up-draft.server";
import { nameColumns } from "~/features/users/name-columns";
import { userSubject } from "~/features/users/subject";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie, deleteSignUpCookie, rememberDevice } from "~/platform/cookies.server";
import { clearLimit } from "~/platform/rate-limit.server";
import { createOrganization } from "./create-organization.server";

type ConfirmError =
  | { code: PasswordFlaw | "link_invalid" | "link_other" | "password_missing" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };
export type Confirmation = { ok: true; next: SignInStep } | { ok: false; error: ConfirmError };

const failed = (error: ConfirmError): Confirmation => ({ ok: false, error });

/**
 * Confirms with name, password and organization as they are typed on the page of the link: in a browser that did not
 * sign up, nothing that was typed at the sign-up counts. Anybody may have filled in that form.
 */
export async function confirmAsTyped(ctx: Ctx, link: OpenLink, typed: ConfirmedAccount): Promise<Confirmation> {
  const flaw = await passwordFlaw(ctx, typed.password, link.email);
  if (flaw) return failed({ code: flaw });
  const hashed = await hashNewPassword(ctx, typed.password);
  if (!hashed.ok) return hashed;
  return confirmSignUp(ctx, link, { ...typed, passwordHash: hashed.hash });
}

/** Confirms with what was typed at the sign-up, in the browser it was typed in: nobody else has that and the link. */
export async function confirmFromDraft(ctx: Ctx, link: OpenLink): Promise<Confirmation> {
  const draft = findDraft(ctx, link.email);
  // The cookie has ended, or there was another sign-up in this browser: the page asks for a password now.
  return draft ? confirmSignUp(ctx, link, draft) : failed({ code: "password_missing" });
}

type OpenedAccount = Omit<SignUpDraft, "email">;

/** Activates the account whose address the link proves, and signs its owner in as far as nothing else is required. */
async function confirmSignUp(ctx: Ctx, link: OpenLink, account: OpenedAccount): Promise<Confirmation> {
  const { userId, email } = link;
  const [epoch, { signUpPolicy }] = await Promise.all([findEpoch(ctx.db, userId), getSettings(ctx.db)]);
  const owner = { userId, email, fullName: account.fullName, role: "user" };
  const name = account.organizationName;
  const confirmed = await commit(ctx.db, [
    ...consumeLink(ctx, "verify_email", link.tokenHash),
    activate(ctx, { ...link, epoch }, { ...nameColumns(account.fullName), password_hash: account.passwordHash }),
    expectChange(ctx.db),
    voidLinks(ctx, userId, ["verify_email"]),
    clearLimit(ctx.db, "login_account", `user:${userId}`),
    ...(name && signUpPolicy !== "invite_only"
      ? createOrganization(ctx, { name, owner, needsApproval: signUpPolicy === "approval" })
      : []),
    recordAudit(ctx, "user.confirmed", { subject: userSubject(owner), actor: toAuditActor(owner) }),
  ]);
  if (!confirmed) return failed({ code: "link_invalid" });
  deleteLinkCookie(ctx, "verify_email");
  deleteSignUpCookie(ctx);
  const opened = { userId, epoch: epoch + 1 };
  rememberDevice(ctx, opened);
  return { ok: true, next: await continueSignIn(ctx, { ...opened, isFirst: true, redirectTo: null }) };
}

async function findEpoch(db: Ctx["db"], userId: string): Promise<number> {
  const [account] = await db.select({ epoch: users.auth_epoch }).from(users).where(eq(users.id, userId));
  return account?.epoch ?? 0;
}

/** Returns the statement that activates the account. Its new epoch ends whatever was begun with the old password. */
const activate = (
  ctx: Pick<Ctx, "db" | "now">,
  { userId, email, epoch }: OpenLink & { epoch: number },
  typed: ReturnType<typeof nameColumns> & { password_hash: string },
) =>
  ctx.db
    .update(users)
    .set({
      ...typed,
      status: "active",
      auth_epoch: epoch + 1,
      password_failures: 0,
      updated_at: ctx.now(),
    })
    .where(
      and(eq(users.id, userId), eq(users.status, "unverified"), eq(users.email, email), eq(users.auth_epoch, epoch)),
    );
