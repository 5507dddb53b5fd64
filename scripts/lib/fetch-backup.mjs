import { createHash } from "node:crypto";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isObjectName, MANIFEST_NAME } from "~/features/backup/model";
import { wholeBackups } from "./restore-backup.mjs";

const ATTEMPTS = 3;
const AT_ONCE = 4;

/**
 * Fetches what a site has and a folder lacks. Each file gets its name when all of it is there and is what the site
 * said, and the manifest of a backup comes last: a fetch that was cut off goes on, also within a file, and leaves no
 * half of a backup. `newest`: of those that the site knows.
 *
 * @returns {Promise<{ files: number, bytes: number, newest: string }>}
 */
export async function fetchBackups({ from, key, to, print }) {
  const origin = originOf(from);
  if (!key) throw new Error("BACKUP_FETCH_KEY is not set: it is the key that the site has under this name.");
  const site = { origin, headers: { Authorization: `Bearer ${key}` } };
  const listed = await listAll(site);
  const newest = listed.findLast(({ name }) => name.endsWith(MANIFEST_NAME))?.name.split("/")[0];
  if (!newest) throw new Error(`${origin} has no backup yet. Settings → Advanced there says why.`);
  const missing = listed
    .filter(({ name, size }) => sizeOf(join(to, name)) !== size)
    .sort((one, other) => Number(one.name.endsWith(MANIFEST_NAME)) - Number(other.name.endsWith(MANIFEST_NAME)));
  const bytes = missing.reduce((sum, { size }) => sum + size, 0);
  expectRoom(to, bytes);
  print(`Fetching ${missing.length} of ${listed.length} files, ${Math.ceil(bytes / 1e6)} MB …`);
  const manifests = missing.filter(({ name }) => name.endsWith(MANIFEST_NAME));
  for (const group of [missing.slice(0, missing.length - manifests.length), manifests]) await fetchAll(site, to, group);
  // A site never takes its newest backup away.
  for (const id of wholeBackups(to).filter((id) => id > newest))
    print(`${id} is of a state that was undone: the site went back. To restore what it is now, name ${newest}.`);
  return { files: missing.length, bytes, newest };
}

/** Tells a site that the backup was restored and opened. */
export async function reportProof({ from, key, backup, rows, ms }) {
  const body = new URLSearchParams({ backup, rows: String(rows), ms: String(Math.max(1, Math.round(ms))) });
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${originOf(from)}/backups`, { method: "POST", headers, body });
  if (response.status !== 204) throw new Error(await refusalOf(response));
}

function originOf(from) {
  const url = URL.canParse(from) ? new URL(from) : null;
  const isLocal = url?.protocol === "http:" && ["localhost", "127.0.0.1"].includes(url.hostname);
  if (url?.protocol !== "https:" && !isLocal) throw new Error(`${from} is not the https address of a site.`);
  return url.origin;
}

const sizeOf = (path) => (existsSync(path) ? statSync(path).size : null);

const refusalOf = async (response) =>
  /^text\/plain/.test(response.headers.get("Content-Type") ?? "")
    ? (await response.text()).trim()
    : `${response.url} answered ${response.status}.`;

async function listAll({ origin, headers }) {
  const listed = [];
  for (let after = ""; after !== null; ) {
    const response = await fetch(`${origin}/backups?${new URLSearchParams({ after })}`, { headers });
    if (response.status !== 200) throw new Error(await refusalOf(response));
    const { objects, next } = await response.json();
    // What a site says must not lead out of the folder.
    listed.push(...objects.filter(({ name }) => isObjectName(name)));
    after = next;
  }
  return listed;
}

function expectRoom(to, bytes) {
  mkdirSync(to, { recursive: true });
  const { bavail, bsize } = statfsSync(to);
  if (bavail * bsize < bytes)
    throw new Error(`There is no room for it: ${Math.ceil(bytes / 1e6)} MB are needed in ${to}.`);
}

async function fetchAll(site, to, objects) {
  const waiting = [...objects];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await fetchOne(site, to, next);
  };
  const works = Array.from({ length: AT_ONCE }, () =>
    work().catch((error) => {
      waiting.length = 0;
      throw error;
    }),
  );
  // All of them have ended before anybody is told, so that none still writes.
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (failed) throw failed.reason;
}

async function fetchOne(site, to, object) {
  const path = join(to, object.name);
  const part = `${path}.part`;
  mkdirSync(dirname(path), { recursive: true });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await fetchRest(site, part, object);
      renameSync(part, path);
      return;
    } catch (error) {
      if (error.code === "ENOSPC") rmSync(part, { force: true });
      if (attempt === ATTEMPTS || error.code === "ENOSPC") throw error;
    }
  }
}

/** Goes on with what is there of the file. */
async function fetchRest({ origin, headers }, part, { name, size, md5 }) {
  const had = sizeOf(part) ?? 0;
  const range = had > 0 && had < size ? { Range: `bytes=${had}-`, "If-Range": `"${md5}"` } : {};
  const response = await fetch(`${origin}/backups/${name}`, { headers: { ...headers, ...range } });
  if (![200, 206].includes(response.status)) throw new Error(await refusalOf(response));
  const isRest = response.status === 206;
  const digest = createHash("md5");
  let length = isRest ? had : 0;
  if (isRest) for await (const bytes of createReadStream(part)) digest.update(bytes);
  const measured = new Transform({
    transform(bytes, _, done) {
      digest.update(bytes);
      length += bytes.length;
      done(null, bytes);
    },
  });
  const written = createWriteStream(part, { flags: isRest ? "a" : "w", mode: 0o600 });
  await pipeline(Readable.fromWeb(response.body), measured, written);
  // The store knows no sum of what it was given in several pieces.
  if (length === size && (!/^[0-9a-f]{32}$/.test(md5) || digest.digest("hex") === md5)) return;
  rmSync(part);
  throw new Error(`${name} did not arrive as it is there.`);
}
