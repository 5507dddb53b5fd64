/*
 * npm run restore:bookmark -- <bookmark> [--yes] [--env staging]
 *
 * Puts the deployed database back to a bookmark (Time Travel of D1, 30 days), which takes the right to deploy: it says
 * what will be lost, asks, restores, records the restore in the audit, and ends all sessions. A run that was
 * interrupted is started again with the same bookmark and goes on. `--already-restored` only records what was restored
 * by hand; `--again` goes back to a bookmark to which the database went back before. The local database has no
 * bookmarks.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { productionProblem } from "./lib/production-settings.mjs";
import { remoteDatabase } from "./lib/remote-database.mjs";
import { inRoot } from "./lib/toolchain.mjs";

await onProjectNode(import.meta.url);
try {
  const flag = { type: "boolean", default: false };
  const { values, positionals } = parseArgs({
    options: { yes: flag, again: flag, "already-restored": flag, env: { type: "string" } },
    allowPositionals: true,
  });
  const problem = await productionProblem(values.env);
  if (problem) throw new Error(problem);
  // Holds what an interrupted run has to know of the state before.
  const notes = inRoot(".wrangler", values.env ? `restore-${values.env}.json` : "restore.json");
  const { restoreDatabase } = await import("./lib/database-restore.mjs");
  await restoreDatabase(
    { bookmark: positionals[0], again: values.again, isRestored: values["already-restored"], env: values.env },
    {
      database: remoteDatabase(values.env),
      notes: {
        read: () => readNotes(notes),
        write: (text) => writeNotes(notes, text),
        remove: () => rmSync(notes, { force: true }),
      },
      confirm: values.yes ? async () => undefined : confirm,
      migrations: readdirSync(inRoot("migrations")).filter((name) => name.endsWith(".sql")),
      print: console.log,
      now: Date.now,
    },
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function readNotes(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function writeNotes(file, notes) {
  mkdirSync(inRoot(".wrangler"), { recursive: true });
  writeFileSync(file, JSON.stringify(notes));
}

async function confirm() {
  if (!process.stdin.isTTY) throw new Error("Nobody can be asked here: add --yes.");
  const question = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await question.question("Type restore to go on: ");
  question.close();
  if (answer.trim() !== "restore") throw new Error("Nothing was changed.");
}
