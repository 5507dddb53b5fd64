import * as z from "zod";
import type { FormValues } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { GroupId, SettingField } from "./model";

/** How people see and change a setting. `Input` is what its fields say; nearly always the value itself. */
type SettingForm<Value, Input> = {
  group: GroupId;
  fields: readonly SettingField[];
  input: z.ZodType<Input>;
  // Declared as methods, so that settings of different types fit into one table.
  shown(value: Value): FormValues;
  /** What is stored of an input, where that is not the input. */
  stored?(input: Input, before: Value, now: Instant): Value;
};

export type Setting<Value, Input = Value> = {
  /** Of what is stored. A value that no longer fits counts as absent: a page must not fail over an old setting. */
  schema: z.ZodType<Value>;
  default: NoInfer<Value>;
  /** Public pages show it: it is published for them, see `publish-settings.server.ts`. */
  isPublic?: true;
  /** Read only where it is shown. */
  isLong?: true;
  /** Absent: its group has more to say than its value, or nobody changes it by a form. */
  form?: SettingForm<NoInfer<Value>, Input>;
};

export const setting = <Value, Input = Value>(entry: Setting<Value, Input>): Setting<Value, Input> => entry;

type FieldOf<Input, Value> = Omit<SettingForm<Value, Input>, "fields" | "input" | "shown"> & {
  field: SettingField;
  input: z.ZodType<Input>;
  shown: (value: Value) => string;
};

/** The form of a setting with one field; `input` reads its text. */
export const oneField = <Input, Value = Input>({
  field,
  input,
  shown,
  ...form
}: FieldOf<Input, Value>): SettingForm<Value, Input> => ({
  ...form,
  fields: [field],
  input: z.object({ [field.name]: input }).transform((fields) => fields[field.name] as Input),
  shown: (value) => ({ [field.name]: shown(value) }),
});

export const wholeNumber = (label: string, { min, max }: { min: number; max: number }) => {
  const message = `${label}: enter a whole number from ${min.toLocaleString("en-US")} to ${max.toLocaleString("en-US")}`;
  return z
    .string()
    .refine((text) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max, message)
    .transform(Number);
};

type ReadText<Value> = (text: string, issues: z.RefinementCtx) => Value;

/** Reads a text that may be left out; null then. A union of both would not say what is wrong with what was written. */
export const orNothing = <Value>(read: ReadText<Value>) =>
  z.string().transform((text, issues) => (text.trim() === "" ? null : read(text, issues)));

export const tick = z.enum(["on", ""]).transform((value) => value === "on");

export const ticked = (isOn: boolean): string => (isOn ? "on" : "");

export const within = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);
