import type { FormValues } from "~/lib/form";
import { excerpt } from "~/lib/text";
import type { SettingField } from "./model";

/** Limits how much of a value is repeated. */
const SHOWN = 60;

/** Returns the value of a field as people read it. */
export function valueText(field: SettingField, value: string): string {
  if (field.kind === "tick") return value === "on" ? "on" : "off";
  if ("choices" in field) return field.choices.find((choice) => choice.value === value)?.label ?? value;
  return excerpt(value.replace(/\s+/g, " "), SHOWN) || "nothing";
}

/** Returns the fields whose values differ. */
export const changedFields = (fields: readonly SettingField[], before: FormValues, after: FormValues): SettingField[] =>
  fields.filter(({ name }) => (before[name] ?? "") !== (after[name] ?? ""));

/** Returns what the activity says of changed settings. */
export const changeTexts = (fields: readonly SettingField[], before: FormValues, after: FormValues): string[] =>
  changedFields(fields, before, after).map((field) => {
    const text = (values: FormValues) => valueText(field, values[field.name] ?? "");
    return field.kind === "tick"
      ? `${field.label}: ${text(after)}`
      : `${field.label}: ${text(before)} to ${text(after)}`;
  });
