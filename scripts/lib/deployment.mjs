/* What every deployment does, the first one too: npm run deploy. */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import {
  missingConfiguration,
  productionProblem,
  productionSettings,
  unknownMigrations,
} from "./production-settings.mjs";
import { smokeTest } from "./smoke-test.mjs";

/*
 * All of it takes the outside world as `{run, print, fetch, clock, files, env}`: `run(args, {input})` runs wrangler and
 * returns `{code, output}`, `files` holds the paths of `wrangler.toml` (`settings`) and of the folder `migrations`, and
 * `env` names an environment of the settings, or nothing.
 */

/** Returns the arguments that lead a command of wrangler to the environment. */
export const inEnvironment = ({ env }) => (env ? ["--env", env] : []);

/** Runs wrangler. Throws what it says when it fails, and that this may be repeated. */
export async function wrangler({ run, print }, { title, args, input }) {
  if (title) print(title);
  const { code, output } = await run(args, { input });
  if (code !== 0) failed(args, output);
  return output;
}

/** Throws what wrangler said when a command of it failed. */
export function failed(args, output) {
  throw new Error(
    `\`wrangler ${args
      .filter((arg) => !arg.startsWith("-"))
      .slice(0, 3)
      .join(" ")}\` failed: ${reasonOf(output)}`,
  );
}

