import { NewPasswordFields } from "~/features/account/identity-fields";
import type { FieldErrors, FormValues } from "~/lib/form";
import { EmailInput, Field, Input } from "~/ui/form";

export function NewAccountFields({ values, errors }: { values: FormValues; errors: FieldErrors }) {
  return (
    <>
      <Field name="full_name" label="Full Name" error={errors.full_name}>
        <Input autoComplete="name" autoCapitalize="words" spellCheck={false} defaultValue={values.full_name} />
      </Field>
      <Field name="email" label="Email" error={errors.email}>
        <EmailInput autoComplete="username" defaultValue={values.email} />
      </Field>
      <NewPasswordFields name="password" label="Password" confirmLabel="Confirm Password" errors={errors} />
    </>
  );
}

export function OrganizationNameField({ hint, value, error }: { hint: string; value?: string; error?: string }) {
  return (
    <Field name="organization_name" label="Organization name" hint={hint} error={error} optional>
      <Input autoComplete="organization" defaultValue={value} />
    </Field>
  );
}
