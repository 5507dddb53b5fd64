import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyDkim } from "~/features/inbound-mail/verify-dkim.server";
import { signMail } from "../../support/sign-mail";
import { SIGNED_EXAMPLES } from "../../support/signed-examples";

const NOW = Date.parse("2026-11-24T15:00:00Z");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const weak = generateKeyPairSync("rsa", { modulusLength: 512 });
const ed25519 = generateKeyPairSync("ed25519");

const der = (pair: { publicKey: typeof rsa.publicKey }) => pair.publicKey.export({ type: "spki", format: "der" });
const rsaRecord = (pair: typeof rsa) => `v=DKIM1; k=rsa; p=${der(pair).toString("base64")}`;
const RSA = rsaRecord(rsa);
const ED25519 = `v=DKIM1; k=ed25519; p=${der(ed25519).subarray(-32).toString("base64")}`;

const MAIL = [
  "From: Dana Whitlock <dana@acme.example>",
  "To: Support\r\n\t <support@help.wrenfield.example>",
  "Subject: Printer   offline \t",
  "X-Other: 1",
  "",
  "Hello,  the printer \t",
  "is offline. ",
  "",
  "",
].join("\r\n");

type Given = { from?: string; records?: string[] | Error; hasSeveralSenders?: boolean };

const verify = (mail: string, { from = "dana@acme.example", records = [RSA], hasSeveralSenders = false }: Given = {}) =>
  verifyDkim(
    { raw: new Uint8Array(Buffer.from(mail, "latin1")), from, hasSeveralSenders },
    async () => {
      if (records instanceof Error) throw records;
      return records;
    },
    NOW,
  );

const ACME = { key: rsa.privateKey, domain: "acme.example" };
const FAIL = { result: "fail", domain: "acme.example" };
const ALIGNED = { result: "aligned", domain: "acme.example" };

describe("a mail signed by the domain of its sender is aligned:", () => {
  test.each([
    "simple/simple",
    "simple/relaxed",
    "relaxed/simple",
    "relaxed/relaxed",
    "relaxed",
    "simple",
  ])("%s", async (canonicalization) => {
    const signed = signMail(MAIL, { ...ACME, canonicalization });
    expect(await verify(signed)).toEqual(ALIGNED);
    const withEd25519 = signMail(MAIL, { ...ACME, key: ed25519.privateKey, canonicalization });
    expect(await verify(withEd25519, { records: [ED25519] })).toEqual(ALIGNED);
  });

  test.each([
    "",
    "\r\n",
    "\r\n\r\n",
    " \r\n",
    "text without an end",
    "\r\n\r\ntext",
  ])("with the body %j", async (body) => {
    const mail = `${MAIL.slice(0, MAIL.indexOf("\r\n\r\n"))}\r\n\r\n${body}`;
    for (const canonicalization of ["simple/simple", "relaxed/relaxed"]) {
      expect(await verify(signMail(mail, { ...ACME, canonicalization }))).toEqual(ALIGNED);
    }
  });

  test("the key is asked for at the selector of the domain", async () => {
    const asked: string[] = [];
    const raw = new Uint8Array(Buffer.from(signMail(MAIL, { ...ACME, selector: "s1.2026" }), "latin1"));
    const lookUp = async (name: string) => [asked.push(name) ? RSA : ""];
    await verifyDkim({ raw, from: "dana@acme.example", hasSeveralSenders: false }, lookUp, NOW);
    expect(asked).toEqual(["s1.2026._domainkey.acme.example"]);
  });

  test("a record may hold other texts, and stand among others", async () => {
    expect(
      await verify(signMail(MAIL, ACME), {
        records: ["v=spf1 -all", `n=note; t=s; s=email; h=sha1:sha256; ${RSA.slice(9)}`],
      }),
    ).toEqual(ALIGNED);
  });
});

