import type * as z from "zod";
import { destinationAfterSignIn } from "~/features/account/unsent-form.server";
import {
  accountError,
  CodeForm,
  type Credentials,
  EmailForm,
  enrollmentError,
  type NewAccount,
  NewPasswordForm,
  SignInForm,
  SignUpForm,
} from "~/features/auth/forms.server";
import { CHECK_EMAIL, codesLeftText, SENTENCES, TITLES } from "~/features/auth/labels";
import { FEW_CODES_LEFT, returnPath, type SignInStep, stepFailed } from "~/features/auth/model";
import { CLEAR_SITE_DATA, endSession } from "~/features/auth/sessions.server";
import {
  CLIENT_SIGN_IN_PATH,
  SHOW_BACKUP_CODES_PATH,
  STAFF_SIGN_IN_PATH,
  withParams,
  withRedirectTo,
} from "~/lib/addresses";
import { type FormValues, withoutSecrets } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { challengeIdOf, deleteChallengeCookie, hideChallenge } from "~/platform/cookies.server";
import { type FormAction, formActions, type Submitted } from "~/platform/form-actions.server";
import { type ActionResult, done, invalid, wasRejected } from "~/platform/responses.server";
import { signInWithPassword, verifyCode, verifySetup } from "./authenticator.server";
import type { SignInFormError } from "./model";
import { requestReset, updatePassword } from "./recovery.server";
import {
  homeUrl,
  missingCredentials,
  SIGN_IN_PURPOSE,
  type SignInFallback,
  signInError,
  unexpectedError,
} from "./sign-in-page.server";
import { keepSignUpDraft, type ResendInvitations, type Resent, resendConfirmation, signUp } from "./sign-up.server";

type PostedStep = Submitted<{ url: URL; resendInvitations: ResendInvitations }>;
type FormResult = ActionResult<SignInFormError>;
type Action<Input> = FormAction<null, PostedStep["params"], SignInFormError, Input>;

/** Lists the fields that are read without trimming and never shown again. */
const PASSWORD_FIELDS = ["password", "confirm_password", "current_password", "new_password"];
const SECRETS = [...PASSWORD_FIELDS, "code", "form_token"];

export const signInActions = formActions<null, PostedStep["params"], SignInFormError>({
  reading: { raw: PASSWORD_FIELDS },
  secrets: PASSWORD_FIELDS,
  unknownIntent: rejectSignInForm,
})({
  "sign-in": step({ form: SignInForm, run: signIn, during: "sign in" }),
  "verify-code": step({ form: CodeForm, run: verify, during: "verification", isOfChallenge: true }),
  "verify-setup": step({ form: CodeForm, run: setUp, during: "verification", isOfChallenge: true }),
  cancel: step({ run: cancel, during: "sign in", isOfChallenge: true }),
  "request-reset": step({
    form: EmailForm,
    run: (ctx, { email }, { params }) => requestReset(ctx, email, homeUrl(params.url)),
    title: TITLES.reset,
    during: "password reset",
  }),
  "update-password": step({
    form: NewPasswordForm,
    run: (ctx, typed, sent) =>
      updatePassword(
        ctx,
        { ...typed, asksForCurrent: "current_password" in sent.fields, shownMark: sent.fields.link },
        redirectToOf(sent),
      ),
    during: "password update",
  }),
  "sign-up": step({ form: SignUpForm, run: createAccount, title: TITLES.signUp, during: "sign up" }),
  resend: step({ form: EmailForm, run: resend, title: TITLES.signUp, during: "sign up" }),
});

type StepForm<Input> = {
  form?: Action<Input>["form"];
  run: (ctx: Ctx, input: Input, sent: PostedStep) => Promise<FormResult>;
  title?: string;
  during: SignInFallback;
  isOfChallenge?: boolean;
};

/** Fails closed: an unexpected error is an outage (503), and nobody is signed in. */
function step<Input>({ form, run, title, during, isOfChallenge = false }: StepForm<Input>): Action<Input> {
  return {
    purpose: SIGN_IN_PURPOSE,
    form,
    invalid: (problem, sent, ctx) => {
      if (!isOfChallenge) hideChallenge(ctx);
      if (problem.code === "token") return rejectSignInForm(sent, ctx);
      if (!title) return missingCredentials(sent.fields);
      return invalid({ title, errors: problem.errors, values: problem.values });
    },
    run: async (ctx, _actor, { input, ...sent }) => {
      const result = await run(ctx, input, sent).catch((error: unknown) =>
        unexpectedError(ctx, error, { during, values: withoutSecrets(sent.fields, SECRETS) }),
      );
      if (!isOfChallenge && wasRejected(result)) hideChallenge(ctx);
      return result;
    },
  };
}

