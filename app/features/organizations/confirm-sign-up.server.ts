import { and, eq } from "drizzle-orm";
import { commit, expectChange } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { accountError, type ConfirmedAccount, ConfirmSignUpForm, invalidAuthForm } from "~/features/auth/forms.server";
import { EMAIL_CONFIRMED, TITLES } from "~/features/auth/labels";
import { consumeLink, lookUpLink, type OpenLink, voidLinks } from "~/features/auth/mail-links.server";
import type { PasswordFlaw, SignInStep } from "~/features/auth/model";
import { hashNewPassword, passwordFlaw } from "~/features/auth/passwords.server";
import { getSettings } from "~/features/settings/queries.server";
import { continueSignIn } from "~/features/sign-in/authenticator.server";
import { linkPurpose, loadLinkPage } from "~/features/sign-in/link-page.server";
import { deleteDraft, findDraft, type SignUpDraft } from "~/features/sign-in/sign-up.server";
import { nameColumns, userSubject } from "~/features/users/model";
import { CLIENT_SIGN_IN_PATH } from "~/lib/addresses";
import { type ValidationError, withoutSecrets } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { deleteLinkCookie, rememberDevice } from "~/platform/cookies.server";
import { formActions } from "~/platform/form-actions.server";
import { clearLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, mapBody } from "~/platform/responses.server";
import { createOrganization } from "./create-organization.server";

type ConfirmError =
  | { code: PasswordFlaw | "link_invalid" | "link_other" | "password_missing" }
  | { code: "too_many_attempts" | "unavailable"; retryAt: Instant };
type Confirmation = { ok: true; next: SignInStep } | { ok: false; error: ConfirmError };

const failed = (error: ConfirmError): Confirmation => ({ ok: false, error });

/** In a browser that did not sign up, nothing typed at the sign-up counts: anybody may have filled in that form. */
export async function confirmAsTyped(ctx: Ctx, link: OpenLink, typed: ConfirmedAccount): Promise<Confirmation> {
  const flaw = await passwordFlaw(ctx, typed.password, link.email);
  if (flaw) return failed({ code: flaw });
  const hashed = await hashNewPassword(ctx, typed.password);
  if (!hashed.ok) return hashed;
  return confirmSignUp(ctx, link, { ...typed, passwordHash: hashed.hash });
}

/** Confirms with what was typed at the sign-up, in the browser it was typed in: nobody else has that and the link. */
async function confirmFromDraft(ctx: Ctx, link: OpenLink): Promise<Confirmation> {
  const draft = await findDraft(ctx, link.email);
  // It has ended or cannot be read, or there was another sign-up in this browser: the page asks for a password now.
  return draft ? confirmSignUp(ctx, link, draft) : failed({ code: "password_missing" });
}

/** Activates the account whose address the link proves, and signs its owner in as far as nothing else is required. */
async function confirmSignUp(ctx: Ctx, link: OpenLink, account: Omit<SignUpDraft, "email">): Promise<Confirmation> {
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
  deleteDraft(ctx);
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

/** In the browser that signed up one press is enough; every other one is asked for everything, and told nothing. */
export async function loadConfirmSignUpPage(ctx: Ctx) {
  const [page, { signUpPolicy }] = await Promise.all([loadLinkPage(ctx, "verify_email"), getSettings(ctx.db)]);
  const asksForPassword = ctx.request.url.searchParams.get("password") === "new";
  const address = "body" in page ? page.body.email : null;
  const draft = address ? await findDraft(ctx, address) : null;
  return mapBody(page, ({ email, ...link }) => ({
    ...link,
    email: email ?? "",
    /** Null in every browser but the one that signed up. */
    typed: draft && { fullName: draft.fullName, organizationName: draft.organizationName },
    needsPassword: draft === null || asksForPassword,
    policy: signUpPolicy,
    reader: ctx.signedIn?.email ?? null,
  }));
}

export type ConfirmSignUpPage = Extract<Awaited<ReturnType<typeof loadConfirmSignUpPage>>, { body: unknown }>["body"];

const purpose = linkPurpose("verify_email");

export const verifyEmailActions = formActions<null, null, ValidationError>({
  failed: "An error occurred during sign up",
  reading: { raw: ["password"] },
  secrets: ["password"],
})({
  confirm: {
    purpose,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { fields }) => confirm(ctx, fields, (link) => confirmFromDraft(ctx, link)),
  },
  confirm_typed: {
    purpose,
    form: ConfirmSignUpForm,
    invalid: invalidAuthForm(),
    run: (ctx, _actor, { input, fields }) => confirm(ctx, fields, (link) => confirmAsTyped(ctx, link, input)),
  },
});

/** Confirms with the link this browser opened last, if it is the one that the page of the form showed. */
async function confirm(
  ctx: Ctx,
  fields: Record<string, string>,
  use: (link: OpenLink) => Promise<Confirmation>,
): Promise<ActionResult<ValidationError>> {
  const failed = (error: Extract<Confirmation, { ok: false }>["error"]) => {
    const values = withoutSecrets(fields, ["password", "form_token"]);
    return accountError(ctx, { title: TITLES.signUp, error, values, ids: { new_password: "password" } });
  };
  const found = await lookUpLink(ctx, "verify_email", fields.link);
  if (found.kind === "blocked") return failed({ code: "too_many_attempts", retryAt: found.retryAt });
  if (found.kind !== "open") return failed({ code: found.kind === "other" ? "link_other" : "link_invalid" });
  const confirmed = await use(found.link);
  if (!confirmed.ok) return failed(confirmed.error);
  const { next } = confirmed;
  const to = next.ok && next.value.at === "signed_in" ? next.value.destination : CLIENT_SIGN_IN_PATH;
  return done({ to, flash: { kind: "success", ...EMAIL_CONFIRMED } });
}
