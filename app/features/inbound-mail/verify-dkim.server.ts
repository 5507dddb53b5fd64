import { Buffer } from "node:buffer";
import { domainOf } from "~/lib/email";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { lookUpDns } from "~/platform/dns.server";
import type { Signature } from "./model";

type DkimResult = {
  result: Signature;
  /** Who signed, or claims to have. */
  domain?: string;
};

/** Returns the TXT records of a name, none where it does not exist. Throws where nobody could say. */
type LookUpTxt = (name: string) => Promise<string[]>;

type SignedMail = {
  raw: Uint8Array;
  /** The address of the sender that is shown and acted on. */
  from: string;
  hasSeveralSenders: boolean;
};

const SIGNATURES_MAX = 5;

/** Verifies DKIM signatures (RFC 6376, RFC 8463). What other servers wrote about them into the mail is not read. */
export async function verifyDkim(mail: SignedMail, lookUp: LookUpTxt, now: Instant): Promise<DkimResult> {
  const { fields, body } = splitMail(mail.raw);
  const signatures = fields.filter(({ name }) => name === "dkim-signature").slice(0, SIGNATURES_MAX);
  if (signatures.length === 0) return { result: "none" };
  // A signature covers one of two senders, and a reader may be shown the other.
  const senders = fields.filter(({ name }) => name.replace(/[^a-z-]/g, "") === "from");
  if (senders.length !== 1 || mail.hasSeveralSenders) return { result: "fail" };
  if (["date", "subject", "to"].some((once) => fields.filter(({ name }) => name === once).length > 1)) {
    return { result: "fail" };
  }

  const fromDomain = domainOf(mail.from);
  const results: DkimResult[] = [];
  for (const field of signatures) {
    const tags = readTags(field.value);
    const domain = tags?.get("d")?.toLowerCase();
    if (!tags || !domain || !isDomain(domain)) {
      results.push({ result: "fail" });
      continue;
    }
    const state = await verifySignature({ fields, body, field, tags, domain, lookUp, now });
    const aligned = isAligned(domain, fromDomain);
    if (state === "pass") results.push({ result: aligned ? "aligned" : "other_domain", domain });
    // Of a foreign signature it would change nothing to know more.
    else if (state === "fail" || aligned) results.push({ result: state, domain });
    if (state === "pass" && aligned) break;
  }
  const best = (["aligned", "temperror", "other_domain", "fail"] as const).flatMap(
    (result) => results.find((each) => each.result === result) ?? [],
  );
  return best[0] ?? { result: "temperror" };
}

/**
 * Relaxed alignment without a list of public suffixes: the signing domain is that of the sender or above it. A domain
 * below it never counts, though DMARC lets it: who was given one name of a company would sign for all of it.
 */
function isAligned(signing: string, from: string): boolean {
  if (signing === from) return true;
  return from.endsWith(`.${signing}`) && signing.includes(".") && !PUBLIC_SUFFIX.test(signing);
}

/** Matches names like co.uk, below which strangers own domains. Whoever signs as one of them vouches for none. */
const PUBLIC_SUFFIX =
  /^(ac|asn|co|com|edu|firm|gen|go|gob|gov|govt|gouv|gv|id|ind|info|ltd|mil|ne|net|nhs|nom|or|org|plc|sch|web)\.[a-z]{2}$/;

const isDomain = (name: string): boolean => name.length <= 253 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i.test(name);
const isSelector = (name: string): boolean => name.length <= 200 && /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(name);

type Field = { name: string; raw: string; value: string };

