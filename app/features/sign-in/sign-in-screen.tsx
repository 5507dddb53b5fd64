import type { MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { HiddenUsername, NewPasswordFields } from "~/features/account/identity-fields";
import { TotpSetup, type TotpSetupProps } from "~/features/account/totp-setup";
import { ENROLLMENT_TITLE, LINK_INVALID, PASSWORD_CHANGE_REQUIRED } from "~/features/auth/labels";
import type { ChallengeMethod, SignInState } from "~/features/auth/model";
import type { SignUpPolicy } from "~/features/settings/model";
import { authScript } from "~/generated/static-scripts";
import {
  CLIENT_SIGN_IN_PATH,
  CONTACT_PATH,
  SIGN_OUT_PATH,
  STAFF_SIGN_IN_PATH,
  withParams,
  withRedirectTo,
} from "~/lib/addresses";
import { LinkButton } from "~/ui/button";
import { CodeInput, PasswordInput } from "~/ui/code-input";
import { Docket, DocketBody, TearLine } from "~/ui/docket";
import { EmailInput, Field, Form, SubmitButton, ValidationNotice } from "~/ui/form";
import { FormScript } from "~/ui/form-script-tag";
import { Icon, Lock } from "~/ui/icon";
import { Link } from "~/ui/link";
import { Notice, Rejection } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";
import { NewAccountFields, OrganizationNameField } from "./account-fields";
import { LinkMark } from "./link-card";
import type { SignInFormError, SignInPage } from "./model";

type CardProps = SignInPage & { validationError: SignInFormError | null };

/** The same screen in another mode. */
const withMode = (home: string, mode: string) => `${home}${home.includes("?") ? "&" : "?"}${mode}`;

function ClientTabs({ current, redirectTo }: { current: "sign-in" | "create"; redirectTo: string | null }) {
  return (
    <div className="px-7 pt-[0.35rem] max-md:px-5">
      <LinkTabs
        label="Sign in or create an account"
        items={[
          { to: withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo), label: "Sign In", current: current === "sign-in" },
          {
            to: withRedirectTo(withParams(CLIENT_SIGN_IN_PATH, { tab: "create" }), redirectTo),
            label: "Create Account",
            current: current === "create",
          },
        ]}
      />
    </div>
  );
}

/** Shows the button that leads back to the site. It is a form and not a link because it ends the challenge. */
function CancelSignIn({ action, token }: { action: string; token: string }) {
  return (
    <Form action={action} token={token} reloadDocument intent="cancel">
      <SubmitButton variant="ghost">Cancel</SubmitButton>
    </Form>
  );
}

type ResendFormProps = Pick<CardProps, "action" | "token"> & { email?: string; error?: string };

function ResendForm({ action, token, email, error }: ResendFormProps) {
  return (
    <Form action={action} token={token} reloadDocument intent="resend">
      {email && !error ? (
        <input type="hidden" name="email" value={email} />
      ) : (
        <Field name="email" label="Email" error={error}>
          <EmailInput autoComplete="email" defaultValue={email} />
        </Field>
      )}
      <SubmitButton variant="quiet">Send the link again</SubmitButton>
    </Form>
  );
}

const METHODS = {
  totp: {
    subtitle: "Enter the 6-digit code from your authenticator app",
    label: "Verification code",
    other: "Use Backup Code",
    help: "Codes change every 30 seconds.",
  },
  backup: {
    subtitle: "Enter one of your backup codes",
    label: "Backup code",
    other: "Use Authenticator App",
    help: "Each code works once.",
  },
} as const satisfies Record<ChallengeMethod, unknown>;

/** Shows the second step. Its only field has the focus; switching the method is a link. */
function ChallengeCard({ home, token, method, validationError }: CardProps) {
  const texts = METHODS[method];
  const action = withMode(home, `method=${method}`);
  const { form: formError, code: codeError } = validationError?.errors ?? {};
  return (
    <Docket alone id="challenge" title="Multi-Factor Authentication" subtitle={texts.subtitle} heading="h1">
      <DocketBody alone>
        <Rejection title={validationError?.title} message={formError} />
        <Form action={action} token={token} reloadDocument intent="verify-code">
          <input type="hidden" name="method" value={method} />
          <Field
            name="code"
            label={texts.label}
            hint={codeError ? texts.help : undefined}
            error={codeError}
            describedBy="challenge-subtitle"
          >
            <CodeInput mode={method} submits />
          </Field>
          <SubmitButton wide pendingLabel="Verifying...">
            Verify Code
          </SubmitButton>
        </Form>
        <div className="-mx-3 flex flex-wrap justify-between [--btn-x:0.75rem]">
          <LinkButton variant="ghost" to={method === "totp" ? withMode(home, "method=backup") : home}>
            {texts.other}
          </LinkButton>
          <CancelSignIn action={action} token={token} />
        </div>
      </DocketBody>
      <TearLine />
      <p className="flex items-start gap-[0.7rem] px-7 py-[1.35rem] text-ink-2 text-sm max-md:px-5">
        <Icon of={Lock} /> This additional step helps keep your account secure.
      </p>
    </Docket>
  );
}

