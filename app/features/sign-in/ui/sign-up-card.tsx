import type { SignUpPolicy } from "~/features/settings/model";
import { CLIENT_SIGN_IN_PATH, CONTACT_PATH, STAFF_SIGN_IN_PATH, withRedirectTo } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { ValidationNotice } from "~/ui/validation-notice";
import { ClientTabs } from "./client-tabs";
import { NewAccountFields } from "./new-account-fields";
import { OrganizationNameField } from "./organization-name-field";
import { ResendForm } from "./resend-form";

type CardProps = {
  action: string;
  token: string;
  values: FormValues;
  validationError: ValidationError | null;
  /** Names the page the person wants to open, for the links to other modes. */
  redirectTo: string | null;
};

const ORGANIZATION_HINTS = {
  open: "We set it up for you once your address is confirmed.",
  approval: "We look at it once your address is confirmed, and then open it for you.",
};

/** Shows the form for a new account in the client portal. It cannot be used until the address is confirmed. */
export function SignUpCard({
  action,
  token,
  values,
  validationError,
  redirectTo,
  policy,
}: CardProps & { policy: SignUpPolicy }) {
  const errors = validationError?.errors ?? {};
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
        <Form action={action} token={token} reloadDocument data-needs="full_name email password">
          <input type="hidden" name="intent" value="sign-up" />
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

/** Shows the page after a sign-up: open the link in the mail, or send it again. */
export function CheckEmailCard({
  action,
  token,
  values,
  validationError,
  redirectTo,
  mailNote,
}: CardProps & { mailNote?: string }) {
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
          email={values.email}
          error={validationError ? (validationError.errors.email ?? "") : undefined}
        />
        <p className="flex flex-wrap justify-between gap-x-6 gap-y-2">
          <Link to={withRedirectTo(CLIENT_SIGN_IN_PATH, redirectTo)}>Back to Sign In</Link>
        </p>
      </DocketBody>
    </Docket>
  );
}
