import * as z from "zod";

export type FieldErrors = Record<string, string>;

/** Never contains secrets or files. */
export type FormValues = Record<string, string>;

export type ValidationError = { title: string; errors: FieldErrors; values: FormValues };

export type ListRejection = { rejection: string; rows: readonly string[] };

/**
 * `notSaved`: the server was not reached, or failed, and says at what. `rejection`: why nothing was done. `saved`: what
 * was done, said beside the button, and so is `unchanged`: it was so. `done`: the same page shows what was done.
 * `leaving`: the browser loads another document, or a file. `keepsPage`: the page must not be read again, what it
 * shows is over.
 */
export type FormAnswer = {
  notSaved?: true | string;
  rejection?: string;
  saved?: string;
  unchanged?: string;
  done?: true;
  leaving?: true;
  keepsPage?: true;
};

const NOT_READABLE = "This could not be read. Please enter it again.";

type ParsedForm<Value> = { ok: true; value: Value } | { ok: false; errors: FieldErrors; values: FormValues };

/** Messages about length come last: who forgot to agree to the terms should not first read that a text is too long. */
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

export function withoutSecrets(fields: Record<string, string>, secret: readonly string[] = []): FormValues {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !secret.includes(name)));
}

/** Browsers do not send a checkbox that is not checked, and other clients may leave out any field. */
export const absentAsEmpty = <Value>(names: readonly string[], schema: z.ZodType<Value>): z.ZodType<Value> =>
  z.preprocess(
    (fields: Record<string, string>) => ({ ...Object.fromEntries(names.map((name) => [name, ""])), ...fields }),
    schema,
  );

export type FlashMessage = { kind: "success" | "error" | "info" | "warning"; title: string; message: string };

/** Travels in the answer to the form: a cookie could be taken by whichever page asks first, another tab included. */
export type FlashRedirect = { to: string; flash: FlashMessage };

export const isFlashRedirect = (answer: object): answer is FlashRedirect => "flash" in answer && "to" in answer;

type TextField = {
  label: string;
  isMultiline?: true;
};

/**
 * A text area that is missing here loses its line breaks, unless the form reads it `raw`. A form that was posted after
 * its session had ended is stored only if one of these fields is filled in; its other fields are then not shown again
 * but sent with it.
 */
const TEXT_FIELDS: Readonly<Record<string, TextField>> = {
  title: { label: "Title" },
  subject: { label: "Subject" },
  message: { label: "Message", isMultiline: true },
  description: { label: "Description", isMultiline: true },
  domains: { label: "Email domains", isMultiline: true },
  address: { label: "Address", isMultiline: true },
  story: { label: "Story", isMultiline: true },
  site_name: { label: "Name" },
  site_description: { label: "Site description", isMultiline: true },
  holidays: { label: "Days off", isMultiline: true },
  note: { label: "Note", isMultiline: true },
  body: { label: "Text", isMultiline: true },
  impact: { label: "What has stopped working" },
  what_was_done: { label: "What was done", isMultiline: true },
  why_late: { label: "Why it was late", isMultiline: true },
  reason: { label: "Reason", isMultiline: true },
  name: { label: "Name" },
  full_name: { label: "Full name" },
  email: { label: "Email" },
  mail: { label: "Mail", isMultiline: true },
  emails: { label: "Email addresses", isMultiline: true },
};

/** Texts of the site's content are many, and named by what they are. */
const SITE_TEXT = /^lines_/;

export const textField = (name: string): TextField | null =>
  (Object.hasOwn(TEXT_FIELDS, name) && TEXT_FIELDS[name]) ||
  (SITE_TEXT.test(name) ? { label: "Text", isMultiline: true } : null);

export const isMultiline = (name: string): boolean => textField(name)?.isMultiline === true;

export const tooLong = (name: string, max: number): string =>
  `${name} can have at most ${max.toLocaleString("en-US")} characters`;
