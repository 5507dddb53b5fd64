import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onRemoteDatabase, remoteRows } from "./deployed-site.mjs";
import { runTool } from "./toolchain.mjs";

/**
 * Returns the deployed database, or that of a named environment, as wrangler lets an operator reach it. Every function
 * throws what wrangler says when a call fails.
 */
export function remoteDatabase(env) {
  const run = (args) => runTool("wrangler", args, { env: { CI: "1", NO_COLOR: "1" } });
  const timeTravel = (args) => ["d1", "time-travel", ...args, "--json", ...(env ? ["--env", env] : [])];

  async function wrangler(args, failed) {
    const { code, output } = await run(args);
    if (code !== 0) throw new Error(`${failed}\n${output}`);
    return output;
  }

  return {
    expectSignedIn: () =>
      wrangler(
        ["whoami", "--json"],
        "Not signed in to Cloudflare: run `npx wrangler login` or set CLOUDFLARE_API_TOKEN.",
      ),

    /** Returns the bookmark of the database as it is, or as it was at a time. */
    async bookmarkAt(at) {
      const when = at === undefined ? [] : [`--timestamp=${new Date(at).toISOString()}`];
      const failed = "No bookmark of the database, so nothing was changed:";
      const output = await wrangler(timeTravel(["info", "DB", ...when]), failed);
      const bookmark = /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
      if (!bookmark) throw new Error(`${failed}\n${output}`);
      return bookmark;
    },

    /** Puts the database back to a bookmark. With `--json` wrangler does not ask. */
    travelTo: (bookmark) =>
      wrangler(timeTravel(["restore", "DB", `--bookmark=${bookmark}`]), "The database could not be restored:"),

    query: (sql) => remoteRows({ run, env }, sql),

    /** Runs statements from one file: all of them or, if one fails, none. */
    async execute(statements, failed) {
      const folder = mkdtempSync(join(tmpdir(), "wrenfield-"));
      const file = join(folder, "statements.sql");
      try {
        writeFileSync(file, `${statements.join(";\n")};\n`, { mode: 0o600 });
        await wrangler([...onRemoteDatabase(env), "--yes", "--file", file], failed);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}