function rejectSignInForm({ fields }: PostedStep, ctx: Pick<Ctx, "now">): FormResult {
  return signInError(ctx, { code: "form_not_accepted" }, fields.email);
}

const redirectToOf = ({ params }: PostedStep): string | null => returnPath(params.url.searchParams.get("redirectTo"));

async function signIn(ctx: Ctx, credentials: Credentials, sent: PostedStep): Promise<FormResult> {
  return stepResult(ctx, await signInWithPassword(ctx, { credentials, redirectTo: redirectToOf(sent) }), sent);
}

async function verify(ctx: Ctx, typed: z.output<typeof CodeForm>, sent: PostedStep): Promise<FormResult> {
  const challengeId = challengeIdOf(ctx);
  if (!challengeId) return stepResult(ctx, stepFailed({ code: "challenge_invalid" }), sent);
  return stepResult(ctx, await verifyCode(ctx, { challengeId, ...typed }), sent);
}

/** Redirects to the next step of the sign-in, or shows the same page with the error. */
function stepResult(
  ctx: Pick<Ctx, "now" | "request">,
  signInStep: SignInStep,
  { fields, params }: PostedStep,
): FormResult {
  if (!signInStep.ok) return signInError(ctx, signInStep.error, fields.email);
  if (signInStep.value.at !== "signed_in") return done({ to: homeUrl(params.url) });
  const { destination, codesLeft } = signInStep.value;
  const to = destinationAfterSignIn(ctx, destination);
  if (codesLeft === undefined) return done({ to });
  const kind = codesLeft <= FEW_CODES_LEFT ? "warning" : "success";
  const message = "You can make new ones in your profile.";
  return done({ to, flash: { kind, title: codesLeftText(codesLeft), message } });
}

async function cancel(ctx: Pick<Ctx, "setCookie">): Promise<FormResult> {
  deleteChallengeCookie(ctx);
  return done({ to: "/" });
}

async function setUp(ctx: Ctx, { code }: z.output<typeof CodeForm>): Promise<FormResult> {
  const challengeId = challengeIdOf(ctx);
  if (!challengeId) return enrollmentError(ctx, { code: "enrollment_invalid" });
  const setup = await verifySetup(ctx, challengeId, code);
  if (!setup.ok) return enrollmentError(ctx, setup.error);
  return done({
    to: withRedirectTo(SHOW_BACKUP_CODES_PATH, destinationAfterSignIn(ctx, setup.destination)),
  });
}

/** Creates an account. The response to a valid form is always the same, whether the address has an account or not. */
async function createAccount(ctx: Ctx, account: NewAccount, sent: PostedStep): Promise<FormResult> {
  const signedUp = await signUp(ctx, account, sent.params);
  if (signedUp.ok) await keepSignUpDraft(ctx, account, signedUp.passwordHash);
  return checkEmail(ctx, signedUp, withoutSecrets(sent.fields, SECRETS), sent);
}

async function resend(ctx: Ctx, { email }: { email: string }, sent: PostedStep): Promise<FormResult> {
  return checkEmail(ctx, await resendConfirmation(ctx, email, sent.params), { email }, sent);
}

function checkEmail(ctx: Pick<Ctx, "now">, signedUp: Resent, values: FormValues, sent: PostedStep): FormResult {
  if (signedUp.ok) {
    const to = withRedirectTo(withParams(CLIENT_SIGN_IN_PATH, { tab: "check" }), redirectToOf(sent));
    return done({ to, flash: { kind: "success", ...CHECK_EMAIL } });
  }
  return accountError(ctx, { title: TITLES.signUp, error: signedUp.error, values, ids: { new_password: "password" } });
}

export const signOutActions = formActions<null, null, never>({ intentField: null })({
  "sign-out": {
    purpose: "sign-out",
    failed: "You are not signed out yet. Please try again.",
    invalid: (problem, _submitted, ctx) => {
      // An expired token may still sign out, on a page open for days; a token of another session or site may not.
      const isOld = problem.code === "token" && problem.error === "token_expired";
      if (isOld || (problem.code === "token" && !ctx.signedIn)) return signOut(ctx);
      const message = (problem.code === "fields" && problem.errors.form) || SENTENCES.form_not_accepted;
      return done({
        to: "/",
        flash: { kind: "error", title: "Sign Out Failed", message },
        newDocument: true,
      });
    },
    run: signOut,
  },
});

async function signOut(ctx: Ctx): Promise<ActionResult<never>> {
  await endSession(ctx);
  return done({
    to: STAFF_SIGN_IN_PATH,
    flash: { kind: "success", title: "Signed out", message: "You're signed out." },
    newDocument: true,
    clearSiteData: CLEAR_SITE_DATA,
  });
}