/** Header fields as they stand in the mail, one character for each byte, without the line end behind them. */
function splitMail(raw: Uint8Array): { fields: Field[]; body: Uint8Array } {
  let bodyAt = raw.length;
  let headersEnd = raw.length;
  for (let start = 0; start < raw.length; ) {
    const newline = raw.indexOf(10, start);
    const next = newline < 0 ? raw.length : newline + 1;
    if (raw[start] === 10 || (raw[start] === 13 && raw[start + 1] === 10)) {
      headersEnd = start;
      bodyAt = next;
      break;
    }
    start = next;
  }
  const lines = latin1(raw.subarray(0, headersEnd)).split(/\r?\n/);
  const folded: string[][] = [];
  for (const line of lines) {
    if (/^[ \t]/.test(line) && folded.length > 0) folded.at(-1)?.push(line);
    else if (line !== "") folded.push([line]);
  }
  const fields = folded.map((parts) => {
    const whole = parts.join("\r\n");
    const colon = whole.indexOf(":");
    const name = whole.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    return { name, raw: whole, value: whole.slice(colon + 1) };
  });
  return { fields, body: raw.subarray(bodyAt) };
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"));
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64"));

/** Returns nothing where a tag stands twice or is no tag: the whole list is void then. */
function readTags(list: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  for (const part of list.split(";")) {
    if (part.trim() === "") continue;
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (!/^[a-z]\w*$/i.test(name) || tags.has(name)) return null;
    const value = part
      .slice(equals + 1)
      .replace(/\s+/g, " ")
      .trim();
    tags.set(name, value);
  }
  return tags;
}

const withoutSpace = (text: string | undefined): string => (text ?? "").replace(/\s+/g, "");

type SignedFields = {
  fields: readonly Field[];
  body: Uint8Array;
  field: Field;
  tags: Map<string, string>;
  domain: string;
  lookUp: LookUpTxt;
  now: Instant;
};

type Canonicalization = "simple" | "relaxed";

async function verifySignature(signature: SignedFields): Promise<"pass" | "fail" | "temperror"> {
  const { fields, body, field, tags, domain, lookUp, now } = signature;
  const algorithm = tags.get("a")?.toLowerCase();
  const selector = tags.get("s") ?? "";
  const signed = withoutSpace(tags.get("h")).toLowerCase().split(":");
  const [forHeaders, forBody = "simple"] = (tags.get("c") ?? "simple").toLowerCase().split("/");
  const expires = Number(tags.get("x") ?? Number.POSITIVE_INFINITY) * 1000;
  const isUsable =
    tags.get("v") === "1" &&
    (algorithm === "rsa-sha256" || algorithm === "ed25519-sha256") &&
    isSelector(selector) &&
    isCanonicalization(forHeaders) &&
    isCanonicalization(forBody) &&
    (tags.get("q") ?? "dns/txt").split(":").some((query) => query.trim() === "dns/txt") &&
    ["from", "to", "date"].every((name) => signed.includes(name)) &&
    // A length would let anybody add to the text below what was signed.
    !tags.has("l") &&
    now <= expires &&
    isIdentityIn(domain, tags.get("i"));
  if (!isUsable) return "fail";

  const hash = await crypto.subtle.digest("SHA-256", canonicalBody(body, forBody));
  if (Buffer.from(hash).toString("base64") !== withoutSpace(tags.get("bh"))) return "fail";

  let records: string[];
  try {
    records = await lookUp(`${selector}._domainkey.${domain}`);
  } catch {
    return "temperror";
  }
  const key = await readKey(records, algorithm, domain, tags.get("i"));
  if (!key) return "fail";
  const data = bytesOf(canonicalHeaders(fields, field, signed, forHeaders));
  // Ed25519 signs the hash of what RSA signs, see RFC 8463.
  const message = algorithm === "ed25519-sha256" ? await crypto.subtle.digest("SHA-256", data) : data;
  try {
    const isValid = await crypto.subtle.verify(
      key.algorithm.name,
      key,
      fromBase64(withoutSpace(tags.get("b"))),
      message,
    );
    return isValid ? "pass" : "fail";
  } catch {
    return "fail";
  }
}

const isCanonicalization = (name: string | undefined): name is Canonicalization =>
  name === "simple" || name === "relaxed";

function isIdentityIn(domain: string, identity: string | undefined): boolean {
  if (identity === undefined) return true;
  const own = domainOf(identity);
  return own === domain || own.endsWith(`.${domain}`);
}

const RSA_BITS_MIN = 1024;

async function readKey(
  records: readonly string[],
  algorithm: "rsa-sha256" | "ed25519-sha256",
  domain: string,
  identity: string | undefined,
): Promise<CryptoKey | null> {
  const type = algorithm === "rsa-sha256" ? "rsa" : "ed25519";
  for (const record of records) {
    const tags = readTags(record);
    const flags = listOf(tags?.get("t"));
    const isUsable =
      tags &&
      (tags.get("v") ?? "DKIM1") === "DKIM1" &&
      (tags.get("k") ?? "rsa").toLowerCase() === type &&
      (!tags.has("h") || listOf(tags.get("h")).includes("sha256")) &&
      (!tags.has("s") || listOf(tags.get("s")).some((service) => service === "*" || service === "email")) &&
      // Who still tests says nothing by signing.
      !flags.includes("y") &&
      (!flags.includes("s") || identity === undefined || identity.toLowerCase().endsWith(`@${domain}`));
    const bytes = isUsable ? fromBase64(withoutSpace(tags.get("p"))) : null;
    if (!bytes || bytes.length === 0) continue;
    try {
      const key =
        type === "rsa"
          ? await crypto.subtle.importKey("spki", bytes, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, [
              "verify",
            ])
          : await crypto.subtle.importKey("raw", bytes, { name: "Ed25519" }, false, ["verify"]);
      const bits = (key.algorithm as { modulusLength?: number }).modulusLength ?? RSA_BITS_MIN;
      if (bits >= RSA_BITS_MIN) return key;
    } catch {
      // Not a key: the next record may be one.
    }
  }
  return null;
}

const listOf = (value: string | undefined): string[] => withoutSpace(value).toLowerCase().split(":").filter(Boolean);

/** Each name takes the lowest field of that name that is left, and nothing where there is none. */
function canonicalHeaders(
  fields: readonly Field[],
  signature: Field,
  signed: readonly string[],
  canonicalization: Canonicalization,
): string {
  const left = new Map<string, Field[]>();
  for (const field of fields) {
    const same = left.get(field.name);
    if (same) same.push(field);
    else left.set(field.name, [field]);
  }
  const chosen = signed.flatMap((name) => left.get(name)?.pop() ?? []);
  const unsigned = signature.value.replace(/((?:^|;)\s*b\s*=)[^;]*/, "$1");
  const own = {
    ...signature,
    value: unsigned,
    raw: `${signature.raw.slice(0, signature.raw.indexOf(":"))}:${unsigned}`,
  };
  return [...chosen, own].map((field) => canonicalField(field, canonicalization)).join("\r\n");
}

const canonicalField = ({ name, value, raw }: Field, canonicalization: Canonicalization): string =>
  canonicalization === "simple"
    ? raw
    : `${name}:${value
        .replace(/\r\n/g, "")
        .replace(/[ \t]+/g, " ")
        .replace(/^ | $/g, "")}`;

const CR = 13;
const LF = 10;
const SPACE = 32;
const TAB = 9;

/** Ends each line with CRLF and leaves out empty lines at the end. Relaxed: blanks are one space, none at line ends. */
function canonicalBody(body: Uint8Array, canonicalization: Canonicalization): Uint8Array<ArrayBuffer> {
  const isRelaxed = canonicalization === "relaxed";
  // Line ends may be written LF: at most each byte becomes two.
  const out = new Uint8Array(body.length + countOf(body, LF) + 2);
  let length = 0;
  let emptyLines = 0;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(LF, start);
    let end = newline < 0 ? body.length : newline;
    const next = newline < 0 ? body.length : newline + 1;
    if (end > start && body[end - 1] === CR && newline >= 0) end--;
    const lineAt = length + 2 * emptyLines;
    const lineEnd = isRelaxed ? writeRelaxed(body, start, end, out, lineAt) : writeAll(body, start, end, out, lineAt);
    if (lineEnd === lineAt) emptyLines++;
    else {
      for (; emptyLines > 0; emptyLines--) length = writeLineEnd(out, length);
      length = writeLineEnd(out, lineEnd);
    }
    start = next;
  }
  if (length === 0 && !isRelaxed) length = writeLineEnd(out, 0);
  return out.subarray(0, length);
}

function countOf(bytes: Uint8Array, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) count++;
  return count;
}

function writeLineEnd(out: Uint8Array, at: number): number {
  out[at] = CR;
  out[at + 1] = LF;
  return at + 2;
}

function writeAll(body: Uint8Array, start: number, end: number, out: Uint8Array, at: number): number {
  out.set(body.subarray(start, end), at);
  return at + end - start;
}

function writeRelaxed(body: Uint8Array, start: number, end: number, out: Uint8Array, from: number): number {
  let at = from;
  let isSpaceDue = false;
  for (let index = start; index < end; index++) {
    const byte = body[index] ?? 0;
    if (byte === SPACE || byte === TAB) {
      isSpaceDue = true;
      continue;
    }
    if (isSpaceDue) out[at++] = SPACE;
    isSpaceDue = false;
    out[at++] = byte;
  }
  return at;
}

export const txtRecords =
  (ctx: Pick<Ctx, "config" | "log" | "now">): LookUpTxt =>
  async (host) => {
    const answer = await lookUpDns(ctx, { host, type: "TXT" });
    if (answer.found === null) throw new Error(answer.problem);
    return answer.found;
  };
