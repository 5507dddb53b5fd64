import PostalMime, { type Address, type Attachment, addressParser, type Email } from "postal-mime";
import { safeFileName } from "~/features/attachments/model";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { fail, ok, type Result } from "~/lib/errors";
import { asShown, excerpt } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { htmlToText } from "./html-to-text";
import type { UnreadableMail } from "./model";

export type MailAddress = { name: string; address: string };

type MailFile = {
  name: string;
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** A picture that stands in the text, not a file that somebody added. */
  isInline: boolean;
};

type DeliveryReport = {
  recipients: { address: string; action: string }[];
  messageId: string | null;
  /** When the mail that came back was sent; null: it does not say. */
  sentAt: Instant | null;
};

export type ParsedMail = {
  from: MailAddress | null;
  /** More than one sender is allowed by no program that people use, and by attacks on what is signed. */
  hasSeveralSenders: boolean;
  to: MailAddress[];
  cc: MailAddress[];
  messageId: string | null;
  references: string[];
  inReplyTo: string[];
  subject: string;
  isForward: boolean;
  isReply: boolean;
  date: Instant | null;
  /** All values of each header, by its name in lower case; not decoded. */
  headers: Record<string, string[]>;
  text: string;
  isTextCut: boolean;
  html: string | null;
  /** Where the quoted rest of the text begins, if the mail's HTML says so. */
  quoteAt: number | null;
  files: MailFile[];
  droppedFiles: number;
  hasWinmail: boolean;
  /** Only headers and the first text were read: the original has the rest. */
  isLarge: boolean;
  size: number;
  report: DeliveryReport | null;
};

const MIB = 1024 * 1024;
const WHOLE_MAX = 10 * MIB;
const START_OF_LARGE = MIB;
const HEADERS_MAX = 256 * 1024;
const HEADER_MAX = 100 * 1024;
const HEADER_COUNT_MAX = 1000;
const NESTING_MAX = 30;
const FILES_MAX = 50;
const TEXT_MAX = 256 * 1024;
const HTML_MAX = 512 * 1024;
const SUBJECT_MAX = 200;
const NAME_MAX = 200;
const ADDRESSES_MAX = 200;
const REFERENCES_MAX = 100;

/**
 * The parser keeps an object for each line that is not base64, and one for each "=" in base64: a mail of such lines
 * would need a hundred times its size. A text is held in five forms before it is cut.
 */
const PLAIN_LINES_MAX = 20_000;
const PLAIN_BYTES_MAX = 2 * MIB;
const EQUAL_SIGNS_MAX = 150_000;

type RawMail = { body: ReadableStream<Uint8Array> | Uint8Array; size: number };

/** Throws only if the stream does. */
export async function parseMail({ body, size }: RawMail): Promise<Result<ParsedMail, UnreadableMail>> {
  const raw = body instanceof Uint8Array ? body : await readStart(body, size);
  const { headers, headersSize, longestHeader, readable } = measure(raw);
  if (headers === 0) return fail("empty");
  if (headersSize > HEADERS_MAX || longestHeader > HEADER_MAX) return fail("headers_too_large");
  if (headers > HEADER_COUNT_MAX) return fail("too_many_headers");
  try {
    const email = await PostalMime.parse(asBuffer(raw.subarray(0, readable)), {
      maxNestingDepth: NESTING_MAX,
      maxHeadersSize: 2 * HEADERS_MAX,
      // A mail that is attached is a file: what it says is not what the sender says.
      forceRfc822Attachments: true,
    });
    return ok({ ...mailFrom(email), size, isLarge: readable < size });
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (message.includes("nesting depth")) return fail("nesting_too_deep");
    return fail(message.includes("header size") ? "headers_too_large" : "unreadable");
  }
}

