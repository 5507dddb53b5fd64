/*
 * npm run rehearse -- DIR --identity KEYFILE [--backup ID] [--keep]
 * npm run rehearse -- DIR --identity KEYFILE [--backup ID] --env NAME [--keys FILE]
 *
 * Tries this version on a backup: restores the newest one of DIR, or the one that is named, into a scratch folder of
 * this checkout with everything replaced that names people, brings it to this version, starts the product on it and
 * asks it what a deployment and a drill ask. No mail leaves. The keys of the site that was backed up are not needed.
 * `--keep` leaves the folder, and says how to open it. `--env` does it in an environment of wrangler.toml that mails
 * nobody, at Cloudflare; `--keys` are the keys of that environment, with which it signs in there.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildApp } from "./lib/build-app.mjs";
import { pause } from "./lib/child-process.mjs";
import { ensureLocalSecrets, localSecrets } from "./lib/local-secrets.mjs";
import { migrationFiles, openLocalDatabase } from "./lib/local-state.mjs";
import { alone, lockState, withLock } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { withProduct } from "./lib/running-product.mjs";
import { inRoot } from "./lib/toolchain.mjs";
import { runWrangler } from "./lib/wrangler.mjs";

const SCRATCH = inRoot(".wrangler", "rehearsal");
const STATE = join(SCRATCH, "state");
const text = { type: "string" };
const flags = {
  options: { identity: text, backup: text, env: text, keys: text, keep: { type: "boolean", default: false } },
  allowPositionals: true,
  failure: "The version is not rehearsed. ",
};

await runCommand(import.meta.url, flags, async (values, [folder]) => {
  if (!folder || !values.identity) throw new Error("npm run rehearse -- DIR --identity KEYFILE");
  if (values.env === undefined) await rehearseOn(resolve(folder), values);
  else await alone(() => rehearseAt(resolve(folder), values));
});

async function rehearseOn(folder, { identity: file, backup: id, keep }) {
  const started = performance.now();
  const { findBackup, openBackup, readIdentity, restoreInto } = await import("./lib/restore-backup.mjs");
  const { personalDataReplacer } = await import("./lib/replace-personal-data.mjs");
  const { makeVisitors, rehearse } = await import("./lib/rehearsal.mjs");
  const identity = readIdentity(file);
  const known = { identity, keys: null, migrations: migrationFiles() };
  await openBackup(folder, findBackup(folder, id), known);
  takeScratch(keep);
  const replace = personalDataReplacer();
  const restored = await restoreInto(STATE, { folder, id, ...known, replace });
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
  const visitors = makeVisitors(database, localSecrets(), Date.now());
  database.exec(`begin; ${visitors.statements.join(";")}; commit`);
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

async function rehearseAt(folder, { identity, backup: id, env, keys }) {
  const { readIdentity } = await import("./lib/restore-backup.mjs");
  const { personalDataReplacer } = await import("./lib/replace-personal-data.mjs");
  const { rehearseAtCloudflare } = await import("./lib/state-for-cloudflare.mjs");
  const { lookAround } = await import("./lib/rehearsal.mjs");
  const scratch = inRoot(".wrangler", "rehearsal-elsewhere");
  const files = { settings: inRoot("wrangler.toml"), migrations: inRoot("migrations") };
  const world = {
    ...{ run: runWrangler, print: console.log, fetch, clock: { now: Date.now, wait: pause }, files, env, scratch },
    ...{ flags: {}, ask: null, lookAround, build: () => withLock(() => buildApp({ appEnv: "production" })) },
  };
  const { manifest, rows, migration, origin, lines } = await rehearseAtCloudflare(world, {
    ...{ folder, id, identity: readIdentity(identity), migrations: migrationFiles(files.migrations) },
    ...{ keys: keys && JSON.parse(readFileSync(keys, "utf8")), replace: personalDataReplacer(), now: Date.now },
  });
  for (const line of lines) console.log(line);
  console.log(`Rehearsed: ${origin} runs this version on the ${rows.toLocaleString("en-US")} rows of ${manifest.id}.`);
  console.log(`Migrated there from ${migration}, with what names people replaced. No mail leaves it.`);
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
