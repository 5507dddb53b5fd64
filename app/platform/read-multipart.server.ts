import { Buffer } from "node:buffer";
import type { Instant } from "~/lib/time";

export type UploadDecision =
  | { accepted: true }
  | { accepted: false; reason: "token" | "repeated" | "unavailable" }
  | { accepted: false; reason: "limited"; retryAt: Instant }
  | { accepted: false; reason: "full"; message: string };

export type StoredUpload = { fileName: string } & (
  | { error: null; key: string; kind: string; size: number; sha256: string }
  | { error: "empty" | "not_accepted" | "too_large" | "too_many" | "unavailable" }
  | { error: "full"; message: string }
);

export type UploadRules = {
  maxFileSize: number;
  /** Decides by the fields before the first file, so the form's token must stand before it. Called at most once. */
  decide: (fieldsBefore: Record<string, string>) => Promise<UploadDecision>;
  /** Without it a form takes one small file, which is held and returned with the fields. */
  stored?: { maxFiles: number; receive: (fileName: string) => FileReceiver };
};

/** While a promise of it is pending, no more of the body is read. */
export type FileReceiver = {
  /** Takes the next bytes, which it must not keep. */
  write: (bytes: Uint8Array) => Promise<void>;
  end: () => Promise<StoredUpload>;
  /** Lets go of the file, of which nothing stays stored, even if it has ended. */
  abort: () => Promise<void>;
};

export type Multipart = {
  entries: [name: string, value: string | File][];
  upload: { decision: UploadDecision; isTooLarge: boolean; stored: StoredUpload[] } | null;
};

const MAX_TEXT = 320 * 1024;
const MAX_PARTS = 100;

type Upload = {
  name: string;
  fileName: string;
  position: number;
  chunks: Uint8Array<ArrayBuffer>[];
  size: number;
  isDropped: boolean;
  hasEnded: boolean;
};

type Received = {
  fields: [string, string][];
  parts: number;
  textSize: number;
  upload: Upload | null;
  files: number;
  arriving: Upload[];
  fieldsBefore: number;
};

/**
 * A file that is not accepted or too large is read past and never held. The fields after it are read all the same: a
 * form that comes back has all that was typed. When it throws, nothing that was stored stays.
 */
export async function readMultipart(request: Request, rules: UploadRules): Promise<Multipart> {
  const received: Received = {
    fields: [],
    parts: 0,
    textSize: 0,
    upload: null,
    files: 0,
    arriving: [],
    fieldsBefore: 0,
  };
  const scanner = scanMultipart(boundaryOf(request), (headers) => startPart(received, headers, rules));
  const storing = rules.stored && storeArriving(received, rules.stored);
  let decision: UploadDecision | null = null;
  try {
    for await (const chunk of chunksOf(request)) {
      scanner.write(chunk);
      const { upload, fields, fieldsBefore } = received;
      if (!upload) continue;
      // While this is decided, no more of the body is read.
      decision ??= await rules.decide(Object.fromEntries(fields.slice(0, fieldsBefore)));
      if (!decision.accepted) {
        drop(upload);
        received.arriving = [];
      } else await storing?.next();
    }
    if (!scanner.isComplete()) throw new Error("The body has no end");
  } catch (error) {
    await storing?.abort();
    throw error;
  }

  const { fields, upload } = received;
  if (!upload || !decision) return { entries: fields, upload: null };
  const isTooLarge = upload.size > rules.maxFileSize;
  const isKept = !upload.isDropped && !rules.stored;
  return {
    entries: isKept ? [...fields, [upload.name, new File(upload.chunks, upload.fileName)]] : fields,
    upload: { decision, isTooLarge, stored: storing?.results ?? [] },
  };
}

function storeArriving(received: Received, { maxFiles, receive }: NonNullable<UploadRules["stored"]>) {
  const receivers = new Map<Upload, FileReceiver>();
  const results: StoredUpload[] = [];

  async function passOn(upload: Upload): Promise<void> {
    const { fileName } = upload;
    if (upload.position > maxFiles) {
      if (upload.hasEnded) results.push({ fileName, error: "too_many" });
    } else if (upload.isDropped) {
      await receivers.get(upload)?.abort();
      receivers.delete(upload);
      if (upload.hasEnded) results.push({ fileName, error: "too_large" });
    } else {
      const receiver = receivers.get(upload) ?? receive(fileName);
      receivers.set(upload, receiver);
      for (const bytes of upload.chunks.splice(0)) await receiver.write(bytes);
      if (upload.hasEnded) results.push(await receiver.end());
    }
  }

  return {
    results,
    next: async () => {
      for (const upload of received.arriving) await passOn(upload);
      received.arriving = received.arriving.filter(({ hasEnded }) => !hasEnded);
    },
    abort: () => Promise.allSettled([...receivers.values()].map((receiver) => receiver.abort())),
  };
}

