import * as z from "zod";

/** Sentences by field, in the order in which the rules were checked: the first one heads the page. */
export type FieldErrors = Record<string, string>;

/** What was typed, to be shown again. Secrets and files never get in here. */
export type FormValues = Record<string, string>;

/** Why a form was not accepted: what heads its page, what is wrong, and what was typed. */
export type ValidationError = { title: string; errors: FieldErrors; values: FormValues };

export type ParsedForm<Value> = { ok: true; value: Value } | { ok: false; errors: FieldErrors; values: FormValues };

/**
 * Checks text fields against a schema. Unknown fields are dropped by the schema; the first sentence of each failing
 * field is kept. Limits on length are reported after every other rule, whatever the order of the fields: a person who
 * forgot to agree to the terms should not first be told that a message is too long.
 *
 * `secret` names the fields that must not be echoed.
 */
export function parseForm<Value>(
  schema: z.ZodType<Value>,
  fields: Record<string, string>,
  secret: readonly string[] = [],
): ParsedForm<Value> {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return { ok: true, value: parsed.data };
  const tooLong = parsed.error.issues.filter((issue) => issue.code === "too_big");
  const others = parsed.error.issues.filter((issue) => issue.code !== "too_big");
  const errors: FieldErrors = {};
  for (const issue of [...others, ...tooLong]) {
    const field = String(issue.path[0] ?? "form");
    errors[field] ??= issue.message;
  }
  return { ok: false, errors, values: echo(fields, secret) };
}

/** The typed values that may be shown again. */
export function echo(fields: Record<string, string>, secret: readonly string[] = []): FormValues {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !secret.includes(name)));
}

/**
 * Wraps a schema so that absent fields count as empty: a browser leaves out what is not ticked, and whoever posts by hand
 * may leave out anything.
 */
export const absentAsEmpty = <Value>(names: readonly string[], schema: z.ZodType<Value>): z.ZodType<Value> =>
  z.preprocess(
    (fields: Record<string, string>) => ({ ...Object.fromEntries(names.map((name) => [name, ""])), ...fields }),
    schema,
  );
