/*
 * npm run admin:recover -- someone@example.org [--remote]
 *
 * For the last administrator who has lost their second factor: removes it and prints a link, good once for 24 hours,
 * with which they set up a new one at their next sign-in. They still need their password. Works on the local database
 * (the server must be stopped); with --remote on the deployed one, which takes the right to deploy. Both leave an audit
 * event. Two people should agree on it, because the link stands for the second factor.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openLocalDatabase } from "./lib/local-state.mjs";
import { onProjectNode } from "./lib/on-project-node.mjs";
import { lockState } from "./lib/state-in-use.mjs";
import { runTool } from "./lib/toolchain.mjs";
import { withLock } from "./lib/with-lock.mjs";

await onProjectNode(import.meta.url);
try {
  const { values, positionals } = parseArgs({ options: { remote: { type: "boolean" } }, allowPositionals: true });
  const [email] = positionals;
  if (!email?.includes("@")) throw new Error("Name the account, for example: npm run admin:recover -- you@example.org");
  const { recoveryFor } = await import("./lib/admin-recovery.mjs");
  const recovery = recoveryFor(email, Date.now());
  if (values.remote) await recoverRemotely(recovery);
  else {
    lockState();
    await withLock(() => recoverLocally(recovery));
  }
  const origin = process.env.APP_ORIGIN || `http://localhost:${process.env.PORT || 8787}`;
  console.log(`Set-up link for ${recovery.email}, good once for 24 hours:\n${origin}${recovery.path}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function recoverLocally({ find, statements }) {
  const database = await openLocalDatabase();
  try {
    if (!database.prepare(find).get()) throw new Error("There is no administrator with that address.");
    database.exec("begin immediate");
    for (const statement of statements) database.exec(statement);
    database.exec("commit");
  } finally {
    database.close();
  }
}

/** Runs the same statements through wrangler. Where nobody has that address they change nothing. */
async function recoverRemotely({ statements }) {
  const folder = mkdtempSync(join(tmpdir(), "admin-recover-"));
  const file = join(folder, "recover.sql");
  try {
    writeFileSync(file, `${statements.join(";\n")};\n`, { mode: 0o600 });
    const { code, output } = await runTool("wrangler", ["d1", "execute", "DB", "--remote", "--yes", "--file", file]);
    if (code !== 0) throw new Error(`The recovery could not be carried out:\n${output}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
