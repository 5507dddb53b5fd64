import { ORGANIZATION_DESCRIPTION_MAX, ORGANIZATION_NAME_MAX, PLAN_LABELS } from "~/features/organizations/model";
import type { FieldErrors, FormValues } from "~/lib/form";
import { Field, Input, Select, Textarea } from "~/ui/field";

const PLANS = [
  { value: "", label: PLAN_LABELS.none },
  ...(["basic", "core", "premium"] as const).map((value) => ({ value, label: PLAN_LABELS[value] })),
];

export type OrganizationValues = { name: string; description: string; plan: string; domains: string };

type OrganizationFieldsProps = { values: OrganizationValues; errors: FieldErrors };

export function OrganizationFields({ values, errors }: OrganizationFieldsProps) {
  return (
    <>
      <Field name="name" label="Name" error={errors.name}>
        <Input maxLength={ORGANIZATION_NAME_MAX} autoComplete="off" defaultValue={values.name} />
      </Field>
      <Field name="description" label="Description" optional error={errors.description}>
        <Textarea rows={3} maxLength={ORGANIZATION_DESCRIPTION_MAX} defaultValue={values.description} />
      </Field>
      <Field name="plan" label="Plan" error={errors.plan}>
        <Select options={PLANS} defaultValue={values.plan === "none" ? "" : values.plan} />
      </Field>
      <Field
        name="domains"
        label="Email domains"
        optional
        hint="One per line, such as clinic.example. Only domains that the organization has to itself."
        error={errors.domains}
      >
        <Textarea rows={2} spellCheck={false} defaultValue={values.domains} />
      </Field>
    </>
  );
}

export const typedValues = (values: FormValues): OrganizationValues => ({
  name: values.name ?? "",
  description: values.description ?? "",
  plan: values.plan ?? "",
  domains: values.domains ?? "",
});
