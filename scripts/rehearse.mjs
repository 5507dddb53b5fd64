/*
 * npm run rehearse -- DIR --identity KEYFILE [--backup ID] [--keep]
 *
 * Tries this version on a backup: restores the newest one of DIR, or the one that is named, into a scratch folder of
 * this checkout with everything replaced that names people, brings it to this version, starts the product on it and
 * asks it what a deployment and a drill ask. No mail leaves. The keys of the site that was backed up are not needed.
 * `--keep` leaves the folder, and says how to open it.
 */
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureLocalSecrets, localSecrets } from "./lib/local-secrets.mjs";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { lockState } from "./lib/locks.mjs";
import { migrationFiles } from "./lib/migrations.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { withProduct } from "./lib/running-product.mjs";
import { inRoot } from "./lib/toolchain.mjs";

const SCRATCH = inRoot(".wrangler", "rehearsal");
const STATE = join(SCRATCH, "state");
const text = { type: "string" };

const shutDown = await onProjectNode(import.meta.url);
let exitCode = 0;
try {
  const { values, positionals } = parseArgs({
    options: { identity: text, backup: text, keep: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  if (!positionals[0] || !values.identity) throw new Error("npm run rehearse -- DIR --identity KEYFILE");
  await rehearseOn(resolve(positionals[0]), values);
} catch (error) {
  console.error(`The version is not rehearsed. ${error.message}`);
  exitCode = 1;
}
await shutDown(exitCode);

async function rehearseOn(folder, { identity: file, backup: id, keep }) {
  const started = performance.now();
  const { findBackup, openBackup, readIdentity, restoreInto } = await import("./lib/restore-backup.mjs");
  const { personalDataReplacer } = await import("./lib/replace-personal-data.mjs");
  const { addVisitors, rehearse } = await import("./lib/rehearsal.mjs");
  const identity = readIdentity(file);
  const migrations = migrationFiles(inRoot("migrations"));
  const known = { identity, keys: null, migrations };
  await openBackup(folder, findBackup(folder, id), known);
  takeScratch(keep);
  const replace = personalDataReplacer();
  const restored = await restoreInto(STATE, { folder, id, ...known, replace, now: Date.now, print: console.log });
  const { rows, manifest, migrated } = restored;
  const figures = `${rows.toLocaleString("en-US")} rows and ${manifest.files.count.toLocaleString("en-US")} files`;
  console.log(`Restored ${figures} in ${inSeconds(restored.duration)}, with what names people replaced.`);
  console.log(
    migrated.names.length > 0
      ? `${migrated.names.join(", ")} ran in ${inSeconds(migrated.duration)}.`
      : "No migration had to run.",
  );
  ensureLocalSecrets();
  const database = await openLocalDatabase(STATE);
  const visitors = addVisitors(database, localSecrets(), Date.now());
  database.close();
  console.log("Starting the product on it …");
  try {
    await withProduct({ STATE_DIR: STATE, SEED: "none" }, async (origin, _, said) => {
      for (const line of await rehearse(origin, visitors, { said, print: console.log })) console.log(line);
    });
  } finally {
    if (keep) sayHowToOpen(visitors.staff);
  }
  console.log(await capturedMails());
  const time = inSeconds(performance.now() - started);
  console.log(`Rehearsed: this version runs on the backup ${manifest.id}, seen in ${time}.`);
}

/** Takes the scratch folder for this command alone, and empties it of what a run that was killed has left there. */
function takeScratch(keep) {
  const remedy = "Stop it first.";
  lockState(SCRATCH, remedy);
  if (existsSync(STATE)) lockState(STATE, remedy);
  for (const path of [STATE, `${STATE}.unfinished`]) rmSync(path, { recursive: true, force: true });
  process.once("exit", () => {
    if (!keep || !existsSync(STATE)) rmSync(SCRATCH, { recursive: true, force: true });
  });
}

function sayHowToOpen({ email, password, totp }) {
  console.log(`It is kept. To open it:\nSTATE_DIR=${STATE} npm start`);
  console.log(
    `Sign in at /auth?redirectTo=/admin as ${email} with ${password}, and an authenticator with the secret ${totp}.`,
  );
}

async function capturedMails() {
  const database = await openLocalDatabase(STATE);
  const { count } = database.prepare("select count(*) as count from captured_mails").get();
  database.close();
  return `${count} mails were captured, and none has left.`;
}

function inSeconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
