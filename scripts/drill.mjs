/*
 * npm run drill [-- DIR --identity KEYFILE [--from https://…]]
 *
 * Proves that a backup can be restored: makes a new state from it in a scratch folder, starts the product on it, signs
 * in, opens the newest ticket and the newest file of one, and takes the folder away again. Without DIR it backs the
 * local data up first, for a key of its own. The keys of the site are those of this checkout (`.dev.vars`). No mail
 * leaves, and nothing of the local data is changed. `--from` fetches into DIR first what the site has, with the key in
 * BACKUP_FETCH_KEY, and tells the site that the restore is proven.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { localSecrets } from "./lib/local-secrets.mjs";
import { migrationFiles, openLocalDatabase } from "./lib/local-state.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { withProduct } from "./lib/running-product.mjs";

const text = { type: "string" };
const flags = { options: { identity: text, from: text }, allowPositionals: true };
const failure = "The restore is not proven. ";

await runCommand(import.meta.url, { ...flags, failure }, async ({ identity, from }, [folder]) => {
  if (from && !folder) throw new Error("Name a folder: npm run drill -- DIR --identity KEYFILE --from https://…");
  if (folder && !identity) throw new Error("Name the key: npm run drill -- DIR --identity KEYFILE");
  const { readIdentity, restoreInto } = await import("./lib/restore-backup.mjs");
  const { expectIntact, makeVisitor, visit } = await import("./lib/drill.mjs");
  const { fetchBackups, reportProof } = await import("./lib/fetch-backup.mjs");
  const key = process.env.BACKUP_FETCH_KEY;
  const id = from ? (await fetchBackups({ from, key, to: resolve(folder), print: console.log })).newest : undefined;
  const keys = localSecrets();
  const scratch = mkdtempSync(join(tmpdir(), "wrenfield-drill-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const backup = folder
    ? { folder: resolve(folder), id, identity: readIdentity(identity) }
    : await newBackup(join(scratch, "backups"), keys);
  const state = join(scratch, "state");
  const restored = await restoreInto(state, { ...backup, keys, migrations: migrationFiles() });
  const database = await openLocalDatabase(state);
  expectIntact(database, keys);
  const visitor = makeVisitor(database, keys, Date.now());
  database.exec(`begin; ${visitor.statements.join(";")}; commit`);
  database.close();
  console.log("Starting the product on it …");
  await withProduct({ STATE_DIR: state, SEED: "none" }, async (origin) => {
    for (const line of await visit(origin, visitor)) console.log(line);
  });
  const { manifest, rows, duration } = restored;
  const time = `${Math.round(duration / 1000)} s`;
  if (from) await reportProof({ from, key, backup: manifest.id, rows, ms: duration });
  console.log(`Proven: the backup ${manifest.id} restores, ${rows.toLocaleString("en-US")} rows in ${time}.`);
});

async function newBackup(folder, keys) {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const { backUpLocally } = await import("./lib/write-backup.mjs");
  const identity = await generateX25519Identity();
  console.log("Backing up the local data …");
  await backUpLocally({ recipient: await identityToRecipient(identity), keys, to: folder });
  return { folder, identity };
}