test.each(SIGNED_EXAMPLES)("the example of RFC 8463 is verified, signed with $algorithm", async ({ mail, record }) => {
  const given = { from: "joe@football.example.com", records: [record] };
  expect(await verify(mail, given)).toEqual({ result: "aligned", domain: "football.example.com" });
});

describe("a mail that was changed after it was signed is invalid:", () => {
  const signed = signMail(MAIL, ACME);
  test.each([
    ["another word", signed.replace("printer \t", "scanner \t")],
    ["a line below", `${signed}P.S. transfer the money\r\n`],
    ["another subject", signed.replace("Subject: Printer", "Subject: Scanner")],
    ["another sender", signed.replace("dana@acme", "sam@acme")],
    ["another name for the sender", signed.replace("Dana Whitlock", "Sam Whitlock")],
    ["a later expiry in the signature", signed.replace("v=1;", "v=1; x=9999999999;")],
  ])("%s", async (_, mail) => {
    expect(mail).not.toBe(signed);
    expect(await verify(mail)).toEqual(FAIL);
  });

  test("what was not signed may change", async () => {
    expect(await verify(signed.replace("X-Other: 1", "X-Other: 2"))).toEqual(ALIGNED);
  });

  test("relaxed lets blanks and folding change, simple does not", async () => {
    const refold = (mail: string) =>
      mail.replace("To: Support\r\n\t <", "to:  Support <").replace("Hello,  ", "Hello, ");
    expect(await verify(refold(signed))).toEqual(ALIGNED);
    expect(await verify(refold(signMail(MAIL, { ...ACME, canonicalization: "simple/simple" })))).toEqual(FAIL);
  });
});

describe("a second sender that is not signed never passes:", () => {
  const signed = signMail(MAIL, ACME);
  test.each([
    ["above", `From: Sam <sam@acme.example>\r\n${signed}`],
    ["below", signed.replace("X-Other: 1", "From: Sam <sam@acme.example>")],
    ["with a blank before the colon", signed.replace("X-Other: 1", "From : Sam <sam@acme.example>")],
    ["with a mark before its name", signed.replace("X-Other: 1", "\u00a0From: Sam <sam@acme.example>")],
  ])("%s", async (_, mail) => {
    expect(await verify(mail)).toEqual({ result: "fail" });
  });

  test("in the same header, though it is signed", async () => {
    const two = signMail(MAIL.replace("<dana@acme.example>", "<dana@acme.example>, eve@evil.example"), ACME);
    expect(await verify(two, { hasSeveralSenders: true })).toEqual({ result: "fail" });
  });

  test("signing a header that is not there forbids to add it", async () => {
    const guarded = signMail(MAIL, { ...ACME, headers: ["from", "to", "date", "subject", "reply-to"] });
    expect(await verify(guarded)).toEqual(ALIGNED);
    expect(await verify(`Reply-To: eve@evil.example\r\n${guarded}`)).toEqual(FAIL);
  });
});

