import { describe, expect, test } from "vitest";
import { htmlToText } from "~/features/inbound-mail/html-to-text";
import { type ParsedMail, parseMail } from "~/features/inbound-mail/parse-mail.server";
import { trimQuote } from "~/features/inbound-mail/trim-quote";

const MIB = 1024 * 1024;

const encode = (text: string) => new TextEncoder().encode(text);

const parse = (text: string) => {
  const body = encode(text);
  return parseMail({ body, size: body.length });
};

async function read(text: string): Promise<ParsedMail> {
  const result = await parse(text);
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

const HEAD = "From: Dana <dana@brightsmile.example>\r\nSubject: Hello\r\nMessage-ID: <a@b.example>\r\n";

const withFile = (content: string, encoding = "base64") =>
  [
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n`,
    "--b\r\nContent-Type: text/plain\r\n\r\nSee the file.",
    `--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    content,
    "--b--\r\n",
  ].join("\r\n");

const base64Lines = (bytes: number) => `${"A".repeat(76)}\r\n`.repeat(Math.ceil(bytes / 78));

function streamOf(bytes: Uint8Array): { stream: ReadableStream<Uint8Array>; taken: () => number } {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 65_536));
      at += 65_536;
    },
  });
  return { stream, taken: () => at };
}

test("a mail of nearly 10 MiB is read whole", async () => {
  const mail = await read(withFile(base64Lines(9.5 * MIB)));
  expect(mail.isLarge).toBe(false);
  expect(mail.files.map(({ name }) => name)).toEqual(["a.pdf"]);
});

test.each([
  [12 * MIB, "12 MB"],
  [25 * MIB - 300, "25 MiB"],
])("of a mail of %i bytes (%s) only the headers and the first text are read, and most of it is never taken", async (bytes) => {
  const raw = encode(withFile(base64Lines(bytes)));
  const { stream, taken } = streamOf(raw);
  const result = await parseMail({ body: stream, size: raw.length });
  expect(result).toMatchObject({
    ok: true,
    value: { subject: "Hello", text: "See the file.", isLarge: true, size: raw.length },
  });
  expect(taken()).toBeLessThan(2 * MIB);
});

test("a stream is read to its end, even where it is shorter than was said", async () => {
  const raw = encode(`${HEAD}\r\nHello`);
  const result = await parseMail({ body: streamOf(raw).stream, size: raw.length + 100 });
  expect(result).toMatchObject({ ok: true, value: { text: "Hello" } });
});

