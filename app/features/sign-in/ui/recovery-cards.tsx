import { HiddenUsername, NewPasswordFields } from "~/features/account/ui/new-password-fields";
import { PASSWORD_CHANGE_REQUIRED, SENTENCES } from "~/features/auth/copy";
import { SIGN_OUT_PATH, withRedirectTo } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { EmailInput } from "~/ui/input";
import { Link } from "~/ui/link";
import { PasswordInput } from "~/ui/password-input";
import { ValidationNotice } from "~/ui/validation-notice";
import { LinkMark } from "./link-mark";

type CardProps = {
  action: string;
  token: string;
  validationError: ValidationError | null;
  /** Names the page the person wants to open, for the links to other modes. */
  redirectTo: string | null;
};

/** Shows the form that requests a reset link. */
export function ResetRequestCard({
  action,
  token,
  validationError,
  values,
  isLinkInvalid,
  home,
}: Omit<CardProps, "redirectTo"> & { home: string; values: FormValues; isLinkInvalid: boolean }) {
  return (
    <Docket alone id="reset" title="Reset your password" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {isLinkInvalid && !validationError ? <Notice kind="warning" message={SENTENCES.link_invalid} /> : null}
        <Form action={action} token={token} reloadDocument>
          <input type="hidden" name="intent" value="request-reset" />
          <Field
            name="email"
            label="Email"
            hint="We send a link that works once, for 60 minutes."
            error={validationError?.errors.email}
          >
            <EmailInput autoComplete="username" defaultValue={values.email} />
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

type PasswordUpdateProps = CardProps & {
  /** Holds the account's address. */
  email: string;
  proof: "link" | "password";
  mark?: string | null;
  /** Tells whether the person must change the password before anything else. */
  isRequired?: boolean;
  signOutToken: string | null;
};

/** Shows the form for a new password. A signed-in person without a link must also type the current one. */
export function PasswordUpdateCard({
  action,
  token,
  validationError,
  email,
  proof,
  mark = null,
  isRequired,
  signOutToken,
  redirectTo,
}: PasswordUpdateProps) {
  const errors = validationError?.errors ?? {};
  return (
    <Docket alone id="update" title="Choose a new password" heading="h1">
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        {isRequired && !validationError ? <Notice kind="info" message={PASSWORD_CHANGE_REQUIRED} /> : null}
        <Form action={action} token={token} reloadDocument>
          <input type="hidden" name="intent" value="update-password" />
          <LinkMark mark={mark} />
          <HiddenUsername email={email} />
          {proof === "password" ? (
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
        {proof === "link" ? (
          <p>
            <Link to={withRedirectTo("/login", redirectTo)}>Back to Sign In</Link>
          </p>
        ) : null}
      </DocketBody>
    </Docket>
  );
}
