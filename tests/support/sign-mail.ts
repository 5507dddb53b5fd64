import { createHash, type KeyObject, sign } from "node:crypto";

type Signing = {
  key: KeyObject;
  domain: string;
  selector?: string;
  canonicalization?: string;
  headers?: string[];
  /** Tags that the signature has besides or instead. */
  tags?: Record<string, string>;
};

const relaxedLine = (line: string) => line.replace(/[ \t]+/g, " ").replace(/ $/, "");

const canonicalBody = (body: string, isRelaxed: boolean): string => {
  const lines = body.split("\r\n").map((line) => (isRelaxed ? relaxedLine(line) : line));
  const text = lines.join("\r\n").replace(/(\r\n)+$/, "");
  if (text === "") return isRelaxed ? "" : "\r\n";
  return `${text}\r\n`;
};

const canonicalField = (field: string, isRelaxed: boolean): string => {
  if (!isRelaxed) return field;
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replace(/\r\n/g, "");
  return `${field.slice(0, colon).trim().toLowerCase()}:${relaxedLine(value).trim()}`;
};

/** Puts a DKIM signature (RFC 6376) above a mail, as a mail server would: written apart from what verifies it. */
export function signMail(mail: string, signing: Signing): string {
  const { key, domain, selector = "mail", canonicalization = "relaxed/relaxed", tags = {} } = signing;
  const [head = "", ...rest] = mail.split("\r\n\r\n");
  const [forHeaders, forBody] = canonicalization.split("/");
  const fields = head.split(/\r\n(?![ \t])/);
  const names = signing.headers ?? ["from", "to", "subject", "date"];
  const isRsa = key.asymmetricKeyType === "rsa";
  const bodyHash = createHash("sha256").update(canonicalBody(rest.join("\r\n\r\n"), forBody === "relaxed"), "latin1");
  const all = {
    ...{ v: "1", a: isRsa ? "rsa-sha256" : "ed25519-sha256", c: canonicalization, d: domain, s: selector },
    ...{ h: names.join(":"), bh: bodyHash.digest("base64") },
    ...tags,
  };
  const list = Object.entries(all).map(([name, value]) => `${name}=${value};`);
  const unsigned = `DKIM-Signature: ${list.join("\r\n ")}\r\n b=`;
  const left = [...fields];
  const chosen = names.flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  const text = [...chosen, unsigned].map((field) => canonicalField(field, forHeaders === "relaxed")).join("\r\n");
  const data = Buffer.from(text, "latin1");
  const signature = isRsa ? sign("sha256", data, key) : sign(null, createHash("sha256").update(data).digest(), key);
  const folded = signature.toString("base64").replace(/.{60}/g, "$&\r\n  ");
  return `${unsigned}${folded}\r\n${mail}`;
}
