import { Field } from "~/ui/field";
import { Input } from "~/ui/input";

type OrganizationNameFieldProps = { hint: string; value?: string; error?: string };

/** Shows the optional field with the name of the organization that comes with a new account. */
export function OrganizationNameField({ hint, value, error }: OrganizationNameFieldProps) {
  return (
    <Field name="organization_name" label="Organization name" hint={hint} error={error} optional>
      <Input autoComplete="organization" defaultValue={value} />
    </Field>
  );
}
