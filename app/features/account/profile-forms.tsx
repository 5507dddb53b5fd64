import { PROFILE_PATH } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { PasswordInput } from "~/ui/code-input";
import { FactList } from "~/ui/fact-list";
import { EmailInput, Field, Form, Input, SubmitButton, useFilled, ValidationNotice } from "~/ui/form";
import { FormColumn, Notice } from "~/ui/page";
import { HiddenUsername, IdentityFields, NewPasswordFields } from "./identity-fields";

type DetailsFormProps = {
  action?: string;
  token: string;
  fullName: string;
  email: string;
  phone: string;
  pendingEmail: string | null;
  mfaEnabled: boolean;
  isStaff: boolean;
  /** Holds the errors. `needsProof`: the address was changed, and the last proof of identity is old. */
  validationError: (ValidationError & { needsProof?: boolean }) | null;
};

/** Asks for a proof of identity only when the address changes and the last proof is old. */
export function DetailsForm({
  action = PROFILE_PATH,
  token,
  fullName,
  email,
  phone,
  pendingEmail,
  mfaEnabled,
  isStaff,
  validationError,
}: DetailsFormProps) {
  const errors = validationError?.errors ?? {};
  const values = validationError?.values ?? { full_name: fullName, email, phone };
  return (
    <FormColumn>
      <ValidationNotice validationError={validationError} />
      {pendingEmail ? (
        <Notice
          kind="info"
          message={`Confirm ${pendingEmail} with the link we sent to it. Until then, sign in with ${email}.`}
        />
      ) : null}
      <div className="hidden print:block">
        <FactList
          facts={[
            { term: "Full name", detail: fullName },
            { term: "Email", detail: email },
            { term: "Phone", detail: phone || null },
          ]}
        />
      </div>
      <Form action={action} token={token} reloadDocument className="print:hidden!" intent="details">
        <Field name="full_name" label="Full name" error={errors.full_name}>
          <Input autoComplete="name" autoCapitalize="words" spellCheck={false} defaultValue={values.full_name} />
        </Field>
        <Field
          name="email"
          label="Email"
          hint="A new address takes effect when you open the link we send to it."
          error={errors.email}
        >
          <EmailInput autoComplete="email" defaultValue={values.email} />
        </Field>
        <Field
          name="phone"
          label="Phone"
          optional
          hint={isStaff ? "Admins see it on your page." : "Our staff see it on the tickets you open."}
          error={errors.phone}
        >
          <Input type="tel" maxLength={40} autoComplete="tel" defaultValue={values.phone} />
        </Field>
        {validationError?.needsProof ? (
          <IdentityFields email={email} mfaEnabled={mfaEnabled} errors={errors} idPrefix="details_" />
        ) : null}
        <SubmitButton>Save details</SubmitButton>
      </Form>
    </FormColumn>
  );
}

const NEEDED = ["current_password", "new_password", "confirm_password"];

/** Its button waits for all three fields: on pages without hydration their script sees to it. */
export function PasswordForm({
  action = PROFILE_PATH,
  token,
  email,
  validationError,
}: {
  action?: string;
  token: string;
  email: string;
  validationError: ValidationError | null;
}) {
  const errors = validationError?.errors ?? {};
  const { area, isFilled, check } = useFilled(NEEDED);
  return (
    <FormColumn>
      <ValidationNotice validationError={validationError} />
      <Form action={`${action}#password`} token={token} reloadDocument data-needs={NEEDED.join(" ")} onInput={check}>
        <div ref={area} hidden>
          <input type="hidden" name="intent" value="password" />
        </div>
        <HiddenUsername email={email} />
        <Field name="current_password" label="Current password" error={errors.current_password}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <NewPasswordFields
          name="new_password"
          label="New password"
          confirmLabel="Confirm new password"
          errors={errors}
        />
        <SubmitButton disabled={!isFilled}>Change password</SubmitButton>
      </Form>
    </FormColumn>
  );
}
