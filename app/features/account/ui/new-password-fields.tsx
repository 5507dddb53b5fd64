import { PASSWORD_RULES } from "~/features/auth/labels";
import type { FieldErrors } from "~/lib/form";
import { Field } from "~/ui/field";
import { PasswordInput } from "~/ui/password-input";

type NewPasswordFieldsProps = {
  errors: FieldErrors;
  /** Names the field; signing up and changing the password have different ones. */
  name: "password" | "new_password";
  label: string;
  confirmLabel: string;
  hint?: string;
};

/** Shows the two fields of a new password, with the password policy as a hint. */
export function NewPasswordFields({ errors, name, label, confirmLabel, hint }: NewPasswordFieldsProps) {
  return (
    <>
      <Field name={name} label={label} hint={hint ?? PASSWORD_RULES} error={errors[name]}>
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