type SetupCardProps = CardProps & Pick<TotpSetupProps, "email" | "enrollment">;

/** Shows the set-up of a required second factor after the right password. The sign-in cannot continue without it. */
function SetupCard({ validationError, home, ...setup }: SetupCardProps) {
  const views = { qrTo: home, keyTo: withMode(home, "view=key") };
  return (
    <Docket
      alone
      id="setup"
      title={ENROLLMENT_TITLE}
      subtitle="Step 1 of 2: add your account to an authenticator app"
      heading="h1"
    >
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        <TotpSetup {...setup} {...views} errors={validationError?.errors ?? {}} />
        <div className="-mx-3 flex flex-wrap justify-between [--btn-x:0.75rem]">
          <CancelSignIn action={setup.action} token={setup.token} />
        </div>
      </DocketBody>
    </Docket>
  );
}

function ResetRequestCard(props: CardProps & { isLinkInvalid: boolean }) {
  const { action, token, validationError, isLinkInvalid, home } = props;
  return (
    <Docket alone id="reset" title="Reset your password" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {isLinkInvalid && !validationError ? <Notice kind="warning" message={LINK_INVALID} /> : null}
        <Form action={action} token={token} reloadDocument intent="request-reset">
          <Field
            name="email"
            label="Email"
            hint="We send a link that works once, for 60 minutes."
            error={validationError?.errors.email}
          >
            <EmailInput autoComplete="username" defaultValue={validationError?.values.email} />
          </Field>
          <SubmitButton wide>Send reset email</SubmitButton>
        </Form>
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={home}>Back to Login</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

type PasswordUpdateCardProps = CardProps & { shown: Extract<SignInState, { at: "password_update" }> };

/** Shows the form for a new password. A signed-in person without a link must also type the current one. */
function PasswordUpdateCard(props: PasswordUpdateCardProps) {
  const { action, token, validationError, signOutToken, redirectTo, shown } = props;
  const isRequired = shown.proof === "password" && shown.isRequired;
  const errors = validationError?.errors ?? {};
  return (
    <Docket alone id="update" title="Choose a new password" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {isRequired && !validationError ? <Notice kind="info" message={PASSWORD_CHANGE_REQUIRED} /> : null}
        <Form action={action} token={token} reloadDocument intent="update-password">
          <LinkMark mark={shown.proof === "link" ? shown.mark : null} />
          <HiddenUsername email={shown.email} />
          {shown.proof === "password" ? (
            <Field name="current_password" label="Current password" error={errors.current_password}>
              <PasswordInput autoComplete="current-password" />
            </Field>
          ) : null}
          <NewPasswordFields
            name="new_password"
            label="New password"
            confirmLabel="Confirm new password"
            errors={errors}
          />
          <SubmitButton wide>Update password</SubmitButton>
        </Form>
        {isRequired && signOutToken ? (
          <Form action={SIGN_OUT_PATH} token={signOutToken} reloadDocument>
            <SubmitButton variant="ghost">Sign Out</SubmitButton>
          </Form>
        ) : null}
        {shown.proof === "link" ? (
          <p>
            <Link to={withRedirectTo("/login", redirectTo)}>Back to Sign In</Link>
          </p>
        ) : null}
      </DocketBody>
    </Docket>
  );
}

function SignInCard(props: CardProps) {
  const { area, action, home, token, redirectTo, validationError, reason, confirmation, mailNote, hintDomain } = props;
  // Of what was typed, never the password.
  const { errors = {}, values = {} } = validationError ?? {};
  return (
    <Docket alone id="sign-in" title={area === "client" ? "Client portal" : "Sign in"} heading="h1">
      {area === "client" ? <ClientTabs current="sign-in" redirectTo={redirectTo} /> : null}
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {validationError?.canResend ? <ResendForm action={action} token={token} email={values.email ?? ""} /> : null}
        {confirmation && !validationError ? <p>{confirmation}</p> : null}
        {mailNote && !validationError ? <Notice kind="warning" message={mailNote} /> : null}
        {reason ? <Notice kind="info" message={reason} /> : null}
        {confirmation ? null : <Notice kind="warning" message="Admin accounts require multi-factor authentication." />}
        <Form action={action} token={token} reloadDocument data-needs="email password" intent="sign-in">
          <div>
            <Field name="email" label="Email" error={errors.email} describedBy="portal-hint">
              <EmailInput autoComplete="username" defaultValue={values.email} />
            </Field>
            <p id="portal-hint" className="text-ink-2 text-sm" role="status" data-portal-hint={hintDomain} />
          </div>
          <Field name="password" label="Password" error={errors.password}>
            <PasswordInput autoComplete="current-password" />
          </Field>
          <SubmitButton wide>{area === "client" ? "Sign In" : "Sign in"}</SubmitButton>
        </Form>
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={withMode(home, "mode=reset")}>Forgot your password?</Link>
          {area === "client" ? (
            <Link to={withRedirectTo(STAFF_SIGN_IN_PATH, redirectTo)}>Admin Login</Link>
          ) : (
            <Link to={withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo)}>Client sign in</Link>
          )}
        </p>
      </DocketBody>
    </Docket>
  );
}

const ORGANIZATION_HINTS = {
  open: "We set it up for you once your address is confirmed.",
  approval: "We look at it once your address is confirmed, and then open it for you.",
};

/** Shows the form for a new account in the client portal. It cannot be used until the address is confirmed. */
function SignUpCard({ action, token, validationError, redirectTo, policy }: CardProps & { policy: SignUpPolicy }) {
  const { errors = {}, values = {} } = validationError ?? {};
  return (
    <Docket alone id="sign-up" title="Client portal" heading="h1">
      <ClientTabs current="create" redirectTo={redirectTo} />
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {policy === "invite_only" ? (
          <p>
            Accounts here are by invitation. If you were invited, this form sends you the invitation again. To get one,
            ask your organization or <Link to={CONTACT_PATH}>contact us</Link>.
          </p>
        ) : null}
        <Form action={action} token={token} reloadDocument data-needs="full_name email password" intent="sign-up">
          <NewAccountFields values={values} errors={errors} />
          {policy === "invite_only" ? null : (
            <OrganizationNameField
              hint={ORGANIZATION_HINTS[policy]}
              value={values.organization_name}
              error={errors.organization_name}
            />
          )}
          <SubmitButton wide>Create Account</SubmitButton>
        </Form>
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo)}>Back to Sign In</Link>
          <Link to={withRedirectTo(STAFF_SIGN_IN_PATH, redirectTo)}>Admin Login</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

function CheckEmailCard({ action, token, validationError, redirectTo, mailNote }: CardProps) {
  return (
    <Docket alone id="check-email" title="Check Your Email" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {mailNote ? <Notice kind="warning" message={mailNote} /> : null}
        <p>
          If the address can be used, a confirmation link is on its way to it. In this browser it opens your account
          with one press; in another it asks for your password.
        </p>
        <p>The link works once, for 24 hours. No mail? Check your spam folder, or send the link again.</p>
        <ResendForm
          action={action}
          token={token}
          email={validationError?.values.email}
          error={validationError ? (validationError.errors.email ?? "") : undefined}
        />
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo)}>Back to Sign In</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}