/** Returns a mail, of a large one its beginning, in the one buffer that is needed. */
export async function readStart(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array> {
  const wanted = size > WHOLE_MAX ? START_OF_LARGE : size;
  const held = new Uint8Array(wanted);
  const reader = stream.getReader();
  let length = 0;
  while (length < wanted) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, wanted - length);
    held.set(part, length);
    length += part.length;
  }
  await reader.cancel();
  return held.subarray(0, length);
}

/** The parser copies a view, but not a buffer. */
const asBuffer = (bytes: Uint8Array): ArrayBuffer =>
  bytes.length === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? bytes.buffer
    : new Uint8Array(bytes).buffer;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const EQUAL_SIGN = 61;
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(/[A-Za-z0-9+/=\r\n]/.test(String.fromCharCode(byte))),
);

type Structure = { headers: number; headersSize: number; longestHeader: number; readable: number };

/** Reads lines as the parser does, without keeping any. */
function measure(raw: Uint8Array): Structure {
  const body = { plainLines: 0, plainBytes: 0, equalSigns: 0 };
  const measured = { headers: 0, headersSize: 0, longestHeader: 0, readable: raw.length };
  let isInHeaders = true;
  let header = 0;
  for (let start = 0, next = 0; start < raw.length; start = next) {
    const newline = raw.indexOf(NEWLINE, start);
    next = newline < 0 ? raw.length : newline + 1;
    if (!isInHeaders) {
      measureLine(raw, start, next, body);
      const isTooMuch = body.plainLines > PLAIN_LINES_MAX || body.equalSigns > EQUAL_SIGNS_MAX;
      if (isTooMuch) return { ...measured, readable: start };
      if (body.plainBytes > PLAIN_BYTES_MAX) return { ...measured, readable: next - body.plainBytes + PLAIN_BYTES_MAX };
    } else if (isEmptyLine(raw, start, next)) {
      isInHeaders = false;
    } else {
      const isFolded = measured.headers > 0 && (raw[start] === 32 || raw[start] === 9);
      header = isFolded ? header + next - start : next - start;
      measured.headers += Number(!isFolded);
      measured.longestHeader = Math.max(measured.longestHeader, header);
      measured.headersSize = next;
      if (measured.headers > HEADER_COUNT_MAX || next > HEADERS_MAX) return measured;
    }
  }
  return measured;
}

function isEmptyLine(raw: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (raw[at] !== CARRIAGE_RETURN && raw[at] !== NEWLINE) return false;
  return true;
}

const SHORTEST_BASE64_LINE = 40;

type Measured = { plainLines: number; plainBytes: number; equalSigns: number };

function measureLine(raw: Uint8Array, start: number, end: number, body: Measured) {
  let isPlain = end - start < SHORTEST_BASE64_LINE;
  for (let at = start; at < end; at++) {
    const byte = raw[at] ?? 0;
    if (byte === EQUAL_SIGN) body.equalSigns++;
    if (IS_BASE64[byte] === 0) isPlain = true;
  }
  if (!isPlain) return;
  body.plainLines++;
  body.plainBytes += end - start;
}

function mailFrom(email: Email): Omit<ParsedMail, "size" | "isLarge"> {
  const headers = headersOf(email);
  const senders = headers.from?.flatMap((value) => addressParser(value, { flatten: true })) ?? [];
  const report = reportFrom(email, headers);
  const attachments = report
    ? email.attachments.filter(({ mimeType }) => !isPartOfReport(mimeType))
    : email.attachments;

  const date = Date.parse(email.date ?? "");
  return {
    from: mailboxes(senders.slice(0, 1))[0] ?? null,
    hasSeveralSenders: senders.length > 1 || (headers.from?.length ?? 0) > 1,
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    messageId: messageIds(email.messageId)[0] ?? null,
    references: messageIds(email.references),
    inReplyTo: messageIds(email.inReplyTo),
    ...subjectFrom(email.subject ?? ""),
    date: date > 0 ? date : null,
    headers,
    ...textFrom(email),
    files: attachments.slice(0, FILES_MAX).map(fileFrom),
    droppedFiles: Math.max(0, attachments.length - FILES_MAX),
    hasWinmail: attachments.some(
      ({ mimeType, filename }) => /\/(vnd\.)?ms-tnef$/.test(mimeType) || filename === "winmail.dat",
    ),
    report,
  };
}

