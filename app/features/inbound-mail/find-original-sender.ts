import { addressParser } from "postal-mime";
import { isEmailAddress, normalizeEmail } from "~/lib/email";
import { asShown, excerpt } from "~/lib/text";
import type { MailAddress, ParsedMail } from "./parse-mail.server";
import { headerLine, isForwardLine, isHeaderBlock } from "./trim-quote";

type ForwardedMail = Pick<ParsedMail, "text" | "isForward" | "files">;

const LINES_MAX = 2000;
const HEADERS_MAX = 64 * 1024;
const NAME_MAX = 200;

/** Returns who wrote the mail that somebody forwards, in its text or attached as a file. Of a chain: the last one. */
export function findOriginalSender({ text, isForward, files }: ForwardedMail): MailAddress | null {
  const lines = text.split("\n", LINES_MAX);
  const at = lines.findIndex((line, index) => isForwardLine(line) || (isForward && isHeaderBlock(lines, index)));
  const inText = at < 0 ? null : senderBelow(lines.slice(at, at + 12));
  if (inText) return inText;
  const attached = files.find(({ type }) => type === "message/rfc822");
  return attached ? senderOf(attached.bytes) : null;
}

function senderBelow(lines: readonly string[]): MailAddress | null {
  for (const [index, line] of lines.entries()) {
    const header = headerLine(line);
    if (header?.kind !== "from") continue;
    // A long name puts the address on a line of its own.
    const below = (lines[index + 1] ?? "").replace(/^[>\s]+/, "");
    return mailboxIn(header.value) ?? mailboxIn(`${header.value} ${below}`);
  }
  return null;
}

/** Reads `Anna Meier <anna@…>`, `Anna Meier [mailto:anna@…]` and what mail programs make links of. */
function mailboxIn(value: string): MailAddress | null {
  const plain = value
    .slice(0, 1000)
    .replace(/\[mailto:([^\]]+)\]/i, "<$1>")
    .replace(/<mailto:/gi, "<");
  const found = /<\s*([^<>\s]+@[^<>\s]+)\s*>/.exec(plain) ?? /(?:^|\s)([^<>\s"'()]+@[^<>\s"'(),;]+)/.exec(plain);
  const address = normalizeEmail(found?.[1] ?? "");
  if (!found || !isEmailAddress(address)) return null;
  const name = asShown(plain.slice(0, found.index).replace(/["*]|^'|'\s*$/g, ""));
  return { name: name.toLowerCase() === address || isEmailAddress(name) ? "" : excerpt(name, NAME_MAX), address };
}

function senderOf(mail: Uint8Array): MailAddress | null {
  const [headers = ""] = new TextDecoder().decode(mail.subarray(0, HEADERS_MAX)).split(/\r?\n\r?\n/, 1);
  const from = headers.replace(/\r?\n[ \t]+/g, " ").match(/^from[ \t]*:(.*)$/im)?.[1];
  const [sender] = addressParser(from ?? "", { flatten: true });
  const address = normalizeEmail(sender?.address ?? "");
  if (!sender || !isEmailAddress(address)) return null;
  const name = asShown(sender.name.replace(/\p{Cc}+/gu, " "));
  return { name: excerpt(name, NAME_MAX), address };
}
