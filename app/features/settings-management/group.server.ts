import * as z from "zod";
import type { Db, Statement } from "~/db/client.server";
import type { AuditAction } from "~/features/audit/model";
import type { SiteSettings } from "~/features/settings/model";
import { absentAsEmpty, type FormValues } from "~/lib/form";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { Preview, Question, SettingField } from "./model";

export type SettingsGroup<Input> = {
  /** Says what the settings do, where their labels do not. */
  text?: string | ((settings: SiteSettings, now: Instant) => string);
  fields: readonly SettingField[];
  keys: readonly (keyof SiteSettings)[];
  shows?: readonly (keyof SiteSettings)[];
  /** Says how the audit calls a change; by default `settings.changed`. */
  action?: AuditAction;
  form: z.ZodType<Input>;
  values: (settings: SiteSettings) => FormValues;
  link?: { label: string; to: string };
  preview?: (settings: SiteSettings) => Preview;
  /**
   * Returns what is stored of a form. Declared as a method, so that groups with different inputs fit into one table.
   */
  apply(input: Input, stored: SiteSettings, now: Instant): Partial<SiteSettings>;
  /**
   * Returns what must be decided before a change is saved; null: nothing. Asked again until one of its choices comes.
   */
  question?: (ctx: Pick<Ctx, "db" | "now">, stored: SiteSettings, after: SiteSettings) => Promise<Question | null>;
  /** Says from when on saved settings count, where that is not from now on; null: from now on. */
  countsLater?: (saved: SiteSettings, now: Instant) => string | null;
  /** Returns what is written in the batch of a change. `decision`: the answer to the question. */
  more?: (change: { db: Db; at: Instant; by: string; decision: string | undefined }) => Statement[];
};

/** Builds a group; its form counts fields that a browser does not send as empty. */
export const settingsGroup = <Input>({
  schema,
  ...group
}: Omit<SettingsGroup<Input>, "form"> & { schema: z.ZodType<Input> }): SettingsGroup<Input> => ({
  ...group,
  form: absentAsEmpty(
    group.fields.map(({ name }) => name),
    schema,
  ),
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