function headersOf(email: Email): Record<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const { key, value } of email.headers) {
    const values = headers.get(key);
    if (values) values.push(value);
    else headers.set(key, [value]);
  }
  return Object.fromEntries(headers);
}

const oneLine = (text: string, max: number): string => excerpt(asShown(text.replace(/\p{Cc}+/gu, " ")), max);

function mailboxes(addresses: readonly Address[] = []): MailAddress[] {
  const found: MailAddress[] = [];
  for (const { name, address } of addresses.flatMap((entry) => entry.group ?? [entry])) {
    if (found.length === ADDRESSES_MAX) break;
    const normal = normalizeEmail(address ?? "");
    if (!isEmailAddress(normal)) continue;
    const shown = oneLine(name, NAME_MAX);
    found.push({ name: shown.toLowerCase() === normal ? "" : shown, address: normal });
  }
  return found;
}

const REPLY_PREFIX = "re|aw|antw|antwort|sv|vs|odp|ref|rif|res|réf";
const FORWARD_PREFIX = "fw|fwd|wg|tr|rv|enc|vl|doorst";
const PREFIX = new RegExp(`^(?:(${REPLY_PREFIX})|(${FORWARD_PREFIX}))(?:\\[\\d+\\])? ?[:：] ?`, "i");

/** Of "Re: AW: Re: Printer" the first prefix stays. */
function subjectFrom(text: string): Pick<ParsedMail, "subject" | "isForward" | "isReply"> {
  let rest = oneLine(text, Number.POSITIVE_INFINITY);
  const first = PREFIX.exec(rest);
  for (let prefix = first; prefix; prefix = PREFIX.exec(rest)) rest = rest.slice(prefix[0].length);
  const kept = first ? `${first[1] ?? first[2]}: ` : "";
  const [, reply, forward] = first ?? [];
  return {
    subject: excerpt(kept + rest, SUBJECT_MAX).trim(),
    isForward: forward !== undefined,
    isReply: reply !== undefined,
  };
}

/** Ours stands first where programs have kept it, and what was answered stands last. */
function messageIds(header: string | undefined): string[] {
  const ids = new Set(Array.from((header ?? "").matchAll(/<([^<>\s]{1,500})>/g), ([id]) => id));
  const all = [...ids];
  return all.length <= REFERENCES_MAX ? all : [...all.slice(0, REFERENCES_MAX / 2), ...all.slice(-REFERENCES_MAX / 2)];
}

function textFrom({ text: plain = "", html }: Email): Pick<ParsedMail, "text" | "isTextCut" | "html" | "quoteAt"> {
  const kept = html?.slice(0, HTML_MAX) ?? null;
  const isHtmlCut = (html?.length ?? 0) > HTML_MAX;
  const wholePlain = cleanText(plain);
  const plainText = withinBytes(wholePlain, TEXT_MAX);
  if (plainText !== "" || kept === null) {
    return { text: plainText, isTextCut: plainText.length < wholePlain.length, html: kept, quoteAt: null };
  }
  const written = htmlToText(kept);
  const before = cleanText(written.text.slice(0, written.quoteAt ?? undefined));
  const rest = written.quoteAt === null ? "" : cleanText(written.text.slice(written.quoteAt));
  const whole = [before, rest].filter(Boolean).join("\n\n");
  const text = withinBytes(whole, TEXT_MAX);
  const isQuoteKept = rest !== "" && before.length < text.length;
  return {
    text,
    isTextCut: isHtmlCut || written.isCut || text.length < whole.length,
    html: kept,
    quoteAt: isQuoteKept ? before.length : null,
  };
}