describe("a signature is refused where", () => {
  test.each<[string, Partial<Parameters<typeof signMail>[1]>]>([
    ["only a part of the text is signed", { tags: { l: "10" } }],
    ["it has expired", { tags: { x: String(NOW / 1000 - 1) } }],
    ["its expiry is no time", { tags: { x: "tomorrow" } }],
    ["the sender is not signed", { headers: ["to", "subject", "date"] }],
    ["the date is not signed", { headers: ["from", "to", "subject"] }],
    ["the hash is SHA-1", { tags: { a: "rsa-sha1" } }],
    ["the version is unknown", { tags: { v: "2" } }],
    ["the identity is of another domain", { tags: { i: "@evil.example" } }],
    ["the canonicalization is unknown", { tags: { c: "nofws" } }],
    ["the key is asked for elsewhere", { tags: { q: "http/get" } }],
    ["the selector is no name", { selector: "a/../b?c" }],
  ])("%s", async (_, changes) => {
    expect(await verify(signMail(MAIL, { ...ACME, ...changes }))).toEqual(FAIL);
  });

  test.each([
    ["there is no key", []],
    ["the key was revoked", ["v=DKIM1; p="]],
    ["the key is another", [ED25519]],
    ["the key is no key", ["v=DKIM1; k=rsa; p=AAAA"]],
    ["the key is for another use", [RSA.replace("k=rsa", "k=rsa; s=tlsrpt")]],
    ["the key is not for SHA-256", [RSA.replace("k=rsa", "k=rsa; h=sha1")]],
    ["the domain only tests", [RSA.replace("k=rsa", "k=rsa; t=y")]],
    ["the record is of another version", [RSA.replace("DKIM1", "DKIM2")]],
  ])("%s", async (_, records) => {
    expect(await verify(signMail(MAIL, ACME), { records })).toEqual(FAIL);
  });

  test("the key is shorter than 1024 bits", async () => {
    expect(await verify(signMail(MAIL, { ...ACME, key: weak.privateKey }), { records: [rsaRecord(weak)] })).toEqual(
      FAIL,
    );
  });

  test("a tag stands twice", async () => {
    const twice = signMail(MAIL, ACME).replace("d=acme.example;", "d=acme.example; d=evil.example;");
    expect(await verify(twice)).toEqual({ result: "fail" });
  });
});

test("a mail without a signature has none, and one whose key nobody could look up may be tried again", async () => {
  expect(await verify(MAIL)).toEqual({ result: "none" });
  const result = await verify(signMail(MAIL, ACME), { records: new Error("timeout") });
  expect(result).toEqual({ result: "temperror", domain: "acme.example" });
});

test("what another server claims to have found is not read", async () => {
  const claimed = `Authentication-Results: mx.wrenfield.example; dkim=pass header.d=acme.example\r\n${MAIL}`;
  expect(await verify(claimed)).toEqual({ result: "none" });
});

describe("the signing domain vouches for senders of its own and of names below it:", () => {
  test.each([
    ["acme.example", "dana@acme.example", "aligned"],
    ["ACME.example", "dana@acme.example", "aligned"],
    ["acme.example", "dana@mail.acme.example", "aligned"],
    ["mail.acme.example", "dana@acme.example", "other_domain"],
    ["acme.example", "dana@notacme.example", "other_domain"],
    ["acme.example", "dana@acme.example.evil.test", "other_domain"],
    ["mailer.test", "dana@acme.example", "other_domain"],
    ["co.uk", "dana@acme.co.uk", "other_domain"],
    ["com.au", "dana@acme.com.au", "other_domain"],
  ])("%s for %s: %s", async (domain, from, result) => {
    const mail = signMail(MAIL.replace("dana@acme.example", from), { ...ACME, domain });
    expect(await verify(mail, { from })).toEqual({ result, domain: domain.toLowerCase() });
  });

  test("a top-level domain signs for nobody", async () => {
    expect(await verify(signMail(MAIL, { ...ACME, domain: "example" }))).toEqual({ result: "fail" });
  });
});

describe("of several signatures", () => {
  test("one that is aligned and valid is enough", async () => {
    const foreign = signMail(signMail(MAIL, ACME), { ...ACME, domain: "mailer.test" });
    expect(await verify(foreign)).toEqual(ALIGNED);
    const broken = signMail(signMail(MAIL, ACME), { ...ACME, tags: { bh: "AAAA" } });
    expect(await verify(broken)).toEqual(ALIGNED);
  });

  test("no more than five are looked up", async () => {
    const names: string[] = [];
    let mail = MAIL;
    for (let at = 0; at < 20; at++) mail = signMail(mail, { ...ACME, domain: `d${at}.test` });
    const raw = new Uint8Array(Buffer.from(mail, "latin1"));
    await verifyDkim(
      { raw, from: "dana@acme.example", hasSeveralSenders: false },
      async (name) => {
        names.push(name);
        return [];
      },
      NOW,
    );
    expect(names).toHaveLength(5);
  });
});
