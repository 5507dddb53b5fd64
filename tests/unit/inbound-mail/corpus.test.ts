import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { classifyMail } from "~/features/inbound-mail/classify-mail";
import { readForwarded } from "~/features/inbound-mail/forwarded-mail.server";
import { type ParsedMail, parseMail } from "~/features/inbound-mail/parse-mail.server";
import { trimQuote } from "~/features/inbound-mail/trim-quote";

const CORPUS = path.resolve(import.meta.dirname, "corpus");

type Expected = { envelopeFrom?: string; originalSender?: unknown; report?: unknown } & Record<string, unknown>;

const corpus: Record<string, Expected> = JSON.parse(readFileSync(`${CORPUS}.json`, "utf8"));

/** What is expected of a mail that says nothing else: Dana answers a ticket. */
const USUAL = {
  class: "person",
  from: { name: "Dana Whitlock", address: "dana@brightsmile.example" },
  subject: "Re: [T-1042] Printer offline",
  by: null,
  files: [],
  flags: [],
};

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

/** Returns what the corpus says of a mail, as it is read. */
async function read(name: string, { envelopeFrom, originalSender, report }: Expected): Promise<unknown> {
  const body = new Uint8Array(readFileSync(path.join(CORPUS, `${name}.eml`)));
  const result = await parseMail({ body, size: body.length });
  if (!result.ok) return { error: result.code };
  const mail = result.value;
  const { text, by } = trimQuote(mail);
  return {
    class: classifyMail({ ...mail, envelopeFrom: envelopeFrom ?? null }),
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

test("the corpus has at least sixty mails, and expects something of each", () => {
  const names = readdirSync(CORPUS).map((file) => file.slice(0, -4));
  expect(names.length).toBeGreaterThanOrEqual(60);
  expect(Object.keys(corpus).toSorted()).toEqual(names.toSorted());
});

describe("a mail is read as the corpus says:", () => {
  test.each(Object.entries(corpus))("%s", async (name, expected) => {
    expect(await read(name, expected)).toEqual(expected.error ? expected : { ...USUAL, ...expected });
  });
});
