import { isMultiline } from "~/lib/form-fields";

/** Holds a posted form before it is checked against a schema. */
export type PostedForm = {
  /**
   * Single values: NFC, without control characters. Line breaks become spaces, or `\n` in text areas. Fields in `raw`
   * are not changed.
   */
  fields: Record<string, string>;
  /** Values of the fields in `lists`. */
  lists: Record<string, string[]>;
  /** Chosen files. An empty file control is left out. */
  files: Record<string, File>;
};

export type ReadFormOptions = {
  /** Fields that must not be changed, such as passwords. */
  raw?: readonly string[];
  /** Fields that may occur more than once, such as checkboxes. */
  lists?: readonly string[];
  /** Reads only these fields and ignores all others. */
  only?: readonly string[];
};

const MAX_FIELDS = 60;

type FormEntry = [name: string, value: string | File];

/** Reads the entries of a form as they were posted. The types of the runtime do not say that they can be iterated. */
export const formEntries = async (request: Request): Promise<FormEntry[]> => [
  ...((await request.formData()) as unknown as Iterable<FormEntry>),
];

/**
 * Reads a form. The ingress checks have already limited its size. Throws a 400 response for what our forms never send:
 * an unreadable body, too many fields, a single value sent twice, two files in one control.
 */
export async function readForm(
  request: Request,
  { raw = [], lists = [], only }: ReadFormOptions = {},
): Promise<PostedForm> {
  const form: PostedForm = {
    fields: {},
    lists: Object.fromEntries(lists.map((name) => [name, []])),
    files: {},
  };
  let count = 0;
  for (const [name, value] of await readEntries(request)) {
    if (only && !only.includes(name)) continue;
    count += 1;
    if (count > MAX_FIELDS && !lists.includes(name)) throw unreadable("too many fields");
    if (typeof value !== "string") {
      if (value.size === 0 && value.name === "") continue;
      if (Object.hasOwn(form.files, name)) throw unreadable("two files where one is expected");
      form.files[name] = value;
    } else if (lists.includes(name)) {
      form.lists[name]?.push(clean(name, value));
    } else {
      if (Object.hasOwn(form.fields, name)) throw unreadable("a field sent twice");
      form.fields[name] = raw.includes(name) ? value : clean(name, value);
    }
  }
  return form;
}

async function readEntries(request: Request): Promise<FormEntry[]> {
  try {
    return await formEntries(request);
  } catch {
    throw unreadable("not a form");
  }
}

/** Returns a response without a body: the worker puts the error page into it. */
const unreadable = (why: string) => new Response(null, { status: 400, statusText: `Unreadable form: ${why}` });

/** Matches control characters except line breaks and tabs. NUL and ESC can do damage in logs, terminals and mails. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

function clean(name: string, text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").normalize("NFC").replace(CONTROL, "");
  return isMultiline(name) ? plain : plain.replace(/[\n\t]+/g, " ");
}
