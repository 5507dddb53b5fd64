/*
 * Asks and changes what is deployed, by the command line of wrangler. A site is `{run, env}`: `run(args, {input})` runs
 * wrangler and returns `{code, output}`, and `env` names an environment of `wrangler.toml`, or nothing.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { productionProblem, productionSettings } from "./production-settings.mjs";
import { runTool } from "./toolchain.mjs";

/** Runs wrangler to its end. `input` is what it reads, so that a secret is in no file and no list of processes. */
export const runWrangler = (args, { input } = {}) =>
  runTool("wrangler", args, { input, env: { CI: "1", NODE_ENV: "production", NO_COLOR: "1" } });

/** Returns the environment that a command is for: the one it was told, else the one that wrangler itself would take. */
export const chosenEnvironment = (named) => named ?? (process.env.CLOUDFLARE_ENV || undefined);

/**
 * Returns the deployed site that `wrangler.toml` describes, or an environment of it, with its origin. Throws while the
 * file still holds placeholders.
 */
export async function deployedSite(named) {
  const env = chosenEnvironment(named);
  const problem = await productionProblem(env);
  if (problem) throw new Error(problem);
  const { vars } = await productionSettings(env);
  return { run: runWrangler, env, origin: new URL(vars.APP_ORIGIN).origin };
}

export const inEnvironment = ({ env }) => (env ? ["--env", env] : []);

/** Runs wrangler. Throws what it says when it fails. */
export async function wrangler({ run, print }, { title, args, input }) {
  if (title) print(title);
  const { code, output } = await run(args, { input });
  if (code !== 0) failed(args, output);
  return output;
}

export function failed(args, output) {
  const command = args.filter((arg) => !arg.startsWith("-")).slice(0, 3);
  throw new Error(`\`wrangler ${command.join(" ")}\` failed: ${reasonOf(output)}`);
}

export function reasonOf(output) {
  const text = stripVTControlCharacters(output);
  const [, reason = text] = /\[ERROR\]\s*([\s\S]*?)(?:\n\s*\n\s*(?:🪵|If you think)|$)/u.exec(text) ?? [];
  const isOffline = /fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|Could not reach/.test(text);
  return `${reason.trim()}${isOffline ? "\nCloudflare cannot be reached from here." : ""}`;
}

/** Finds the JSON in the output of wrangler, which may say something before and after it. */
export function jsonIn(output) {
  const text = stripVTControlCharacters(output).replaceAll("\r", "");
  const [found] = /^(?:\[\]|\{\}|\[\n[\s\S]*?^\]|\{\n[\s\S]*?^\})$/m.exec(text) ?? [];
  if (!found) throw new Error(`Wrangler answers something unexpected:\n${text.trim()}`);
  return JSON.parse(found);
}

/** Throws unless we may do something at Cloudflare. Returns the accounts we may do it in. */
export async function signedIn({ run }) {
  const { code, output } = await run(["whoami", "--json"], {});
  if (code === 0) return jsonIn(output).accounts ?? [];
  if (/"loggedIn":\s*false/.test(output)) {
    throw new Error("Not signed in to Cloudflare: run `npx wrangler login` or set CLOUDFLARE_API_TOKEN.");
  }
  throw new Error(`Cloudflare does not say who we are: ${reasonOf(output)}`);
}

/**
 * Returns the deployed database of a site, or another one by its name. Every function throws what wrangler says when a
 * call fails.
 */
export function remoteDatabase(site, own = "DB") {
  const execute = (...args) => ["d1", "execute", ...args, "--remote", ...inEnvironment(site)];

  /** Runs wrangler. Throws what it says when it fails, without what is `hidden`. */
  async function run(args, failure, hidden) {
    const { code, output } = await site.run(args, {});
    if (code !== 0) throw new Error(failure + reasonOf(hidden ? output.replaceAll(hidden, "…") : output));
    return output;
  }

  const timeTravel = (args, failure) =>
    run(["d1", "time-travel", ...args, "--json", ...inEnvironment(site)], `${failure} `);

  /** Imports a file of statements: all of them or, if one fails, none. */
  const importFile = (file, failure) => run([...execute(own), "--yes", "--file", file], `${failure}\n`);

  return {
    expectSignedIn: () => signedIn(site),
    importFile,

    /** Runs one statement and returns its rows. `database` is another than the one of the site. */
    async query(sql, database = own) {
      // What was asked may hold a hash.
      const args = [...execute(database), "--json", "--command", sql];
      return jsonIn(await run(args, "The deployed database does not answer: ", sql))[0].results;
    },

    /** Runs statements as a file. */
    async execute(statements, failure) {
      const folder = mkdtempSync(join(tmpdir(), "wrenfield-"));
      const file = join(folder, "statements.sql");
      try {
        writeFileSync(file, `${statements.join(";\n")};\n`, { mode: 0o600 });
        await importFile(file, failure);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },

    async bookmarkAt(at) {
      const when = at === undefined ? [] : [`--timestamp=${new Date(at).toISOString()}`];
      const failure = "No bookmark of the database, so nothing was changed:";
      const output = await timeTravel(["info", "DB", ...when], failure);
      const bookmark = /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
      if (!bookmark) throw new Error(`${failure} ${reasonOf(output)}`);
      return bookmark;
    },

    /** Puts the database back to a bookmark. With `--json` wrangler does not ask. */
    travelTo: (bookmark) =>
      timeTravel(["restore", "DB", `--bookmark=${bookmark}`], "The database could not be restored:"),
  };
}