function startPart(received: Received, headers: string, { maxFileSize, stored }: UploadRules): PartSink {
  received.parts += 1;
  if (received.parts > MAX_PARTS) throw new Error("Too many parts");
  const { name, fileName } = dispositionOf(headers);
  if (fileName === null) return fieldSink(received, name);
  // A file control in which nothing was chosen.
  if (fileName === "") return { write: () => undefined, end: () => undefined };
  received.files += 1;
  if (received.files > 1 && !stored) throw new Error("Two files where one is expected");
  if (received.files === 1) received.fieldsBefore = received.fields.length;
  const position = received.files;
  const isDropped = stored !== undefined && position > stored.maxFiles;
  const upload: Upload = { name, fileName, position, chunks: [], size: 0, isDropped, hasEnded: false };
  received.upload = upload;
  if (stored) received.arriving.push(upload);
  return {
    write: (bytes) => {
      upload.size += bytes.byteLength;
      if (upload.size > maxFileSize) drop(upload);
      if (!upload.isDropped) upload.chunks.push(new Uint8Array(bytes));
    },
    end: () => {
      upload.hasEnded = true;
    },
  };
}

function fieldSink(received: Received, name: string): PartSink {
  const decoder = new TextDecoder();
  let text = "";
  return {
    write: (bytes) => {
      received.textSize += bytes.byteLength;
      if (received.textSize > MAX_TEXT) throw new Error("Too much text");
      text += decoder.decode(bytes, { stream: true });
    },
    end: () => {
      received.fields.push([name, text + decoder.decode()]);
    },
  };
}

function drop(upload: Upload): void {
  upload.isDropped = true;
  upload.chunks = [];
}

/** Matches the line of a part's headers that names it, as browsers write it (HTML, "multipart/form-data"). */
const DISPOSITION =
  /^content-disposition:[ \t]*form-data[ \t]*;[ \t]*name="([^"\r\n]*)"(?:[ \t]*;[ \t]*filename="([^"\r\n]*)")?/im;

function dispositionOf(headers: string): { name: string; fileName: string | null } {
  const [match, name = "", fileName] = DISPOSITION.exec(headers) ?? [];
  if (match === undefined) throw new Error("A part without a name");
  return { name: decoded(name), fileName: fileName === undefined ? null : decoded(fileName) };
}

const decoded = (text: string) => text.replace(/%(0A|0D|22)/gi, (character) => decodeURIComponent(character));

/** The ingress checks have seen that there is one. */
function boundaryOf(request: Request): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(request.headers.get("content-type") ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new Error("The parts have no boundary");
  return boundary;
}

async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}

type PartSink = { write: (bytes: Uint8Array) => void; end: () => void };

const LINE = Buffer.from("\r\n");
const END_OF_HEADERS = Buffer.from("\r\n\r\n");
const DASHES = Buffer.from("--");

type State = "start" | "after delimiter" | "headers" | "content" | "end";

const MAX_HEADERS = 8 * 1024;

/** RFC 2046, 5.1.1, in chunks of any size. Only as much content is held as may begin the next delimiter. */
function scanMultipart(boundary: string, onPart: (headers: string) => PartSink) {
  const delimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  let state: State = "start";
  let sink: PartSink | null = null;
  // The first delimiter has no line break before it.
  let rest = LINE;

  function advance(length: number, next: State): true {
    rest = rest.subarray(length);
    state = next;
    return true;
  }

  const steps: Record<State, () => boolean> = {
    start() {
      if (rest.length < delimiter.length) return false;
      if (!rest.subarray(0, delimiter.length).equals(delimiter)) throw new Error("No delimiter at the beginning");
      return advance(delimiter.length, "after delimiter");
    },
    "after delimiter"() {
      if (rest.length < 2) return false;
      const next = rest.subarray(0, 2);
      if (next.equals(DASHES)) return advance(2, "end");
      if (!next.equals(LINE)) throw new Error("Text behind a delimiter");
      return advance(2, "headers");
    },
    headers() {
      const length = rest.indexOf(END_OF_HEADERS);
      if (Math.max(length, length < 0 ? rest.length : 0) > MAX_HEADERS) throw new Error("Headers are too long");
      if (length < 0) return false;
      sink = onPart(rest.toString("utf8", 0, length));
      return advance(length + END_OF_HEADERS.length, "content");
    },
    content() {
      const found = rest.indexOf(delimiter);
      // The last bytes may be the beginning of a delimiter.
      const length = found < 0 ? Math.max(0, rest.length - delimiter.length + 1) : found;
      if (length > 0) sink?.write(rest.subarray(0, length));
      rest = rest.subarray(length);
      if (found < 0) return false;
      sink?.end();
      return advance(delimiter.length, "after delimiter");
    },
    /** Ignores what follows the last delimiter: it means nothing. */
    end() {
      rest = rest.subarray(rest.length);
      return false;
    },
  };

  return {
    write(chunk: Uint8Array): void {
      rest = Buffer.concat([rest, chunk]);
      while (steps[state]());
    },
    isComplete: () => state === "end",
  };
}
