import { PASSWORD_RULES } from "~/features/auth/labels";
import { type ChallengeMethod, type IdentityRequest, OTHER_METHOD } from "~/features/auth/model";
import { withParams } from "~/lib/addresses";
import type { FieldErrors } from "~/lib/form";
import { Button } from "~/ui/button";
import { CodeInput, PasswordInput } from "~/ui/code-input";
import { Field } from "~/ui/form";
import { Link } from "~/ui/link";

const OTHER_METHOD_LABELS = { totp: "Use Backup Code", backup: "Use Authenticator App" };

export const methodPath = (page: string, method: ChallengeMethod | undefined): string =>
  method === "backup" ? withParams(page, { method }) : page;

type IdentityQuestionProps = {
  identity: IdentityRequest | null;
  /** Holds the address of the page without a method. Absent: the form has an `OtherMethodButton`. */
  page?: string;
  errors: FieldErrors;
};

export function IdentityQuestion({ identity, page, errors }: IdentityQuestionProps) {
  if (!identity) return null;
  const otherMethodTo = page && methodPath(page, OTHER_METHOD[identity.method]);
  return (
    <>
      <p>Please confirm that it's you.</p>
      <IdentityFields {...identity} otherMethodTo={otherMethodTo} errors={errors} />
    </>
  );
}

/** `name`: `other_method` where the intent is a field of the form; its value is then the method. */
type OtherMethodButtonProps = { identity: IdentityRequest | null; name?: "intent" | "other_method" };

/**
 * Asks for the other kind of code by sending the form, which keeps what was typed. It stands after the other buttons:
 * Enter in a field presses the first one of a form.
 */
export function OtherMethodButton({ identity, name = "intent" }: OtherMethodButtonProps) {
  return identity?.mfaEnabled ? (
    <Button
      type="submit"
      variant="ghost"
      name={name}
      value={name === "intent" ? "other_method" : OTHER_METHOD[identity.method]}
    >
      {OTHER_METHOD_LABELS[identity.method]}
    </Button>
  ) : null;
}

type IdentityFieldsProps = {
  email: string;
  mfaEnabled: boolean;
  method?: ChallengeMethod;
  otherMethodTo?: string;
  errors: FieldErrors;
  /** Holds the prefix of the ids, where another form on the page has fields of the same names. */
  idPrefix?: string;
};

/** Shows the fields for password and second factor, inside the form that needs them, so that no typed text is lost. */
export function IdentityFields(props: IdentityFieldsProps) {
  const { email, mfaEnabled, method = "totp", otherMethodTo, errors, idPrefix = "" } = props;
  const codeId = `${idPrefix}code`;
  const passwordId = `${idPrefix}current_password`;
  return (
    <>
      <HiddenUsername email={email} />
      <Field name="current_password" id={passwordId} label="Current password" error={errors[passwordId]}>
        <PasswordInput autoComplete="current-password" />
      </Field>
      {mfaEnabled ? (
        <>
          <input type="hidden" name="method" value={method} />
          <Field
            name="code"
            id={codeId}
            label={method === "backup" ? "Backup code" : "Verification code"}
            error={errors[codeId]}
          >
            <CodeInput mode={method} focus={false} />
          </Field>
          {otherMethodTo ? (
            <p>
              <Link to={otherMethodTo}>{OTHER_METHOD_LABELS[method]}</Link>
            </p>
          ) : null}
        </>
      ) : null}
    </>
  );
}

type NewPasswordFieldsProps = {
  errors: FieldErrors;
  name: "password" | "new_password";
  label: string;
  confirmLabel: string;
};

export function NewPasswordFields({ errors, name, label, confirmLabel }: NewPasswordFieldsProps) {
  return (
    <>
      <Field name={name} label={label} hint={PASSWORD_RULES} error={errors[name]}>
        <PasswordInput
          autoComplete="new-password"
          passwordrules="minlength: 8; required: upper; required: lower; required: digit; required: [@$!%*?&];"
        />
      </Field>
      <Field name="confirm_password" label={confirmLabel} error={errors.confirm_password}>
        <PasswordInput autoComplete="new-password" />
      </Field>
    </>
  );
}

/** Lets a password manager see whose password is being changed. */
export function HiddenUsername({ email }: { email: string }) {
  return email ? (
    <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
  ) : null;
}
