import type { ValidationError } from "~/lib/form";
import { Field } from "~/ui/field";
import { Input } from "~/ui/input";
import { Select } from "~/ui/select";

type ColleagueFieldsProps = {
  name: string;
  label: string;
  colleagues: readonly { id: string; name: string }[];
  /** Tells whether there are more than are offered: they are named by their address. */
  isMore: boolean;
  /** Says what is wrong with the address, and what was typed; null: nothing. */
  error: ValidationError | null;
};

/** Asks for a colleague: by name, or by address where there are more than a page can offer. Works without scripts. */
export function ColleagueFields({ name, label, colleagues, isMore, error }: ColleagueFieldsProps) {
  const options = colleagues.map((colleague) => ({ value: colleague.id, label: colleague.name }));
  return (
    <>
      <Field name={name} label={label}>
        <Select options={isMore ? [{ value: "", label: "Choose a person" }, ...options] : options} />
      </Field>
      {isMore ? (
        <Field name="email" label="Or their email address" error={error?.errors.email}>
          <Input type="email" autoComplete="off" defaultValue={error?.values.email} />
        </Field>
      ) : null}
    </>
  );
}
