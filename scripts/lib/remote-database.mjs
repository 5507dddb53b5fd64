/*
 * The deployed database, as wrangler lets an operator reach it. Every function throws what wrangler says when a call
 * fails.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool } from "./toolchain.mjs";

async function wrangler(args, failed) {
  const { code, output } = await runTool("wrangler", args, { env: { CI: "1", NO_COLOR: "1" } });
  if (code !== 0) throw new Error(`${failed}\n${output}`);
  return output;
}

export async function expectSignedIn() {
  const failed = "Not signed in to Cloudflare: run `npx wrangler login` or set CLOUDFLARE_API_TOKEN.";
  await wrangler(["whoami", "--json"], failed);
}

/** Returns the bookmark of the database as it is, or as it was at a time. */
export async function bookmarkOfDatabase(at) {
  const when = at === undefined ? [] : [`--timestamp=${new Date(at).toISOString()}`];
  const failed = "No bookmark of the database, so nothing was changed:";
  const output = await wrangler(["d1", "time-travel", "info", "DB", "--json", ...when], failed);
  const bookmark = /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
  if (!bookmark) throw new Error(`${failed}\n${output}`);
  return bookmark;
}

/** Puts the database back to a bookmark. With `--json` wrangler does not ask. */
export const travelTo = (bookmark) =>
  wrangler(
    ["d1", "time-travel", "restore", "DB", `--bookmark=${bookmark}`, "--json"],
    "The database could not be restored:",
  );

/** Runs a query and returns its rows. */
export async function queryRemotely(query) {
  const failed = "The database could not be read:";
  const output = await wrangler(["d1", "execute", "DB", "--remote", "--yes", "--json", "--command", query], failed);
  // Warnings may stand before it.
  const json = /^\[\s*$[\s\S]*?^\]\s*$/m.exec(output)?.[0];
  if (!json) throw new Error(`${failed}\n${output}`);
  return JSON.parse(json)[0].results;
}

/** Runs statements from one file: all of them or, if one fails, none. */
export async function executeRemotely(statements, failed) {
  const folder = mkdtempSync(join(tmpdir(), "wrenfield-"));
  const file = join(folder, "statements.sql");
  try {
    writeFileSync(file, `${statements.join(";\n")};\n`, { mode: 0o600 });
    await wrangler(["d1", "execute", "DB", "--remote", "--yes", "--file", file], failed);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
