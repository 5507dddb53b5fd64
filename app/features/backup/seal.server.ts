import { createHash } from "node:crypto";
import { Decrypter, Encrypter } from "age-encryption";
import { keyedHash } from "~/platform/crypto.server";
import {
  type BackupFile,
  type BackupRow,
  type ChangedRow,
  FINGERPRINTED,
  type Fingerprints,
  type PageEntry,
  pageName,
  ROWS_FORMAT,
  type RowsHeader,
} from "./model";

/** Only functions of Node and of the web: scripts outside the worker import it too. */

function encrypterFor(recipient: string): Encrypter {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter;
}

/** `identity`: the text of a key file, with its comments. */
export function decrypterFor(identity: string): Decrypter {
  const decrypter = new Decrypter();
  const keys = identity.split("\n").map((line) => line.trim());
  for (const key of keys.filter((line) => line.startsWith("AGE-SECRET-KEY-"))) decrypter.addIdentity(key);
  return decrypter;
}

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const bytesOf = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(stream).arrayBuffer());

export const seal = (recipient: string, bytes: Uint8Array): Promise<Uint8Array> =>
  encrypterFor(recipient).encrypt(bytes);

/** Returns the sealed stream and its size. `size`: of what is sealed. */
export async function sealStream(recipient: string, bytes: ReadableStream<Uint8Array>, size: number) {
  const sealed = await encrypterFor(recipient).encrypt(bytes);
  return { sealed, size: sealed.size(size) };
}

/** Null: there is none, or what stands there is no public key of age. */
export function backupRecipient({ BACKUP_PUBLIC_KEY: text }: { BACKUP_PUBLIC_KEY?: string }): string | null {
  try {
    if (!text?.startsWith("age1")) return null;
    encrypterFor(text);
    return text;
  } catch {
    return null;
  }
}

type Line = RowsHeader | BackupRow | BackupFile | ChangedRow;
type SealedPage = { entry: PageEntry; sealed: Uint8Array };

export async function sealPage(
  recipient: string,
  { table, number, schema }: { table: string; number: number; schema: string },
  rows: readonly Line[],
): Promise<SealedPage> {
  const header: RowsHeader = { format: ROWS_FORMAT, table, schema };
  const lines = new TextEncoder().encode([header, ...rows].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const packed = new Blob([lines]).stream().pipeThrough(new CompressionStream("gzip"));
  return {
    entry: { name: pageName(table, number), table, rows: rows.length, bytes: lines.length, sha256: sha256(lines) },
    sealed: await seal(recipient, await bytesOf(packed)),
  };
}

/** Throws what a person can act on when it is not the page that the manifest tells of. */
export async function openPage(identity: string, entry: PageEntry, sealed: Uint8Array): Promise<string[]> {
  const { name, bytes } = entry;
  const packed = await decrypterFor(identity)
    .decrypt(sealed)
    .catch(() => {
      throw new Error(`${name} is damaged or was sealed for another key.`);
    });
  const lines = await bytesOf(
    new Blob([packed as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip")),
  );
  if (lines.length !== bytes || sha256(lines) !== entry.sha256)
    throw new Error(`${name} is not the one of this backup.`);
  const [header = "", ...rows] = new TextDecoder().decode(lines).trimEnd().split("\n");
  const { format, table } = JSON.parse(header) as RowsHeader;
  if (format !== ROWS_FORMAT || table !== entry.table || rows.length !== entry.rows) {
    throw new Error(`${name} does not hold what the manifest says.`);
  }
  return rows;
}

export const fingerprintsOf = (keys: Partial<Record<(typeof FINGERPRINTED)[number], string>>): Fingerprints =>
  Object.fromEntries(
    FINGERPRINTED.flatMap((name) => {
      const key = keys[name];
      return key ? [[name, keyedHash(key, "backup-fingerprint/v1", name)]] : [];
    }),
  );

/** Of the tables and their columns: of what the rows are, whichever way the database was made. */
export const schemaHash = (columns: Record<string, readonly string[]>): string => {
  const sorted = Object.keys(columns)
    .sort()
    .map((name) => [name, columns[name]]);
  return sha256(new TextEncoder().encode(JSON.stringify(sorted)));
};
