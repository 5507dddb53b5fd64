import { HiddenUsername, NewPasswordFields } from "~/features/account/ui/new-password-fields";
import type { SignUpPolicy } from "~/features/settings/model";
import { LinkMark } from "~/features/sign-in/ui/link-mark";
import { OrganizationNameField } from "~/features/sign-in/ui/organization-name-field";
import { authScript } from "~/generated/static-scripts";
import { VERIFY_EMAIL_PATH } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { FormScript } from "~/ui/form-script-tag";
import { Input } from "~/ui/input";
import { ValidationNotice } from "~/ui/validation-notice";

type ConfirmAccountCardProps = {
  title: string;
  token: string;
  mark: string | null;
  /** Holds the address the account is for. */
  email: string;
  /** Decides whether an organization may come with the account, and when it opens. */
  policy: SignUpPolicy;
  /** Holds the values of the fields: what failed, or what was typed at the sign-up in this browser. */
  values: Partial<FormValues>;
  validationError: ValidationError | null;
};

const ORGANIZATION_HINTS = {
  open: "We set it up for you right away.",
  approval: "We look at it first, and then open it for you.",
};

/** Shows the form that opens a new account: everything of it is chosen here, by the owner of the address. */
export function ConfirmAccountCard({
  title,
  token,
  mark,
  email,
  policy,
  values,
  validationError,
}: ConfirmAccountCardProps) {
  const errors = validationError?.errors ?? {};
  return (
    <>
      <Docket alone id="confirm-account" title={title} heading="h1">
        <DocketBody alone>
          <ValidationNotice validationError={validationError} />
          <p>
            Choose a password to activate the account of <strong className="wrap-anywhere">{email}</strong>. It replaces
            the one from the sign-up.
          </p>
          <Form
            action={VERIFY_EMAIL_PATH}
            token={token}
            reloadDocument
            data-needs="full_name password confirm_password"
          >
            <LinkMark mark={mark} />
            <HiddenUsername email={email} />
            <Field name="full_name" label="Full Name" error={errors.full_name}>
              <Input autoComplete="name" autoCapitalize="words" spellCheck={false} defaultValue={values.full_name} />
            </Field>
            <NewPasswordFields name="password" label="Password" confirmLabel="Confirm Password" errors={errors} />
            {policy === "invite_only" ? null : (
              <OrganizationNameField
                hint={ORGANIZATION_HINTS[policy]}
                value={values.organization_name}
                error={errors.organization_name}
              />
            )}
            <SubmitButton wide>Confirm email</SubmitButton>
          </Form>
          <p>Didn’t ask for an account? Close this page, and it is deleted within a day.</p>
        </DocketBody>
      </Docket>
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}
