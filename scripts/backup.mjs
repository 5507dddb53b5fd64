/*
 * npm run backup -- --to DIR [--from https://…]
 * npm run backup -- --new-key FILE
 *
 * Writes a backup of the local data into a folder, sealed for the key in BACKUP_PUBLIC_KEY (`age1…`). The server may
 * run meanwhile. `--new-key` makes a key: the file is its private half, which belongs on paper and on a machine that
 * the site cannot reach, and the public one is printed. `--from` fetches the nightly backups of a site, those that the
 * folder lacks, with the key in BACKUP_FETCH_KEY.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { localSecrets } from "./lib/local-secrets.mjs";
import { runCommand } from "./lib/on-project-node.mjs";

const text = { type: "string" };

await runCommand(import.meta.url, { options: { to: text, from: text, "new-key": text } }, async (values) => {
  const started = performance.now();
  const inSeconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (values["new-key"]) await makeKey(values["new-key"]);
  else if (values.from && values.to) await fetchFrom(values.from, resolve(values.to), inSeconds);
  else if (values.to) await backUp(resolve(values.to), inSeconds);
  else throw new Error("Name a folder: npm run backup -- --to DIR");
});

async function makeKey(file) {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: "wx" });
  console.log(`${file} is the private half. Keep it where the site cannot read it, and a copy on paper.`);
  console.log(`BACKUP_PUBLIC_KEY=${recipient}`);
}

async function backUp(to, inSeconds) {
  const keys = localSecrets();
  const recipient = process.env.BACKUP_PUBLIC_KEY || keys.BACKUP_PUBLIC_KEY;
  if (!recipient?.startsWith("age1")) {
    throw new Error("BACKUP_PUBLIC_KEY is not set. `npm run backup -- --new-key FILE` makes a key and prints it.");
  }
  const { backUpLocally } = await import("./lib/write-backup.mjs");
  const { id, counts, files } = await backUpLocally({ recipient, keys, to });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(`Backup ${id} in ${to}: ${rows} rows and ${files.count} files, ${inSeconds()}`);
}

async function fetchFrom(from, to, inSeconds) {
  const { fetchBackups } = await import("./lib/fetch-backup.mjs");
  const key = process.env.BACKUP_FETCH_KEY;
  const { files, bytes, newest } = await fetchBackups({ from, key, to, print: console.log });
  const fetched = `${files} new files, ${bytes} bytes, ${inSeconds()}`;
  console.log(`${to} has all of ${from}, the newest backup ${newest}: ${fetched}`);
}
