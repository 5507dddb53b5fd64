import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { asShown, excerpt } from "~/lib/text";
import { type MailAddress, type ParsedMail, parseMail } from "./parse-mail.server";
import { headerLine, isForwardLine, isHeaderBlock, restSign, trimQuote } from "./trim-quote";

export type ForwardedMail = {
  sender: MailAddress;
  subject: string;
  text: string;
  /** What whoever forwards it has written above it. */
  note: string;
  files: ParsedMail["files"];
};

type Forwarding = Pick<ParsedMail, "text" | "subject" | "isForward" | "isReply" | "files">;

const LINES_MAX = 2000;
const HEADER_LINES = 12;
const NAME_MAX = 200;

/**
 * Reads the mail that somebody forwards, in its text or attached as a file. Of a chain: the last one. What a reply
 * quotes is no forward, whatever stands in it.
 */
export async function readForwarded(mail: Forwarding): Promise<ForwardedMail | null> {
  const { text, subject, isForward, isReply, files } = mail;
  if (isReply) return null;
  const lines = text.split("\n", LINES_MAX);
  const at = forwardedAt(lines, isForward);
  const sender = at < 0 ? null : senderBelow(lines.slice(at, at + HEADER_LINES));
  if (sender) {
    const above = lines.slice(0, at).join("\n");
    const below = text.split("\n").slice(at);
    return {
      sender,
      subject: isForward ? subject.replace(/^[^:]*:\s*/, "") : subject,
      text: bodyOf(below),
      note: noteIn(above),
      files,
    };
  }
  const attached = files.find(({ type }) => type === "message/rfc822");
  const parsed = attached && (await parseMail({ body: attached.bytes, size: attached.bytes.length }));
  if (!parsed?.ok || !parsed.value.from) return null;
  const { from, ...original } = parsed.value;
  const others = files.filter((file) => file !== attached);
  return { ...original, sender: from, note: noteIn(text), files: [...original.files, ...others] };
}

/** Where the subject does not say so, a forward must begin above all that is quoted. */
function forwardedAt(lines: readonly string[], isForward: boolean): number {
  if (isForward) return lines.findIndex((line, index) => isForwardLine(line) || isHeaderBlock(lines, index));
  const at = lines.findIndex((line, index) => line.startsWith(">") || restSign(lines, index) !== null);
  return restSign(lines, at) === "forward" ? at : -1;
}

const noteIn = (above: string): string => {
  const { text } = trimQuote({ text: above });
  return text.trim();
};

/** Leaves out the lines that say who wrote when to whom, and the signs of quotes that stand before all others. */
function bodyOf(lines: readonly string[]): string {
  const first = lines.findIndex((line) => headerLine(line) !== null);
  let end = first;
  for (let at = first; at < Math.min(first + HEADER_LINES, lines.length); at++) {
    const line = plain(lines[at] ?? "");
    if (headerLine(line) !== null) end = at + 1;
    else if (line !== "" && plain(lines[at - 1] ?? "") !== "" && end === at) end = at + 1;
    else if (line !== "") break;
  }
  const body = lines.slice(end);
  const isQuoted = body.every((line) => line.trim() === "" || line.startsWith(">"));
  return (isQuoted ? body.map((line) => line.replace(/^> ?/, "")) : body).join("\n").trim();
}

const plain = (line: string): string => line.replace(/^[>\s]+/, "").trim();

function senderBelow(lines: readonly string[]): MailAddress | null {
  for (const [index, line] of lines.entries()) {
    const header = headerLine(line);
    if (header?.kind !== "from") continue;
    // A long name puts the address on a line of its own.
    const below = plain(lines[index + 1] ?? "");
    return mailboxIn(header.value) ?? mailboxIn(`${header.value} ${below}`);
  }
  return null;
}

/** Reads `Anna Meier <anna@…>`, `Anna Meier [mailto:anna@…]` and what mail programs make links of. */
function mailboxIn(value: string): MailAddress | null {
  const text = value
    .slice(0, 1000)
    .replace(/\[mailto:([^\]]+)\]/i, "<$1>")
    .replace(/<mailto:/gi, "<");
  const found = /<\s*([^<>\s]+@[^<>\s]+)\s*>/.exec(text) ?? /(?:^|\s)([^<>\s"'()]+@[^<>\s"'(),;]+)/.exec(text);
  const address = normalizeEmail(found?.[1] ?? "");
  if (!found || !isEmailAddress(address)) return null;
  const name = asShown(text.slice(0, found.index).replace(/["*]|^'|'\s*$/g, ""));
  return { name: name.toLowerCase() === address || isEmailAddress(name) ? "" : excerpt(name, NAME_MAX), address };
}
