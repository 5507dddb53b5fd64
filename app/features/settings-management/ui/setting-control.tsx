import { Checkbox, Tick } from "~/ui/checkbox";
import { Field, FieldError, useFieldError } from "~/ui/field";
import { EmailInput, Input } from "~/ui/input";
import { Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import type { SettingField } from "../model";

type SettingControlProps = { field: SettingField; value: string; error?: string };

/** Shows one field of a form of settings. */
export function SettingControl({ field, value, error }: SettingControlProps) {
  const { name, label, hint, optional } = field;
  if (field.kind === "tick")
    return <Checkbox name={name} label={label} hint={hint} error={error} defaultChecked={value === "on"} />;
  if (field.kind === "radio") return <Choices field={field} value={value} error={error} />;
  return (
    <Field name={name} label={label} hint={hint} error={error} optional={optional}>
      <Control field={field} value={value} />
    </Field>
  );
}

type ChoicesProps = { field: Extract<SettingField, { choices: unknown }>; value: string; error?: string };

function Choices({ field: { name, label, choices }, value, error: given }: ChoicesProps) {
  const { error, onInput } = useFieldError(given);
  return (
    <fieldset className="grid gap-3" id={name} onInput={onInput}>
      <legend className="mb-2 font-semibold">{label}</legend>
      {error ? <FieldError id={name}>{error}</FieldError> : null}
      {choices.map((choice) => (
        <Tick key={choice.value} type="radio" name={name} value={choice.value} defaultChecked={choice.value === value}>
          <span>
            {choice.label}
            {choice.text ? <small className="block text-ink-2 text-sm">{choice.text}</small> : null}
          </span>
        </Tick>
      ))}
    </fieldset>
  );
}

function Control({ field, value }: { field: SettingField; value: string }) {
  if (field.kind === "select") return <Select options={field.choices} defaultValue={value} />;
  if (field.kind === "area") return <Textarea defaultValue={value} />;
  if (field.kind === "email") return <EmailInput autoComplete="off" defaultValue={value} />;
  if (field.kind === "number") return <Input inputMode="numeric" autoComplete="off" defaultValue={value} />;
  if (field.kind === "amount") return <Input inputMode="decimal" autoComplete="off" defaultValue={value} />;
  return <Input autoComplete="off" defaultValue={value} />;
}
