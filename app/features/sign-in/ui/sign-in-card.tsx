import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH, withRedirectTo } from "~/lib/addresses";
import type { FormValues } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { EmailInput } from "~/ui/input";
import { Link } from "~/ui/link";
import { PasswordInput } from "~/ui/password-input";
import { ValidationNotice } from "~/ui/validation-notice";
import type { SignInFormError } from "../model";
import { ClientTabs } from "./client-tabs";
import { ResendForm } from "./resend-form";

type SignInCardProps = {
  /** Names the audience of the URL: staff or clients. */
  area: "staff" | "client";
  /** Holds the URL the form posts to, with `redirectTo` in its query. */
  action: string;
  /** Holds the URL of the same screen that asks for a reset mail. */
  resetPath: string;
  token: string;
  /** Names the page the person wants to open, for the links to other modes. */
  redirectTo: string | null;
  /** Holds what was typed, never the password. */
  values: FormValues;
  validationError: SignInFormError | null;
  /** Tells the reason why the person was redirected here, such as 'Please log in to view settings'. */
  reason?: string;
  /** Holds the sentence that confirms the previous step, such as a queued reset mail. */
  confirmation?: string;
  mailNote?: string;
  /** Holds the company's own domain, for the hint under the e-mail field. */
  hintDomain: string;
};

/** Shows the credentials step. Nothing on it depends on whether an account exists. */
export function SignInCard({
  area,
  action,
  resetPath,
  token,
  redirectTo,
  values,
  validationError,
  reason,
  confirmation,
  mailNote,
  hintDomain,
}: SignInCardProps) {
  const errors = validationError?.errors ?? {};
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
        <Form action={action} token={token} reloadDocument data-needs="email password">
          <input type="hidden" name="intent" value="sign-in" />
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
          <Link to={resetPath}>Forgot your password?</Link>
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