/** Shows the sign-in screen. Its scripts are optional: every form works without them. */
export function SignInScreen() {
  return (
    <>
      <Card page={useLoaderData() as SignInPage} failed={useActionData() as SignInFormError | undefined} />
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}

function Card({ page, failed }: { page: SignInPage; failed: SignInFormError | undefined }) {
  const { state, enrollment } = page;
  const card: CardProps = { ...page, validationError: failed ?? page.outage };
  if (state.at === "challenge") return <ChallengeCard {...card} />;
  if (state.at === "setup_required" && enrollment) {
    return <SetupCard {...card} email={state.email} enrollment={enrollment} />;
  }
  if (state.at === "reset_request") return <ResetRequestCard {...card} isLinkInvalid={state.isLinkInvalid} />;
  if (state.at === "password_update") return <PasswordUpdateCard {...card} shown={state} />;
  if (state.at === "sign_up") return <SignUpCard {...card} policy={state.policy} />;
  if (state.at === "check_email") return <CheckEmailCard {...card} />;
  return <SignInCard {...card} />;
}

const TITLES: Record<SignInState["at"], string> = {
  credentials: "Sign in",
  challenge: "Multi-Factor Authentication",
  setup_required: ENROLLMENT_TITLE,
  reset_request: "Reset your password",
  password_update: "Choose a new password",
  sign_up: "Create Account",
  check_email: "Check Your Email",
  signed_in: "Sign in",
};

/** The same at every URL of the screen; `/login` is the screen of `/auth`. */
export const signInMeta: MetaFunction = ({ data, matches, location }) => {
  const page = data as SignInPage | undefined;
  const layout = matches.find(({ id }) => id === "routes/_auth")?.data as { origin: string } | undefined;
  const path = location.pathname === "/client/auth" ? "/client/auth" : "/auth";
  return [
    ...accountMeta({ matches, data }, TITLES[page?.state.at ?? "credentials"]),
    ...(layout ? [{ tagName: "link", rel: "canonical", href: layout.origin + path }] : []),
  ];
};
