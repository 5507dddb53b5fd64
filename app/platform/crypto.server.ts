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

/*
 * Everything cryptographic, with nothing but Node's own functions, so that commands run outside the worker (seeding,
 * recovery) use this very file. Keys arrive as base64 text of at least 32 bytes; each purpose derives its own key.
 */

/** A key for one purpose. The purpose is part of the derivation: a key leaked for one opens nothing else. */
function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", Buffer.from(secret, "base64"), "", purpose, 32));
}

/** 32 random bytes as 43 base64url characters: session ids, links, challenges. */
export const newToken = (): string => randomBytes(32).toString("base64url");

/** How a token is stored: only its SHA-256. Tokens are random, so a fast hash is enough. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = createHash("sha256").update(left).digest();
  const b = createHash("sha256").update(right).digest();
  return timingSafeEqual(a, b);
}

/** A keyed hash of 43 characters for one purpose: signatures, and stand-ins for personal data. */
export function keyedHash(secret: string, purpose: string, text: string): string {
  return createHmac("sha256", deriveKey(secret, purpose)).update(text).digest("base64url");
}

/**
 * Seals text with AES-256-GCM. `context` names the row it belongs to (`user_mfa_settings:totp_secret:<user id>`) and is
 * authenticated with it, so a sealed value cannot be moved to another row. Format: `v1.<key id>.<iv>.<ciphertext+tag>`.
 */
export function seal(secret: string, context: string, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, "seal/v1"), iv);
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return `v1.1.${iv.toString("base64url")}.${sealed.toString("base64url")}`;
}

/** Opens what `seal` closed. Throws when key, context or text are not the ones it was sealed with. */
export function open(secret: string, context: string, sealed: string): string {
  const [version, , iv, body] = sealed.split(".");
  if (version !== "v1" || !iv || !body) throw new Error("Unknown format of a sealed value");
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, "seal/v1"), Buffer.from(iv, "base64url"));
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(0, -16), undefined, "utf8") + decipher.final("utf8");
}

/**
 * scrypt at N=2^14, r=8, p=5: a row of the OWASP table (16 MiB). The runtime refuses N·r·p over 2^20, and PBKDF2 over
 * 100,000 iterations throws in production though it passes locally, so neither may be raised or swapped lightly.
 */
export const PASSWORD_PARAMETERS = { ln: 14, r: 8, p: 5 } as const;

type ScryptParameters = { ln: number; r: number; p: number };

const MAX_COST = 2 ** 20;
const MAX_MEMORY = 32 * 1024 * 1024;

function slowHash(password: string, salt: Buffer, { ln, r, p }: ScryptParameters): Buffer {
  const N = 2 ** ln;
  return scryptSync(password.normalize("NFKC"), salt, 32, { N, r, p, maxmem: 64 * 1024 * 1024 });
}

const peppered = (pepper: string, hash: Buffer) =>
  createHmac("sha256", deriveKey(pepper, "password/v1")).update(hash).digest("base64url");

/**
 * The stored form of a password: `$scrypt-hmac$ln=14,r=8,p=5,k=1$<salt>$<mac>`. Takes about a tenth of a second of CPU,
 * during which the isolate does nothing else: call it through the hash queue only.
 */
export function hashPassword(pepper: string, password: string): string {
  const salt = randomBytes(16);
  const { ln, r, p } = PASSWORD_PARAMETERS;
  const mac = peppered(pepper, slowHash(password, salt, PASSWORD_PARAMETERS));
  return `$scrypt-hmac$ln=${ln},r=${r},p=${p},k=1$${salt.toString("base64url")}$${mac}`;
}

/** A salt for `hashBackupCode`: one per set of codes. */
export const newSalt = (): string => randomBytes(16).toString("base64url");

/**
 * How a backup code is stored. 40 bits of chance and a limit on attempts need less than a password: about a twentieth
 * of its work. Still not free, so it goes through the hash queue too.
 */
export const hashBackupCode = (pepper: string, code: string, salt: string): string =>
  createHmac("sha256", deriveKey(pepper, "backup-code/v1"))
    .update(slowHash(code, Buffer.from(salt, "base64url"), { ln: 12, r: 8, p: 1 }))
    .digest("base64url");

/** Verified against when there is no such account, so that it costs what a wrong password costs. */
const NOBODY = "$scrypt-hmac$ln=14,r=8,p=5,k=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/**
 * Whether the password is the stored one. `stored` null means that there is no account: same work, always false.
 * Parameters are read from the stored text, but a damaged row may not stall the isolate: excessive ones are refused.
 */
export function verifyPassword(pepper: string, password: string, stored: string | null): boolean {
  const match = /^\$scrypt-hmac\$ln=(\d+),r=(\d+),p=(\d+),k=1\$([\w-]+)\$([\w-]{43})$/.exec(stored ?? NOBODY);
  if (!match) return false;
  const parameters = { ln: Number(match[1]), r: Number(match[2]), p: Number(match[3]) };
  const N = 2 ** parameters.ln;
  if (N * parameters.r * parameters.p > MAX_COST || 128 * N * parameters.r > MAX_MEMORY) return false;
  const mac = peppered(pepper, slowHash(password, Buffer.from(match[4] ?? "", "base64url"), parameters));
  return equalInConstantTime(mac, match[5] ?? "") && stored !== null;
}
