import { type AddOnId, addOns } from "~/content/add-ons";
import {
  ORGANIZATION_DESCRIPTION_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_PLANS,
} from "~/features/organizations/model";
import { useBrand } from "~/features/settings/brand";
import type { FieldErrors, FormValues } from "~/lib/form";
import { Checkbox, Field, Input, Select, Textarea } from "~/ui/form";

export type OrganizationValues = Record<
  "name" | "description" | "phone" | "plan" | "domains" | "review_contacts" | AddOnId,
  string
>;

export function OrganizationFields({ values, errors }: { values: OrganizationValues; errors: FieldErrors }) {
  return (
    <>
      <Field name="name" label="Name" error={errors.name}>
        <Input maxLength={ORGANIZATION_NAME_MAX} autoComplete="off" defaultValue={values.name} />
      </Field>
      <Field name="description" label="Description" optional error={errors.description}>
        <Textarea rows={3} maxLength={ORGANIZATION_DESCRIPTION_MAX} defaultValue={values.description} />
      </Field>
      <Field name="phone" label="Phone" optional error={errors.phone}>
        <Input type="tel" maxLength={40} autoComplete="off" defaultValue={values.phone} />
      </Field>
      <PlanFields values={values} errors={errors} />
      <Field
        name="domains"
        label="Email domains"
        optional
        hint="One per line, such as clinic.example. Only domains that the organization has to itself."
        error={errors.domains}
      >
        <Textarea rows={2} spellCheck={false} defaultValue={values.domains} />
      </Field>
      <Checkbox
        name="review_contacts"
        label="Review new people who write"
        hint="Whose first mail comes from one of these domains is marked as new until one of you has looked at it."
        defaultChecked={values.review_contacts !== ""}
      />
    </>
  );
}

export function PlanFields({ values, errors }: { values: FormValues; errors: FieldErrors }) {
  const { planNames } = useBrand();
  const options = ORGANIZATION_PLANS.map((plan) => ({ value: plan === "none" ? "" : plan, label: planNames[plan] }));
  return (
    <>
      <Field name="plan" label="Plan" error={errors.plan}>
        <Select options={options} defaultValue={values.plan === "none" ? "" : values.plan} />
      </Field>
      <fieldset>
        <legend className="mb-1 font-semibold">Add-ons</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-1">
          {addOns.map(({ id, name }) => (
            <Checkbox key={id} name={id} label={name} defaultChecked={Boolean(values[id])} />
          ))}
        </div>
      </fieldset>
    </>
  );
}

export const typedAddOns = (values: FormValues) =>
  Object.fromEntries(addOns.map(({ id }) => [id, values[id] ?? ""])) as Record<AddOnId, string>;

export const typedValues = (values: FormValues): OrganizationValues => ({
  name: values.name ?? "",
  description: values.description ?? "",
  phone: values.phone ?? "",
  ...typedAddOns(values),
  plan: values.plan ?? "",
  domains: values.domains ?? "",
  review_contacts: values.review_contacts ?? "",
});
