import { HiddenUsername } from "~/features/account/identity-fields";
import { PASSWORD_RULES } from "~/features/auth/labels";
import { OrganizationNameField } from "~/features/sign-in/account-fields";
import { LinkMark } from "~/features/sign-in/link-card";
import { authScript } from "~/generated/static-scripts";
import { VERIFY_EMAIL_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { PasswordInput } from "~/ui/code-input";
import { Docket, DocketBody } from "~/ui/docket";
import { FactList } from "~/ui/fact-list";
import { Field, Form, Input, SubmitButton, ValidationNotice } from "~/ui/form";
import { FormScript } from "~/ui/form-script-tag";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/page";
import { EmailText } from "~/ui/text";
import type { ConfirmSignUpPage } from "./confirm-sign-up.server";

type ConfirmAccountCardProps = Omit<ConfirmSignUpPage, "isOpen" | "blocked" | "hasErrors"> & {
  title: string;
  validationError: ValidationError | null;
};

const TYPED_PATH = withParams(VERIFY_EMAIL_PATH, { password: "new" });

const ORGANIZATION_HINTS = {
  open: "We set it up for you right away.",
  approval: "We look at it first, and then open it for you.",
};

/** Shows what opens a new account: one button in the browser that signed up, else a form. */
export function ConfirmAccountCard(props: ConfirmAccountCardProps) {
  const { title, email, reader, validationError } = props;
  return (
    <>
      <Docket alone id="confirm-account" title={title} heading="h1">
        <DocketBody alone>
          <ValidationNotice validationError={validationError} />
          {reader && reader !== email ? (
            <Notice
              kind="info"
              message={`You are signed in as ${reader}. Confirming signs you in as ${email} instead.`}
            />
          ) : null}
          {props.typed && !props.needsPassword ? (
            <OneButton {...props} typed={props.typed} />
          ) : (
            <TypedForm {...props} />
          )}
          <p>Didn’t ask for an account? Close this page, and it is deleted within a day.</p>
        </DocketBody>
      </Docket>
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}

type OneButtonProps = Pick<ConfirmAccountCardProps, "token" | "mark" | "email" | "policy"> & {
  typed: NonNullable<ConfirmAccountCardProps["typed"]>;
};

function OneButton({ token, mark, email, policy, typed: { fullName, organizationName } }: OneButtonProps) {
  return (
    <>
      <FactList
        terms="medium"
        facts={[
          { term: "Name", detail: fullName },
          { term: "Email", detail: <EmailText email={email} /> },
          ...(organizationName && policy !== "invite_only" ? [{ term: "Organization", detail: organizationName }] : []),
        ]}
      />
      <Form action={VERIFY_EMAIL_PATH} token={token} reloadDocument intent="confirm">
        <LinkMark mark={mark} />
        <SubmitButton wide>Confirm and sign in</SubmitButton>
      </Form>
      <p>
        <Link to={TYPED_PATH}>Change the name or the password first</Link>
      </p>
    </>
  );
}

function TypedForm({ token, mark, email, policy, typed, validationError }: ConfirmAccountCardProps) {
  const { errors = {}, values = {} } = validationError ?? {};
  return (
    <>
      <p>
        For the account of <strong className="wrap-anywhere">{email}</strong>.
      </p>
      <Form action={TYPED_PATH} token={token} reloadDocument data-needs="full_name password" intent="confirm_typed">
        <LinkMark mark={mark} />
        <HiddenUsername email={email} />
        <Field name="full_name" label="Full Name" error={errors.full_name}>
          <Input
            autoComplete="name"
            autoCapitalize="words"
            spellCheck={false}
            defaultValue={values.full_name ?? typed?.fullName}
          />
        </Field>
        <Field
          name="password"
          label="Password"
          hint={`The one from your sign-up, or a new one. ${PASSWORD_RULES}`}
          error={errors.password}
        >
          <PasswordInput autoComplete="new-password" />
        </Field>
        {policy === "invite_only" ? null : (
          <OrganizationNameField
            hint={ORGANIZATION_HINTS[policy]}
            value={values.organization_name ?? typed?.organizationName}
            error={errors.organization_name}
          />
        )}
        <SubmitButton wide>Confirm and sign in</SubmitButton>
      </Form>
    </>
  );
}
