/*
 * npm run restore:bookmark -- <bookmark> [--yes] [--env staging]
 *
 * Puts the deployed database back to a bookmark (Time Travel of D1, 30 days), which takes the right to deploy: it says
 * what will be lost, asks, restores, records the restore in the audit, and ends all sessions. A run that was
 * interrupted is started again with the same bookmark and goes on. `--already-restored` only records what was restored
 * by hand; `--again` goes back to a bookmark to which the database went back before. The local database has no
 * bookmarks.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { askAtTerminal } from "./lib/deployment-questions.mjs";
import { migrationFiles } from "./lib/local-state.mjs";
import { alone } from "./lib/locks.mjs";
import { runCommand } from "./lib/on-project-node.mjs";
import { inRoot } from "./lib/toolchain.mjs";
import { deployedSite, remoteDatabase } from "./lib/wrangler.mjs";

const flag = { type: "boolean", default: false };
const flags = {
  options: { yes: flag, again: flag, "already-restored": flag, env: { type: "string" } },
  allowPositionals: true,
};

await runCommand(import.meta.url, flags, (values, [bookmark]) => alone(() => restore(bookmark, values)));

async function restore(bookmark, { yes, again, "already-restored": isRestored, env: named }) {
  const site = await deployedSite(named);
  // Holds what an interrupted run has to know of the state before.
  const notes = inRoot(".wrangler", site.env ? `restore-${site.env}.json` : "restore.json");
  const { restoreDatabase } = await import("./lib/database-restore.mjs");
  await restoreDatabase(
    { bookmark, again, isRestored, env: site.env },
    {
      database: remoteDatabase(site),
      notes: {
        read: () => readNotes(notes),
        write: (state) => writeFileSync(notes, JSON.stringify(state)),
        remove: () => rmSync(notes, { force: true }),
      },
      confirm: yes ? async () => undefined : confirm,
      migrations: migrationFiles(),
      print: console.log,
      now: Date.now,
    },
  );
}

function readNotes(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

async function confirm() {
  if (!process.stdin.isTTY) throw new Error("Nobody can be asked here: add --yes.");
  if ((await askAtTerminal("Type restore to go on")).trim() !== "restore") throw new Error("Nothing was changed.");
}
