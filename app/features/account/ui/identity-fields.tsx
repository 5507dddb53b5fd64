import type { ChallengeMethod } from "~/features/auth/model";
import type { FieldErrors } from "~/lib/form";
import { CodeInput } from "~/ui/code-input";
import { Field } from "~/ui/field";
import { Link } from "~/ui/link";
import { PasswordInput } from "~/ui/password-input";
import { HiddenUsername } from "./new-password-fields";

type IdentityFieldsProps = {
  email: string;
  /** Without a second factor only the password is asked for. */
  mfaEnabled: boolean;
  method?: ChallengeMethod;
  /** Address of the same page asking for the other kind of code. */
  otherMethodTo?: string;
  errors: FieldErrors;
  /** Prefix of the ids, where another form on the page has fields of the same names. */
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
              <Link to={otherMethodTo}>{method === "backup" ? "Use Authenticator App" : "Use Backup Code"}</Link>
            </p>
          ) : null}
        </>
      ) : null}
    </>
  );
}
