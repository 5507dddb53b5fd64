import { Buffer } from "node:buffer";
import { afterEach, expect, test, vi } from "vitest";
import { type ParsedMail, parseMail } from "~/features/inbound-mail/parse-mail.server";
import { txtRecords, verifyDkim } from "~/features/inbound-mail/verify-dkim.server";
import { testContext } from "../../support/context";
import { SIGNED_EXAMPLES } from "../../support/signed-examples";

const ctx = testContext();
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

async function read(text: string): Promise<ParsedMail> {
  const body = bytesOf(text);
  const result = await parseMail({ body: new Blob([body]).stream(), size: body.length });
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

/** Stands for the resolver: answers each name once, because answers are remembered. */
function resolver(answer: () => Response | Promise<Response>) {
  return vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer());
}

afterEach(() => vi.restoreAllMocks());

test.each([
  ["koi8-r", "7sUg0MXewdTBxdQu", "Не печатает."],
  ["iso-2022-jp", "GyRCRjAkLSReJDskcyEjGyhC", "動きません。"],
  ["windows-1252", "R3L832UgliBEYW5h", "Grüße – Dana"],
  ["utf-8", "R3LDvMOfZQ==", "Grüße"],
])("the worker's runtime reads mails in %s", async (charset, content, text) => {
  const head = `From: dana@brightsmile.example\r\nContent-Type: text/plain; charset=${charset}\r\n`;
  const mail = await read(`${head}Content-Transfer-Encoding: base64\r\n\r\n${content}\r\n`);
  expect(mail.text).toBe(text);
});

test.each(
  SIGNED_EXAMPLES,
)("it verifies what was signed with $algorithm, by keys that it asks a resolver for", async (example) => {
  const data = `"${example.record.slice(0, 100)}" "${example.record.slice(100)}"`;
  const asked = resolver(() =>
    Response.json({
      Status: 0,
      Answer: [
        { type: 5, data: "elsewhere." },
        { type: 16, data },
      ],
    }),
  );
  const mail = await read(example.mail);
  const signed = {
    raw: bytesOf(example.mail),
    from: mail.from?.address ?? "",
    hasSeveralSenders: mail.hasSeveralSenders,
  };
  expect(await verifyDkim(signed, txtRecords(ctx), ctx.now())).toEqual({
    verdict: "aligned",
    domain: "football.example.com",
  });
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a resolver that fails is no answer, and one that knows no such name is", async () => {
  resolver(() => Response.json({ Status: 3 }));
  expect(await txtRecords(ctx)("gone._domainkey.acme.example")).toEqual([]);
  resolver(() => Response.json({ Status: 2 }));
  await expect(txtRecords(ctx)("broken._domainkey.acme.example")).rejects.toThrow("SERVFAIL");
  resolver(() => Promise.reject(new Error("down")));
  await expect(txtRecords(ctx)("down._domainkey.acme.example")).rejects.toThrow("no answer");
});

test("a mail of 9 MiB is read inside the worker's memory", async () => {
  const head =
    "From: dana@brightsmile.example\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n";
  const mail = await read(`${head}\r\n${`${"A".repeat(76)}\r\n`.repeat(120_000)}`);
  expect(mail.files.map(({ bytes }) => bytes.length)).toEqual([6_840_000]);
});
