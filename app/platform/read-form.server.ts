import { isMultiline } from "~/lib/form";
import { type Multipart, readMultipart, type UploadRules } from "./read-multipart.server";

export type PostedForm = {
  fields: Record<string, string>;
  lists: Record<string, string[]>;
  /** An empty file control is left out, and so is a file that was not accepted or too large. */
  files: Record<string, File>;
  /** Null: no file was chosen. */
  upload: Multipart["upload"];
};

export type ReadFormOptions = {
  raw?: readonly string[];
  lists?: readonly string[];
  /** Fields that several controls fill: one line each. */
  joined?: readonly string[];
  only?: readonly string[];
  upload?: UploadRules;
};

const MAX_FIELDS = 60;

type FormEntry = Multipart["entries"][number];

/** The types of the runtime do not say that they can be iterated. */
const formEntries = async (request: Request): Promise<FormEntry[]> => [
  ...((await request.formData()) as unknown as Iterable<FormEntry>),
];

export async function textEntries(request: Request): Promise<[name: string, value: string][]> {
  const entries = isMultipart(request) ? (await readMultipart(request, NO_FILES)).entries : await formEntries(request);
  return entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
}

const NO_FILES: UploadRules = {
  maxFileSize: 0,
  decide: async () => ({ accepted: false, reason: "unavailable" }),
  stored: {
    maxFiles: 0,
    receive: () => {
      throw new Error("No file is accepted");
    },
  },
};

const isMultipart = ({ headers }: Request) => /^multipart\//i.test(headers.get("content-type") ?? "");

/** Throws a 400 response for what our forms never send. The ingress checks have already limited its size. */
export async function readForm(
  request: Request,
  { raw = [], lists = [], joined = [], only, upload }: ReadFormOptions = {},
): Promise<PostedForm> {
  const { entries, upload: decided } = await readParts(request, upload);
  const form: PostedForm = {
    fields: {},
    lists: Object.fromEntries(lists.map((name) => [name, []])),
    files: {},
    upload: decided,
  };
  let count = 0;
  for (const [name, value] of entries) {
    if (only && !only.includes(name)) continue;
    if (!lists.includes(name) && !joined.includes(name)) count += 1;
    if (count > MAX_FIELDS) throw unreadable("too many fields");
    if (typeof value !== "string") {
      if (value.size === 0 && value.name === "") continue;
      if (Object.hasOwn(form.files, name)) throw unreadable("two files where one is expected");
      form.files[name] = value;
    } else if (lists.includes(name)) {
      form.lists[name]?.push(clean(name, value));
    } else {
      addField(form, { name, text: raw.includes(name) ? value : clean(name, value), isJoined: joined.includes(name) });
    }
  }
  return form;
}

function addField({ fields }: PostedForm, field: { name: string; text: string; isJoined: boolean }): void {
  const { name, text, isJoined } = field;
  const isAgain = Object.hasOwn(fields, name);
  if (isAgain && !isJoined) throw unreadable("a field sent twice");
  fields[name] = isAgain ? `${fields[name]}\n${text}` : text;
}

async function readParts(request: Request, upload: UploadRules | undefined): Promise<Multipart> {
  const outage: { error?: unknown } = {};
  try {
    if (upload && isMultipart(request)) return await readMultipart(request, noting(outage, upload));
    return { entries: await formEntries(request), upload: null };
  } catch {
    // What is not there is no mistake of the sender.
    throw "error" in outage ? outage.error : unreadable("not a form");
  }
}

function noting(outage: { error?: unknown }, { decide, stored, ...rules }: UploadRules): UploadRules {
  const note = (error: unknown): never => {
    outage.error = error;
    throw error;
  };
  return {
    ...rules,
    decide: (fields) => decide(fields).catch(note),
    ...(stored && {
      stored: {
        ...stored,
        receive: (fileName: string) => {
          const { write, end, abort } = stored.receive(fileName);
          return { write: (bytes) => write(bytes).catch(note), end: () => end().catch(note), abort };
        },
      },
    }),
  };
}

const unreadable = (why: string) => new Response(null, { status: 400, statusText: `Unreadable form: ${why}` });

/** NUL and ESC can do damage in logs, terminals and mails. */
const CONTROL = /[^\P{Cc}\n\t]/gu;

function clean(name: string, text: string): string {
  const plain = text.replace(/\r\n?/g, "\n").normalize("NFC").replace(CONTROL, "");
  return isMultiline(name) ? plain : plain.replace(/[\n\t]+/g, " ");
}
