import { type HeadersArgs, json, redirect } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { parseForm } from "~/lib/form";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { hashToken } from "~/platform/crypto.server";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { describeError } from "~/platform/log.server";
import { readForm } from "~/platform/read-form.server";
import { type Refusal, retryAfter } from "~/platform/responses.server";
import { challengeIdOf, dropChallengeCookie } from "~/platform/session-store.server";
import { authenticatorFor, PASSWORD_STRATEGY } from "./authenticator.server";
import { reasonFor, wordsFor } from "./copy";
import { CodeForm } from "./forms.server";
import {
  destinationOf,
  reached,
  refused,
  returnPath,
  type SignInRefusal,
  type SignInState,
  type SignInStep,
} from "./model";
import { findSignInState } from "./queries.server";
import { verifyCode } from "./verify-code.server";

/*
 * The sign-in screen behind all its addresses. They differ in nothing but their path, which the form posts back to.
 */

const PURPOSE = "sign-in";

/** Whoever is signed in, the form is a stranger's: a token made before somebody signed in elsewhere stays good. */
const anonymous = (ctx: Ctx): Ctx => Object.create(ctx, { signedIn: { value: null } });

/** What the screen shows: the state of the sign-in, or straight on to where a signed-in person belongs. */
export async function loadSignInPage(ctx: Ctx, request: Request) {
  const url = new URL(request.url);
  const redirectTo = returnPath(url.searchParams.get("redirectTo"));
  if (ctx.signedIn && !ctx.signedIn.mustChangePassword) {
    throw redirect(destinationOf(ctx.signedIn, redirectTo, brand.domain));
  }
  const page = {
    action: pathOf(url),
    token: issueFormToken(anonymous(ctx), PURPOSE),
    reason: reasonFor(redirectTo),
  };
  try {
    return json({ ...page, state: await stateOf(ctx), outage: null });
  } catch (error) {
    const refusal = outage(ctx, error);
    return json(
      { ...page, state: { at: "credentials" } as SignInState, outage: inWords(ctx, refusal) },
      init(ctx, refusal),
    );
  }
}

/** Takes one step of the sign-in. Success is a redirect; a refusal is the same page, with the address typed kept. */
export async function answerSignIn(ctx: Ctx, request: Request) {
  const url = new URL(request.url);
  const { fields } = await readForm(request, { raw: ["password"] });
  const step = await takeStep(ctx, url, fields);
  if (step.ok) return redirect(step.value.at === "signed_in" ? step.value.destination : pathOf(url), 303);
  return json(inWords(ctx, step.refusal, fields.email), init(ctx, step.refusal));
}

type Fields = Record<string, string>;
type Intent = (ctx: Ctx, url: URL, fields: Fields) => Promise<SignInStep>;

const INTENTS = new Map<string, Intent>([
  ["sign-in", signIn],
  ["verify-code", verify],
  ["cancel", cancel],
]);

/** Fails closed: whatever goes wrong on the way is an outage (503) and no session. */
async function takeStep(ctx: Ctx, url: URL, fields: Fields): Promise<SignInStep> {
  const intent = INTENTS.get(fields.intent ?? "sign-in");
  const token = checkFormToken(anonymous(ctx), PURPOSE, fields.form_token);
  if (!intent || !token.ok) return refused({ code: "form_not_accepted" });
  try {
    return await intent(ctx, url, fields);
  } catch (error) {
    return refused(outage(ctx, error));
  }
}

/** The form has been read for its token already; the authenticator reads one of its own. */
function signIn(ctx: Ctx, url: URL, { email = "", password = "" }: Fields): Promise<SignInStep> {
  const credentials = new Request(url, { method: "POST", body: new URLSearchParams({ email, password }) });
  const redirectTo = returnPath(url.searchParams.get("redirectTo"));
  return authenticatorFor(ctx, redirectTo).authenticate(PASSWORD_STRATEGY, credentials);
}

async function verify(ctx: Ctx, _url: URL, fields: Fields): Promise<SignInStep> {
  const challengeId = challengeIdOf(ctx);
  if (!challengeId) return refused({ code: "challenge_over" });
  const form = parseForm(CodeForm, fields, ["code"]);
  return verifyCode(ctx, { challengeId, code: form.ok ? form.value.code : "" });
}

async function cancel(ctx: Ctx): Promise<SignInStep> {
  dropChallengeCookie(ctx);
  return reached({ at: "credentials" });
}

async function stateOf(ctx: Ctx): Promise<SignInState> {
  const challengeId = challengeIdOf(ctx);
  return challengeId ? findSignInState(ctx.db, hashToken(challengeId), ctx.now()) : { at: "credentials" };
}

/** The address of the screen with nothing but the way back, and that only if it is one of ours. */
function pathOf({ pathname, searchParams }: URL): string {
  const redirectTo = returnPath(searchParams.get("redirectTo"));
  return redirectTo ? `${pathname}?redirectTo=${encodeURIComponent(redirectTo)}` : pathname;
}

function outage(ctx: Ctx, error: unknown): SignInRefusal {
  ctx.log("error", { event: "sign_in_unavailable", request_id: ctx.request.id, error: describeError(error) });
  return { code: "unavailable", retryAt: ctx.now() + seconds(5) };
}

function inWords(ctx: Ctx, refusal: SignInRefusal, email = ""): Refusal {
  const { title, field, sentence } = wordsFor(refusal, ctx.now());
  return { title, errors: { [field]: sentence }, values: { email } };
}

function init(ctx: Ctx, refusal: SignInRefusal): { status: number; headers?: Record<string, string> } {
  if (refusal.code !== "too_many_attempts" && refusal.code !== "unavailable") return { status: 400 };
  const status = refusal.code === "unavailable" ? 503 : 429;
  return { status, headers: { "Retry-After": retryAfter(refusal.retryAt, ctx.now()) } };
}

/** Of a route's own headers only this one reaches the document; all others are set at the worker's exit. */
export function signInHeaders({ actionHeaders, loaderHeaders }: HeadersArgs): Record<string, string> {
  const value = actionHeaders.get("Retry-After") ?? loaderHeaders.get("Retry-After");
  return value ? { "Retry-After": value } : {};
}
