import * as z from "zod";

/** Holds messages by field, in the order in which the rules were checked: the first one is shown at the top. */
export type FieldErrors = Record<string, string>;

/** Holds the typed values, to be shown again. Never contains secrets or files. */
export type FormValues = Record<string, string>;

/** Describes why a form is not valid. `title` is shown at the top of the page. */
export type ValidationError = { title: string; errors: FieldErrors; values: FormValues };

/** Tells why a form of a list was rejected, and which rows were selected, as their checkboxes post them. */
export type ListRejection = { rejection: string; rows: readonly string[] };

/**
 * Holds the result of a form that a script has sent from its page, where the result is for the form itself and not for
 * the page. `notSaved`: the server was not reached, or failed. `rejection`: why nothing was done. `saved`: what was
 * done, said beside the button, and so is `unchanged`: it was so already. `done`: the same page shows what was done.
 * `leaving`: the browser loads another document, or a file. `keepsPage`: the page must not be read again, what it shows
 * is over.
 */
export type FormAnswer = {
  notSaved?: true;
  rejection?: string;
  saved?: string;
  unchanged?: string;
  done?: true;
  leaving?: true;
  keepsPage?: true;
};

const NOT_READABLE = "This could not be read. Please enter it again.";

type ParsedForm<Value> = { ok: true; value: Value } | { ok: false; errors: FieldErrors; values: FormValues };

/**
 * Checks text fields against a schema, which ignores unknown fields. Keeps the first message of each field. Messages
 * about the length come after all others: a person who forgot to agree to the terms should not first read that a
 * message is too long.
 *
 * `secret` names the fields that must not be shown again.
 */
export function parseForm<Value>(
  schema: z.ZodType<Value>,
  fields: Record<string, string>,
  secret: readonly string[] = [],
): ParsedForm<Value> {
  // What none of our pages sends has no message of its own.
  const parsed = schema.safeParse(fields, { error: () => NOT_READABLE });
  if (parsed.success) return { ok: true, value: parsed.data };
  const tooLong = parsed.error.issues.filter((issue) => issue.code === "too_big");
  const others = parsed.error.issues.filter((issue) => issue.code !== "too_big");
  const errors: FieldErrors = {};
  for (const issue of [...others, ...tooLong]) {
    const field = String(issue.path[0] ?? "form");
    errors[field] ??= issue.message;
  }
  return { ok: false, errors, values: withoutSecrets(fields, secret) };
}

/** Returns the typed values that may be shown again. */
export function withoutSecrets(fields: Record<string, string>, secret: readonly string[] = []): FormValues {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !secret.includes(name)));
}

/**
 * Wraps a schema so that missing fields count as empty: browsers do not send a checkbox that is not checked, and other
 * clients may leave out any field.
 */
export const absentAsEmpty = <Value>(names: readonly string[], schema: z.ZodType<Value>): z.ZodType<Value> =>
  z.preprocess(
    (fields: Record<string, string>) => ({ ...Object.fromEntries(names.map((name) => [name, ""])), ...fields }),
    schema,
  );
