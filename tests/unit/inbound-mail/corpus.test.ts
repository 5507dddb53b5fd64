import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { classifyMail } from "~/features/inbound-mail/classify-mail";
import { readForwarded } from "~/features/inbound-mail/forwarded-mail.server";
import { type ParsedMail, parseMail } from "~/features/inbound-mail/parse-mail.server";
import { trimQuote } from "~/features/inbound-mail/trim-quote";

const CORPUS = path.resolve(import.meta.dirname, "corpus");

const names = readdirSync(CORPUS)
  .filter((file) => file.endsWith(".eml"))
  .map((file) => file.slice(0, -4));

type Expected = { envelopeFrom?: string; originalSender?: unknown; report?: unknown } & Record<string, unknown>;

const expectedOf = (name: string): Expected => JSON.parse(readFileSync(path.join(CORPUS, `${name}.json`), "utf8"));

const flagsOf = (mail: ParsedMail): string[] =>
  Object.entries({
    forward: mail.isForward,
    large: mail.isLarge,
    text_cut: mail.isTextCut,
    winmail: mail.hasWinmail,
    several_senders: mail.hasSeveralSenders,
    no_message_id: mail.messageId === null,
    no_date: mail.date === null,
    files_dropped: mail.droppedFiles > 0,
  }).flatMap(([flag, isSet]) => (isSet ? [flag] : []));

/** Returns what the expected file says, as this mail is read. */
async function read(name: string, { envelopeFrom, originalSender, report }: Expected): Promise<unknown> {
  const body = new Uint8Array(readFileSync(path.join(CORPUS, `${name}.eml`)));
  const result = await parseMail({ body, size: body.length });
  if (!result.ok) return { error: result.code };
  const mail = result.value;
  const { text, by } = trimQuote(mail);
  return {
    ...classifyMail({ ...mail, envelopeFrom: envelopeFrom ?? null }),
    from: mail.from,
    subject: mail.subject,
    text,
    by,
    files: mail.files.map((file) => ({
      name: file.name,
      type: file.type,
      size: file.bytes.length,
      isInline: file.isInline,
    })),
    flags: flagsOf(mail),
    ...(envelopeFrom === undefined ? {} : { envelopeFrom }),
    ...(originalSender === undefined ? {} : { originalSender: (await readForwarded(mail))?.sender ?? null }),
    ...(report === undefined ? {} : { report: mail.report }),
  };
}

test("the corpus has at least sixty mails, each with what is expected of it", () => {
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(readdirSync(CORPUS)).toHaveLength(2 * names.length);
});

describe("a mail is read as its expected file says:", () => {
  test.each(names)("%s", async (name) => {
    const expected = expectedOf(name);
    expect(await read(name, expected)).toEqual(expected);
  });
});
