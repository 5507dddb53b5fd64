import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from "node:crypto";

/** Only functions of Node: scripts outside the worker import it too. Secrets are base64 of at least 32 bytes. */

const derivedKeys = new Map<string, Buffer>();

/** HKDF (RFC 5869): a leaked key is useless for other purposes. Kept, as each page with a form needs some. */
function deriveKey(secret: string, purpose: string): Buffer {
  const name = `${purpose} ${secret}`;
  const key = derivedKeys.get(name) ?? Buffer.from(hkdfSync("sha256", Buffer.from(secret, "base64"), "", purpose, 32));
  derivedKeys.set(name, key);
  return key;
}

export const newToken = (): string => randomBytes(32).toString("base64url");

export const fingerprintOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export const hashOfBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex").slice(0, 32);

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

export function equalInConstantTime(left: string, right: string): boolean {
  const a = createHash("sha256").update(left).digest();
  const b = createHash("sha256").update(right).digest();
  return timingSafeEqual(a, b);
}

/** Returns a keyed hash (HMAC) of 43 characters for one purpose: for signatures and pseudonyms of personal data. */
export function keyedHash(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", deriveKey(secret, purpose)).update(text).digest("base64url");
}

/** What a link or a form says, with the signature of one purpose: nobody else can make it. */
export const signed = (secret: string, purpose: string, text: string): string =>
  `${text}.${keyedHash(secret, purpose, text)}`;

/** Returns what was signed; null: it was not, or for another purpose. */
export function readSigned(secret: string, purpose: string, given: string): string | null {
  const text = given.slice(0, Math.max(0, given.lastIndexOf(".")));
  return equalInConstantTime(given, signed(secret, purpose, text)) ? text : null;
}

/**
 * `context` names the row and is authenticated with it, so that a value copied to another row cannot be decrypted.
 * Format: `v1.<key id>.<iv>.<ciphertext+tag>`.
 */
export function encrypt(secret: string, context: string, text: string, keyId = "1"): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, "seal/v1"), iv);
  cipher.setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.${keyId}.${iv.toString("base64url")}.${encrypted.toString("base64url")}`;
}

export const keyIdOf = (encrypted: string): string | null => /^v1\.(\w+)\./.exec(encrypted)?.[1] ?? null;

/** Throws when the key, the context or the text is not the original one. */
export function decrypt(secret: string, context: string, encrypted: string): string {
  const [version, , iv, body] = encrypted.split(".");
  if (version !== "v1" || !iv || !body) throw new Error("Unknown format of an encrypted value");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, "seal/v1"), Buffer.from(iv, "base64url"));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
}

/**
 * N=2^14, r=8, p=5, from the OWASP Password Storage Cheat Sheet (16 MiB). The runtime rejects N·r·p over 2^20. PBKDF2
 * with more than 100,000 iterations throws in production, though it works locally.
 */
export const PASSWORD_PARAMETERS: ScryptParameters = { ln: 14, r: 8, p: 5 };

type ScryptParameters = { ln: number; r: number; p: number };

const MAX_COST = 2 ** 20;
const MAX_MEMORY = 32 * 1024 * 1024;

function slowHash(password: string, salt: Buffer, { ln, r, p }: ScryptParameters): Buffer {
  const N = 2 ** ln;
  return scryptSync(password.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 64 * 1024 * 1024 });
}

const peppered = (pepper: string, hash: Buffer) =>
  createHmac("sha256", deriveKey(pepper, "password/v1")).update(hash).digest("base64url");

/** About 0.1 seconds of CPU time, which blocks the isolate: call it through the hash queue only. */
export function hashPassword(pepper: string, password: string): string {
  const salt = randomBytes(16);
  return storedPassword(salt.toString("base64url"), peppered(pepper, slowHash(password, salt, PASSWORD_PARAMETERS)));
}

function storedPassword(salt: string, mac: string): string {
  const { ln, r, p } = PASSWORD_PARAMETERS;
  return `$scrypt-hmac$ln=${ln},r=${r},p=${p},k=1$${salt}$${mac}`;
}

export const BACKUP_CODE_PARAMETERS: ScryptParameters = { ln: 12, r: 8, p: 1 };

export const newSalt = (): string => randomBytes(16).toString("base64url");

/** It still blocks the isolate: call it through the hash queue only. */
export const hashBackupCode = (pepper: string, code: string, salt: string): string =>
  createHmac("sha256", deriveKey(pepper, "backup-code/v1"))
    .update(slowHash(code, Buffer.from(salt, "base64url"), BACKUP_CODE_PARAMETERS))
    .digest("base64url");

/** Replaces the hash of an account that does not exist, so that the response takes as long as for a wrong password. */
const dummyHash = () => storedPassword("A".repeat(22), "A".repeat(43));

/** `stored` null: no account, but the same work. Cost parameters over the limits would block the isolate: false. */
export function isPassword(pepper: string, password: string, stored: string | null): boolean {
  const match = /^\$scrypt-hmac\$ln=(\d+),r=(\d+),p=(\d+),k=1\$([\w-]+)\$([\w-]{43})$/.exec(stored ?? dummyHash());
  if (!match) return false;
  const parameters = { ln: Number(match[1]), r: Number(match[2]), p: Number(match[3]) };
  const N = 2 ** parameters.ln;
  if (N * parameters.r * parameters.p > MAX_COST || 128 * N * parameters.r > MAX_MEMORY) return false;
  const mac = peppered(pepper, slowHash(password, Buffer.from(match[4] ?? "", "base64url"), parameters));
  return equalInConstantTime(mac, match[5] ?? "") && stored !== null;
}
