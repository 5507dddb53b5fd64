import { json, redirect, type TypedResponse } from "@remix-run/cloudflare";
import { onward } from "~/features/account/held-form.server";
import { codesLeftWords, TITLES } from "~/features/auth/copy";
import { FEW_CODES } from "~/features/auth/factors/backup-codes";
import { refuseForm } from "~/features/auth/form-errors.server";
import { CodeForm } from "~/features/auth/forms.server";
import { reached, refused, returnPath, type SignInRefusal, type SignInStep } from "~/features/auth/model";
import { parseForm } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { challengeIdOf, dropChallengeCookie } from "~/platform/cookies.server";
import { setFlash } from "~/platform/flash.server";
import { checkFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { authenticatorFor, PASSWORD_STRATEGY } from "./authenticator.server";
import { requestReset, updatePassword } from "./recovery-steps.server";
import { anonymous, answerTo, homeOf, inWords, outage, SIGN_IN_PURPOSE } from "./sign-in-page.server";
import { createAccount, resend } from "./sign-up-steps.server";
import { verifyCode } from "./verify-code.server";
import { verifySetup } from "./verify-setup.server";

/** Never altered while they are read. */
const PASSWORDS = ["password", "confirm_password", "current_password", "new_password"];

/** Takes one step of the sign-in. Success is a redirect; a refusal is the same page, with the address typed kept. */
export async function answerSignIn(ctx: Ctx, request: Request): Promise<Answer> {
  const url = new URL(request.url);
  const { fields } = await readForm(request, { raw: PASSWORDS });
  const refuse = (refusal: SignInRefusal) => json(inWords(ctx, refusal, fields.email), answerTo(ctx, refusal));
  const intent = INTENTS.get(fields.intent ?? "sign-in");
  const token = checkFormToken(anonymous(ctx), SIGN_IN_PURPOSE, fields.form_token);
  if (!intent || !token.ok) return refuse({ code: "form_not_accepted" });
  try {
    return await intent(ctx, url, fields);
  } catch (error) {
    // Fails closed: whatever goes wrong on the way is an outage (503) and no session.
    return refuse(outage(ctx, error));
  }
}

type Fields = Record<string, string>;
type Answer = TypedResponse<ReturnType<typeof inWords>>;
type Intent = (ctx: Ctx, url: URL, fields: Fields) => Promise<Answer>;
type Step = (ctx: Ctx, url: URL, fields: Fields) => Promise<SignInStep>;

/** A step of the sign-in itself, answered: on to where it has led, or the same page. */
const stepping =
  (step: Step): Intent =>
  async (ctx, url, fields) => {
    const taken = await step(ctx, url, fields);
    if (!taken.ok) return json(inWords(ctx, taken.refusal, fields.email), answerTo(ctx, taken.refusal));
    if (taken.value.at !== "signed_in") return redirect(homeOf(url), 303);
    const { destination, codesLeft } = taken.value;
    if (codesLeft !== undefined) {
      const kind = codesLeft <= FEW_CODES ? "warning" : "success";
      setFlash(ctx, { kind, title: codesLeftWords(codesLeft), message: "You can make new ones in your profile." });
    }
    return redirect(onward(ctx, destination), 303);
  };

const INTENTS = new Map<string, Intent>([
  ["sign-in", stepping(signIn)],
  ["verify-code", stepping(verify)],
  ["cancel", stepping(cancel)],
  ["verify-setup", setUp],
  ["request-reset", requestReset],
  ["update-password", updatePassword],
  ["sign-up", createAccount],
  ["resend", resend],
]);

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
  const { code, method } = form.ok ? form.value : { code: "", method: "totp" };
  return verifyCode(ctx, { challengeId, code, method: method === "backup" ? "backup_code" : "totp" });
}

async function cancel(ctx: Ctx): Promise<SignInStep> {
  dropChallengeCookie(ctx);
  return reached({ at: "credentials" });
}

/** The first code of a new factor. Its backup codes are shown on the next page, then the person goes on. */
async function setUp(ctx: Ctx, _url: URL, fields: Fields): Promise<Answer> {
  const challengeId = challengeIdOf(ctx);
  const form = parseForm(CodeForm, fields, ["code"]);
  const code = form.ok ? form.value.code : "";
  const setup = challengeId
    ? await verifySetup(ctx, challengeId, code)
    : ({ ok: false, refusal: { code: "enrollment_over" } } as const);
  if (setup.ok) {
    return redirect(`/profile/mfa?step=codes&redirectTo=${encodeURIComponent(onward(ctx, setup.destination))}`, 303);
  }
  const { refusal } = setup;
  const title = refusal.code === "enrollment_code_missing" ? TITLES.verification : TITLES.setup;
  const field = refusal.code === "enrollment_over" ? "form" : "code";
  return refuseForm(ctx, { title, refusal, field });
}