/** Returns what wrangler says about an error, without the rest of its output. */
function reasonOf(output) {
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

/** Asks a deployed database. Returns the rows, or none where a table does not exist yet. */
export async function remoteRows(world, sql, database = "DB") {
  const args = ["d1", "execute", database, "--remote", ...inEnvironment(world), "--json", "--command", sql];
  const { code, output } = await world.run(args, {});
  if (code !== 0 && /no such table/.test(output)) return [];
  if (code !== 0) throw new Error(`The database does not answer: ${reasonOf(output)}`);
  return jsonIn(output)[0].results;
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

/** Returns the names of the secrets the worker has. One that does not exist has none. */
export async function secretNames(world) {
  const { code, output } = await world.run(["secret", "list", ...inEnvironment(world)], {});
  if (code === 0) return jsonIn(output).map(({ name }) => name);
  if (/Worker ".*" .*not found|\b(10007|10090)\b/s.test(output)) return [];
  throw new Error(`The names of the secrets cannot be read: ${reasonOf(output)}`);
}

/**
 * Makes the keys that the worker misses, and puts them there all at once. A key that exists is never replaced. Where
 * the database has accounts already a missing key was lost, and a new one would be of no use: then it throws. `keyFile`
 * names a file that keeps them: keys it holds are taken from there.
 */
export async function putMissingKeys(world, { keyFile } = {}) {
  const { vars } = await productionSettings(world.env, world.files.settings);
  const { keys } = await missingConfiguration(vars, await secretNames(world));
  if (keys.length === 0) return world.print("Keys: the worker has all of them");
  const kept = keyFile && existsSync(keyFile) ? JSON.parse(readFileSync(keyFile, "utf8")) : {};
  const lost = keys.filter((name) => !kept[name]);
  if (lost.length > 0 && (await remoteRows(world, "select 1 from users limit 1")).length > 0) {
    throw new Error(
      `The worker has no ${lost.join(", no ")}, but the database has accounts that were made with it. Put the old one back ` +
        "(`npx wrangler secret put …`, or `--keys FILE`): with a new one nobody could sign in.",
    );
  }
  const made = Object.fromEntries(lost.map((name) => [name, randomBytes(32).toString("base64")]));
  const needed = Object.fromEntries(keys.map((name) => [name, kept[name] ?? made[name]]));
  // First the copy: a key that is in use and in no file cannot be read back.
  if (keyFile && lost.length > 0)
    writeFileSync(keyFile, `${JSON.stringify({ ...kept, ...made }, null, 2)}\n`, { mode: 0o600 });
  const title = `Keys: making ${keys.join(", ")} …`;
  await wrangler(world, { title, args: ["secret", "bulk", ...inEnvironment(world)], input: JSON.stringify(needed) });
  const missing = (await missingConfiguration(vars, await secretNames(world))).keys;
  if (missing.length > 0) throw new Error(`Wrangler did not store ${missing.join(", ")}.`);
}

/** Throws when something is not ready. Nothing has been changed by then. Returns the origin of the site. */
export async function checkDeployment(world) {
  const { env, files } = world;
  const problem = await productionProblem(env, files.settings);
  if (problem) throw new Error(problem);
  await signedIn(world);
  const { vars } = await productionSettings(env, files.settings);
  const { keys, problems } = await missingConfiguration(vars, await secretNames(world));
  if (keys.length > 0) {
    const command = `npm run deploy -- --first${env ? ` --env ${env}` : ""}`;
    throw new Error(
      `The worker has no ${keys.join(", no ")}: every page would answer 503. \`${command}\` makes what is missing.`,
    );
  }
  if (problems.length > 0) throw new Error(`Every page would answer 503: ${problems.join("; ")}.`);
  await checkMigrations(world);
  return new URL(vars.APP_ORIGIN).origin;
}

async function checkMigrations(world) {
  const applied = await remoteRows(world, "select name from d1_migrations order by id");
  const files = readdirSync(world.files.migrations).filter((name) => name.endsWith(".sql"));
  const [first, ...others] = unknownMigrations(
    applied.map(({ name }) => name),
    files,
  );
  if (!first) return;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  throw new Error(
    `The database was made by another version: it has the migration ${first}${more}, which this checkout does not have. ` +
      "Nothing was changed. Deploy that version, or give this one an empty database.",
  );
}

/**
 * Bookmark, migrations, worker, smoke test, and a code for /setup while nobody is administrator. `setupCode` makes that
 * code: `setupCodeIfNoAdministrator` of setup-code.mjs.
 */
export async function deploy(world, origin, { setupCode, isFirst = false }) {
  const { print } = world;
  const bookmark = await bookmarkOfDatabase(world);
  print(`Bookmark of the database before this deployment: ${bookmark}`);
  const migrate = ["d1", "migrations", "apply", "DB", "--remote", ...inEnvironment(world)];
  await wrangler(world, { title: "Migrating …", args: migrate });
  const back = isFirst ? "Run the same command again: it goes on from here." : goingBack(world, bookmark);
  const said = await wrangler(world, {
    title: "Deploying …",
    args: ["deploy", "--minify", ...inEnvironment(world)],
  }).catch((error) => {
    throw new Error(`${error.message}\nThe database is migrated. ${back}`);
  });
  checkTrialAddress(said, origin);
  print(`Checking ${origin} …`);
  const trouble = await smokeTest(origin, world);
  if (trouble)
    throw new Error(`${trouble.text}${await moreAbout(world, trouble)}\nThe new version is deployed. ${back}`);
  print(`Deployed: ${origin}`);
  const setup = await setupCode?.({ run: (args) => world.run(args, {}), origin, env: world.env });
  if (setup) print(`Nobody is administrator yet. Open ${setup.address} and type this code:\n${setup.code}`);
}

/** Both are needed, because the version before may not work with the migrated database. */
function goingBack(world, bookmark) {
  const environment = inEnvironment(world).join(" ");
  return (
    `Run this again, or go back with both:\n  npx wrangler rollback ${environment}`.trimEnd() +
    `\n  npm run restore:bookmark -- ${bookmark} ${environment}`.trimEnd() +
    "   (undoes everything written since)"
  );
}

/** Says what a 503 is about: only here, and not to whoever asks the site. */
async function moreAbout(world, { status }) {
  if (status !== 503) return "";
  const { vars } = await productionSettings(world.env, world.files.settings);
  const { keys, problems } = await missingConfiguration(vars, await secretNames(world));
  if (keys.length > 0) return ` It has no secret ${keys.join(", no ")}.`;
  if (problems.length > 0) return ` ${problems.join("; ")}.`;
  return " Its settings are complete, so look at the log: `npx wrangler tail`.";
}

/** The address of a trial ends with a name that the account has chosen once. Wrangler says which. */
function checkTrialAddress(said, origin) {
  const [, host] = /https:\/\/(\S+\.workers\.dev)\b/.exec(stripVTControlCharacters(said)) ?? [];
  if (!host || !origin.endsWith(".workers.dev") || origin === `https://${host}`) return;
  throw new Error(
    `The worker answers at https://${host}, not at ${origin}: run this again with \`--first --origin https://${host}\`.`,
  );
}

async function bookmarkOfDatabase(world) {
  const args = ["d1", "time-travel", "info", "DB", ...inEnvironment(world), "--json"];
  const { code, output } = await world.run(args, {});
  const bookmark = /"bookmark":\s*"([^"]+)"/.exec(output)?.[1];
  if (code !== 0 || !bookmark)
    throw new Error(`No bookmark of the database, so nothing was changed: ${reasonOf(output)}`);
  return bookmark;
}
