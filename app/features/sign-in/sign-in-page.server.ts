import { unsentFormReason } from "~/features/account/unsent-form.server";
import { type Enrollment, findEnrollment } from "~/features/auth/factor-commands.server";
import { CREDENTIALS_MISSING, errorText, MAIL_DELAYED, RESET_SENT, SENTENCES, TITLES } from "~/features/auth/labels";
import { moveTokenToCookie } from "~/features/auth/mail-links.server";
import {
  destinationOf,
  returnPath,
  type SignInError,
  type SignInState,
  type SignInStep,
  stepDone,
} from "~/features/auth/model";
import { findOpenChallenge, type OpenChallenge } from "~/features/auth/queries.server";
import { isMailDelayed } from "~/features/mail/mail-pause.server";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { CLIENT_SIGN_IN_PATH, PASSWORD_UPDATE_PATH, PORTAL_HOME_PATH, withRedirectTo } from "~/lib/addresses";
import { signInReason } from "~/lib/areas";
import { ERROR_TEXTS } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import type { FieldErrors, FormValues } from "~/lib/form";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { challengeIdOf, linkTokenOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import {
  type ActionResult,
  invalid,
  mapBody,
  page,
  rateLimited,
  redirectWithin,
  unavailable,
} from "~/platform/responses.server";
import type { SignInFormError, SignInPage } from "./model";
import { recoveryState } from "./recovery.server";

/** Shows the screen again with the error. Of the typed text only the address is shown again. */
export function signInError(ctx: Pick<Ctx, "now">, error: SignInError, email = ""): ActionResult<SignInFormError> {
  const { title, field, sentence } = errorText(error, ctx.now());
  const body: SignInFormError = { title, errors: { [field]: sentence }, values: { email } };
  if (error.code === "too_many_attempts") return rateLimited(error.retryAt, body);
  if (error.code === "unavailable") return unavailable(error.retryAt, body);
  return invalid(error.code === "email_unconfirmed" ? { ...body, canResend: true } : body);
}

export function missingCredentials(fields: Record<string, string>): ActionResult<SignInFormError> {
  const { email = "", password = "" } = fields;
  const errors: FieldErrors = {};
  if (email.trim() === "") errors.email = SENTENCES.email_required;
  if (password === "") errors.password = SENTENCES.password_missing;
  return invalid({ title: CREDENTIALS_MISSING, errors, values: { email } });
}

export type SignInFallback = "sign in" | "sign up" | "password reset" | "password update" | "verification";

export function unexpectedError(
  ctx: Pick<Ctx, "now" | "request" | "log">,
  error: unknown,
  { during, values }: { during: SignInFallback; values: FormValues },
): ActionResult<SignInFormError> {
  const failed = outage(ctx, error);
  const isSigningIn = during === "sign in" || during === "verification";
  const sentence = isSigningIn ? errorText(failed, ctx.now()).sentence : "Please try again in a moment.";
  return unavailable(failed.retryAt, {
    title: `An error occurred during ${during}`,
    errors: { form: sentence },
    values,
  });
}

function outage(
  ctx: Pick<Ctx, "now" | "request" | "log">,
  error: unknown,
): Extract<SignInError, { code: "unavailable" }> {
  ctx.log("error", { event: "sign_in_unavailable", request_id: ctx.request.id, error: describeError(error) });
  return { code: "unavailable", retryAt: ctx.now() + seconds(5) };
}

/** The URLs differ in their path, which the form posts back to, and in their audience. */

export const SIGN_IN_PURPOSE = "sign-in";

/** Loads the state of the sign-in. Throws a redirect when the person is already signed in. */
export async function loadSignInPage(ctx: Ctx, request: Request): Promise<ActionResult<SignInPage>> {
  const url = new URL(request.url);
  const mode = url.searchParams.get("mode");
  const redirectTo = returnPath(url.searchParams.get("redirectTo"));
  const isResetSent = url.searchParams.get("reset") === "sent";
  const waitsForMail = isResetSent || url.searchParams.get("tab") === "check";
  const common = {
    area: url.pathname === CLIENT_SIGN_IN_PATH ? ("client" as const) : ("staff" as const),
    action: pathOf(url),
    home: homeUrl(url),
    redirectTo,
    token: issueFormToken(ctx, SIGN_IN_PURPOSE),
    signOutToken: ctx.signedIn?.mustChangePassword ? issueFormToken(ctx, "sign-out") : null,
    method: url.searchParams.get("method") === "backup" ? ("backup" as const) : ("totp" as const),
    showsKey: url.searchParams.get("view") === "key",
    hintDomain: (await effectiveBrand(ctx)).domain,
    hasErrors: ctx.form.isRejected,
    confirmation: isResetSent ? RESET_SENT : undefined,
    mailNote: waitsForMail && (await isMailDelayed(ctx, "password-reset")) ? MAIL_DELAYED : undefined,
  };
  try {
    if (mode === "setup") moveTokenToCookie(ctx, "mfa_setup");
    const state = await stateOf(ctx, url, redirectTo);
    if (!state.ok) {
      const screen = { state: { at: "reset_request", isLinkInvalid: false } as const, enrollment: null };
      const blocked = signInError(ctx, state.error);
      return mapBody(blocked, (body) => ({ ...common, ...screen, outage: { ...body, title: TITLES.reset } }));
    }
    // A form was sent without a session: this page stands in the place of its own.
    const isInPlace = url.pathname !== ctx.request.url.pathname;
    const reason = linkTokenOf(ctx, "mfa_setup")
      ? "Sign in with your password to set up your authenticator."
      : (unsentFormReason(ctx) ?? (isInPlace ? ERROR_TEXTS[401].text : signInReason(redirectTo)));
    return page({ ...common, ...state.value, reason, outage: null });
  } catch (error) {
    if (error instanceof Response) throw error;
    const nothing = { state: { at: "credentials" } as const, enrollment: null };
    return mapBody(signInError(ctx, outage(ctx, error)), (body) => ({ ...common, ...nothing, outage: body }));
  }
}

type ScreenState = { state: SignInState; enrollment: Enrollment | null };

async function stateOf(ctx: Ctx, url: URL, redirectTo: string | null): Promise<SignInStep<ScreenState>> {
  const only = (state: SignInState) => stepDone<ScreenState>({ state, enrollment: null });
  const recovery = await recoveryState(ctx, url.searchParams.get("mode"));
  if (!recovery.ok) return recovery;
  if (recovery.value) return only(recovery.value);
  if (ctx.signedIn?.mustChangePassword) throw redirectWithin(withRedirectTo(PASSWORD_UPDATE_PATH, redirectTo));
  const isClientPage = url.pathname === CLIENT_SIGN_IN_PATH;
  if (ctx.signedIn) {
    // The page of the clients leads to their portal, staff too.
    const wanted = redirectTo ?? (isClientPage ? PORTAL_HOME_PATH : null);
    throw redirectWithin(destinationOf(ctx.signedIn, wanted, (await effectiveBrand(ctx)).domain), { status: 302 });
  }
  const challengeId = challengeIdOf(ctx);
  const challenge = challengeId ? await findOpenChallenge(ctx.db, hashToken(challengeId), ctx.now()) : null;
  if (challenge) return stepDone(await challengedState(ctx, challenge));
  if (!isClientPage) return only({ at: "credentials" });
  const tab = url.searchParams.get("tab");
  if (tab === "create") return only({ at: "sign_up", policy: (await getSettings(ctx.db)).signUpPolicy });
  return only({ at: tab === "check" ? "check_email" : "credentials" });
}

async function challengedState(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "now">,
  { kind, userId, email }: OpenChallenge,
): Promise<ScreenState> {
  if (kind === "verify") return { state: { at: "challenge", email }, enrollment: null };
  const enrollment = await findEnrollment(ctx, { userId, email });
  // The secret expires with the challenge, but another sign-in may have consumed it already.
  if (!enrollment) return { state: { at: "credentials" }, enrollment: null };
  return { state: { at: "setup_required", email }, enrollment };
}

const SCREEN_PARAMS: Record<string, RegExp> = {
  mode: /^(reset|update)$/,
  method: /^backup$/,
  view: /^key$/,
  tab: /^(create|check)$/,
};

function pathOf(url: URL): string {
  const query = new URLSearchParams();
  for (const [name, allowed] of Object.entries(SCREEN_PARAMS)) {
    const value = url.searchParams.get(name) ?? "";
    if (allowed.test(value)) query.set(name, value);
  }
  return withQuery(url, query);
}

export const homeUrl = (url: URL): string => withQuery(url, new URLSearchParams());

function withQuery({ pathname, searchParams }: URL, query: URLSearchParams): string {
  const redirectTo = returnPath(searchParams.get("redirectTo"));
  if (redirectTo) query.set("redirectTo", redirectTo);
  return query.size > 0 ? `${pathname}?${query}` : pathname;
}
