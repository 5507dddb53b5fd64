import { isMultiline } from "~/lib/form-fields";

/** What a browser sent, before any rule of a feature has looked at it. */
export type PostedForm = {
  /**
   * Single values: NFC, control characters removed; line breaks become spaces except in text areas, where they are `\n`.
   * Names in `raw` are left as typed.
   */
  fields: Record<string, string>;
  /** Values of the names announced in `lists`: checkboxes that may be ticked more than once. */
  lists: Record<string, string[]>;
  /** Chosen files; a file control left empty is absent. */
  files: Record<string, File>;
};

export type FormReading = {
  /** Fields never to be altered: passwords. */
  raw?: readonly string[];
  /** Fields that may occur more than once. */
  lists?: readonly string[];
  /** Only these are read; all others, however often they occur, are left alone. */
  only?: readonly string[];
};

const MAX_FIELDS = 60;

/**
 * Reads a form whose size the ingress checks have already capped. Throws a 400 response for what no browser of ours
 * would send: an unreadable body, too many fields, a single value sent twice, two files in one control.
 */
export async function readForm(
  request: Request,
  { raw = [], lists = [], only }: FormReading = {},
): Promise<PostedForm> {
  const form: PostedForm = {
    fields: {},
    lists: Object.fromEntries(lists.map((name) => [name, []])),
    files: {},
  };
  let count = 0;
  for (const [name, value] of await entriesOf(request)) {
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

async function entriesOf(request: Request): Promise<Iterable<[string, string | File]>> {
  try {
    return (await request.formData()) as unknown as Iterable<[string, string | File]>;
  } catch {
    throw new Response("This form could not be read.", { status: 400 });
  }
}

const unreadable = (why: string) => new Response(`This form could not be read: ${why}.`, { status: 400 });

/** Control characters have no place in text people read, and two of them (NUL, ESC) have a history in logs and mails. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

function clean(name: string, text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").normalize("NFC").replace(CONTROL, "");
  return isMultiline(name) ? plain : plain.replace(/[\n\t]+/g, " ");
}