/** Direction overrides make text look like another; marks that right-to-left scripts need stay. */
const NOT_IN_TEXT = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const cleanText = (text: string): string =>
  text.replace(/\r\n?/g, "\n").replace(NOT_IN_TEXT, "").replace(/^\n+/, "").trimEnd();

function withinBytes(text: string, max: number): string {
  if (text.length * 3 <= max) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max));
  return text.slice(0, read);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "message/rfc822": "eml",
  "text/calendar": "ics",
  "text/csv": "csv",
  "text/html": "html",
  "text/plain": "txt",
};

function fileFrom({ filename, mimeType, disposition, contentId, related, content }: Attachment): MailFile {
  const type = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mimeType) ? mimeType : "application/octet-stream";
  const extension = EXTENSIONS[type];
  const name = safeFileName(filename ?? "");
  const isNamed = !/^(document|\.+)$/.test(name);
  return {
    name: isNamed ? name : `document${extension ? `.${extension}` : ""}`,
    type,
    bytes: bytesOf(content),
    isInline:
      contentId !== undefined && (related === true || type.startsWith("image/")) && disposition !== "attachment",
  };
}

const bytesOf = (content: Attachment["content"]): Uint8Array<ArrayBuffer> =>
  content instanceof ArrayBuffer
    ? new Uint8Array(content)
    : typeof content === "string"
      ? new TextEncoder().encode(content)
      : new Uint8Array(content);

const isPartOfReport = (type: string): boolean =>
  /^message\/(global-)?(delivery-status|disposition-notification|feedback-report|headers|rfc822)$|^text\/rfc822-headers$|^message\/global$/.test(
    type,
  );

const RECIPIENTS_MAX = 50;
const REPORT_MAX = 64 * 1024;

function reportFrom({ attachments }: Email, headers: Record<string, string[]>): DeliveryReport | null {
  const isReport = /^multipart\/report\b/i.test(headers["content-type"]?.[0] ?? "");
  const failed = headers["x-failed-recipients"]?.[0];
  if (!isReport && !failed) return null;
  const partOf = (type: RegExp) => attachments.find(({ mimeType }) => type.test(mimeType))?.content;
  const [mail, ...blocks] = fieldBlocks(partOf(/^message\/(global-)?delivery-status$/));
  const [original] = fieldBlocks(partOf(/^message\/(rfc822|global|global-headers)$|^text\/rfc822-headers$/));
  const recipients = blocks.slice(0, RECIPIENTS_MAX).flatMap((fields) => {
    const address = recipientOf(fields.get("final-recipient") ?? fields.get("original-recipient"));
    return address ? [{ address, action: oneLine(fields.get("action") ?? "", 20).toLowerCase() || "failed" }] : [];
  });
  const named = (failed ?? "").split(",").slice(0, RECIPIENTS_MAX).map(recipientOf);
  const others = named.flatMap((address) => (address ? [{ address, action: "failed" }] : []));
  return {
    recipients: recipients.length > 0 ? recipients : others,
    messageId: messageIds(original?.get("message-id"))[0] ?? null,
    sentAt: timeOf(original?.get("date")) ?? timeOf(mail?.get("arrival-date")),
  };
}

function timeOf(field: string | undefined): Instant | null {
  const at = Date.parse(field ?? "");
  return Number.isNaN(at) ? null : at;
}

function recipientOf(field: string | undefined): string | null {
  const address = normalizeEmail((field ?? "").replace(/^[^;]*;/, "").replace(/[<>]/g, ""));
  return isEmailAddress(address) ? address : null;
}

/** Reads fields as mail headers are written, in blocks with empty lines between. The first of a name counts. */
function fieldBlocks(content: Attachment["content"] | undefined): Map<string, string>[] {
  if (content === undefined) return [];
  const text = new TextDecoder().decode(bytesOf(content).subarray(0, REPORT_MAX)).replace(/\r\n?/g, "\n");
  const blocks = text.replace(/\n[ \t]+/g, " ").split(/\n{2,}/);
  return blocks.map((block) => {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
      if (name && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
    }
    return fields;
  });
}