test("200 nested multiparts are refused", async () => {
  const open = Array.from(
    { length: 200 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
  );
  expect(await parse(`${HEAD}${open.join("")}\r\nHello`)).toEqual({ ok: false, code: "nesting_too_deep" });
});

test("10,000 headers are refused, a thousand are not", async () => {
  const headers = (count: number) => "X-Spam: 1\r\n".repeat(count);
  expect(await parse(`${HEAD}${headers(10_000)}\r\nHello`)).toEqual({ ok: false, code: "too_many_headers" });
  expect((await read(`${HEAD}${headers(990)}\r\nHello`)).text).toBe("Hello");
});

test("a header of 64 kB is read, one of 200 kB and 300 kB of headers are refused", async () => {
  const words = (bytes: number) => "word word word word\r\n ".repeat(bytes / 22);
  expect((await read(`${HEAD}X-Long: ${words(65_536)}\r\n\r\nHello`)).text).toBe("Hello");
  const refused = { ok: false, code: "headers_too_large" };
  expect(await parse(`${HEAD}X-Long: ${words(200_000)}\r\n\r\nHello`)).toEqual(refused);
  expect(await parse(`${HEAD}${`X-Long: ${"a".repeat(1000)}\r\n`.repeat(300)}\r\nHello`)).toEqual(refused);
});

test("a subject of 10,000 characters is cut between characters, with its first prefix", async () => {
  const { subject } = await read(`Subject: ${"Re: ".repeat(500)}${"🖨".repeat(10_000)}\r\n\r\nHello`);
  expect(subject).toMatch(/^Re: 🖨+…$/u);
  expect([...subject]).toHaveLength(200);
});

test("references keep the first, which is ours, and the last", async () => {
  const ids = Array.from({ length: 500 }, (_, index) => `<${index}@b.example>`);
  const { references } = await read(`${HEAD}References: ${ids.join("\r\n ")}\r\n\r\nHello`);
  expect(references).toHaveLength(100);
  expect([references[0], references.at(-1)]).toEqual([ids[0], ids.at(-1)]);
});

test("of 60 files 50 are kept, and it is known how many were not", async () => {
  const part = '--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename="a.csv"\r\n\r\n1\r\n';
  const mail = await read(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(60)}--b--`);
  expect([mail.files.length, mail.droppedFiles]).toEqual([50, 10]);
});

test("256 kB of a text are kept, never half a character", async () => {
  const mail = await read(
    `${HEAD}Content-Type: text/plain; charset=utf-8\r\n\r\n${`${"ü🖨".repeat(20)}\n`.repeat(8000)}`,
  );
  expect(mail.isTextCut).toBe(true);
  expect(encode(mail.text).length).toBeLessThanOrEqual(256 * 1024);
  expect(encode(mail.text).length).toBeGreaterThan(256 * 1024 - 4);
  expect(mail.text).not.toContain("\ufffd");
});

describe("what would take the parser a multiple of the mail's size is read to the point where it would:", () => {
  test.each([
    ["two million empty lines", withFile("\n".repeat(2_000_000), "7bit")],
    [
      "two million empty parts",
      `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\n\n".repeat(2_000_000)}`,
    ],
    ["a base64 line of padding", withFile("A=".repeat(4_000_000))],
    ["10 MB of base64, four characters a line", withFile("AAAA\n".repeat(2_000_000))],
    ["a long log in plain text", withFile("2026-11-24 09:12:31 sshd[12]: accepted\n".repeat(200_000), "8bit")],
    ["9 MB of text in one line", `${HEAD}\r\n${"See the file. ".repeat(650_000)}`],
  ])("%s", async (_, text) => {
    const mail = await read(text);
    expect([mail.subject, mail.isLarge]).toEqual(["Hello", true]);
  });
});

describe("no text takes more than linear time:", () => {
  const size = 64 * 1024;
  test.each([
    ["empty lines", "\n"],
    ["the beginning of a quote line in English", "On a, "],
    ["the beginning of a quote line in Dutch", "Op \n"],
    ["words that end a quote line", "schrieb schreef wrote "],
    ["a sender that no header block follows", "From: a <a@b.example>\n"],
    ["quotes", "> a\nb\n"],
    ["nested quotes", ">"],
    ["spaces", " "],
    ["rulers", "_____\n"],
    ["dashes", "-----"],
    ["colons", "wrote:\n"],
  ])("%s", (_, part) => {
    const text = part.repeat(size / part.length);
    expect(trimQuote({ text: `Hello\n${text}x` }).text).toContain("Hello");
  });

  test.each([
    ["open elements", "<b>"],
    ["open elements and others that close", "<b></i>"],
    ["links in one line", '<a href="https://a.example/b">c</a>'],
    ["lists", "<ul><li>"],
    ["quotes", "<blockquote type=cite>"],
    ["spaces that do not break", "&nbsp;"],
    ["brackets", "<"],
    ["comments", "<!--"],
  ])("HTML: %s", (_, part) => {
    expect(htmlToText(`<p>Hello</p>${part.repeat(524_288 / part.length)}x`).text).toContain("Hello");
  });

  test.each([
    ["encoded words that join", "=?utf-8?B?QUFB?= "],
    ["encoded words that begin", "=?utf-8?Q?"],
    ["question marks", "=?"],
    ["addresses", "a@b.example, "],
    ["groups", "a:"],
    ["comments", "("],
    ["quotes", '"'],
    ["brackets", "<"],
    ["prefixes", "Re:"],
  ])("a header of %s", async (_, part) => {
    const value = part.repeat(60_000 / part.length);
    const mail = await read(`Subject: ${value}\r\nFrom: ${value}\r\nReferences: ${value}\r\n\r\nHello`);
    expect(mail.text).toBe("Hello");
  });
});
