/* What every deployment does, the first one too: npm run deploy. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { agree } from "./deployment-questions.mjs";
import { connectMailEvents } from "./deployment-stores.mjs";
import { migrationFiles, otherBeginning } from "./local-state.mjs";
import { isMade, missingConfiguration, productionProblem, productionSettings } from "./production-settings.mjs";
import { setupCodeIfNoAdministrator } from "./setup-code.mjs";
import { smokeTest } from "./smoke-test.mjs";
import { failed, inEnvironment, jsonIn, reasonOf, remoteDatabase, signedIn, wrangler } from "./wrangler.mjs";

/*
 * All of it takes the outside world as `{run, print, fetch, clock, files, env, ask, flags}`: a site (see wrangler.mjs),
 * the paths of `wrangler.toml` (`files.settings`) and of the folder `files.migrations`, `ask(question, {suggestion,
 * isSecret})`, which is null where nobody can answer, and `flags`, which answer beforehand.
 */

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
  const isKept = keyFile && existsSync(keyFile);
  if (isKept) chmodSync(keyFile, 0o600);
  const kept = isKept ? JSON.parse(readFileSync(keyFile, "utf8")) : {};
  const lost = keys.filter((name) => !kept[name]);
  if (lost.length > 0 && (await rowsOf(world, "select 1 from users limit 1")).length > 0) {
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

/** Asks the deployed database. Returns the rows, or none where a table does not exist yet. */
async function rowsOf(world, sql) {
  try {
    return await remoteDatabase(world).query(sql);
  } catch (error) {
    if (/no such table/.test(error.message)) return [];
    throw error;
  }
}

/**
 * Throws when something is not ready. Nothing has been changed by then. Returns the origin of the site, whose address a
 * first deployment has looked at already.
 */
export async function checkDeployment(world, { isFirst = false } = {}) {
  const { env, files } = world;
  const problem = await productionProblem(env, files.settings);
  if (problem) throw new Error(problem);
  await signedIn(world);
  const settings = await productionSettings(env, files.settings);
  const { vars } = settings;
  const { keys, problems } = await missingConfiguration(vars, await secretNames(world));
  if (keys.length > 0) {
    const command = `npm run deploy -- --first${env ? ` --env ${env}` : ""}`;
    throw new Error(
      `The worker has no ${keys.join(", no ")}: every page would answer 503. \`${command}\` makes what is missing.`,
    );
  }
  if (problems.length > 0) throw new Error(`Every page would answer 503: ${problems.join("; ")}.`);
  await checkMigrations(world);
  const { origin, hostname } = new URL(vars.APP_ORIGIN);
  if (!isFirst) await checkAddress(world, hostname, settings);
  return origin;
}

/**
 * Throws where a host leads somewhere, and the last deployment was not to it, unless somebody agrees: without a
 * terminal wrangler replaces whatever the host leads to, and does not ask. What answers there says nothing about whose
 * it is: another installation of this product answers as we do.
 */
export async function checkAddress(world, hostname, settings) {
  if (hostname.endsWith(".workers.dev")) return;
  const host = "select value_json from settings where key = 'deployed_host'";
  const [last] = isMade(settings, "DB") ? await rowsOf(world, host) : [];
  if (last?.value_json === JSON.stringify(hostname)) return world.print(`Address: ${hostname}, as before`);
  const isTaken = await hasAddress(hostname, world).catch(() => null);
  if (isTaken === false) return world.print(`Address: ${hostname} is free`);
  const fact = isTaken
    ? `${hostname} leads to a site already, not known to be this one, which would take its place.`
    : `It cannot be seen from here whether ${hostname} leads somewhere already; this would take its place.`;
  await agree(world, { fact, flag: "take-over" });
  world.print(`Address: ${hostname} is taken over, as you said`);
}

/** Tells whether a host leads anywhere. The resolver of this machine would remember a no, so another one is asked. */
async function hasAddress(host, { fetch }) {
  for (const type of ["A", "AAAA"]) {
    const response = await fetch(`https://cloudflare-dns.com/dns-query?name=${host}&type=${type}`, {
      headers: { accept: "application/dns-json" },
      signal: AbortSignal.timeout(10_000),
    });
    const { Status: status, Answer: records = [] } = await response.json();
    if (records.length > 0) return true;
    // 0: answered, 3: there is no such name.
    if (status !== 0 && status !== 3) throw new Error(`The name service answers ${status}.`);
  }
  return false;
}

/**
 * Returns the statement by which the database remembers the host of the last deployment. A pipeline would forget what
 * it writes into wrangler.toml.
 */
export const rememberHost = (host, now) =>
  `insert into settings(key, value_json, updated_at)
   values ('deployed_host', '${JSON.stringify(host).replaceAll("'", "''")}', ${now})
   on conflict(key) do update set value_json = excluded.value_json, updated_at = excluded.updated_at
   where value_json <> excluded.value_json`;

async function checkMigrations(world) {
  const applied = await appliedMigrations(world);
  const problem = otherBeginning(applied, migrationFiles(world.files.migrations), {
    database: "The deployed database",
    remedy: "Deploy that version, or give this one an empty database.",
  });
  if (problem) throw new Error(problem);
}

const appliedMigrations = async (world) =>
  (await rowsOf(world, "select name from d1_migrations order by id")).map(({ name }) => name);

/** Bookmark, migrations, worker, smoke test, and the way in for the first administrator. */
export async function deploy(world, origin, { isFirst = false } = {}) {
  const { print, clock } = world;
  const bookmark = await remoteDatabase(world).bookmarkAt();
  print(`Bookmark of the database before this deployment: ${bookmark}`);
  print("Migrating …");
  await migrate(world);
  const back = isFirst ? "Run the same command again: it goes on from here." : goingBack(world, bookmark);
  const said = await wrangler(world, {
    title: "Deploying …",
    args: ["deploy", "--minify", ...inEnvironment(world)],
  }).catch((error) => {
    throw new Error(`${error.message}\nThe database is migrated. ${back}`);
  });
  checkTrialAddress(said, origin);
  // Before the site is asked: a certificate may take longer than anybody waits, and the host is ours by now.
  const { hostname } = new URL(origin);
  await remoteDatabase(world)
    .query(rememberHost(hostname, clock.now()))
    .catch(() => print(`It could not be noted that ${hostname} is ours: the next deployment needs --take-over.`));
  if (isFirst) await connectMailEvents(world);
  print(`Checking ${origin} …`);
  const trouble = await smokeTest(origin, world);
  if (trouble)
    throw new Error(`${trouble.text}${await moreAbout(world, trouble)}\nThe new version is deployed. ${back}`);
  print(`Deployed: ${origin}`);
  await letFirstAdministratorIn(world, origin, isFirst);
}

/**
 * Applies the migrations. The server cuts a file into statements by itself, and what it cuts wrongly it refuses with
 * 7500 (tests/support/migration-rules.mjs): such a file is imported, which is another way, with the note that it was.
 */
async function migrate(world) {
  const args = ["d1", "migrations", "apply", "DB", "--remote", ...inEnvironment(world)];
  for (;;) {
    const { code, output } = await world.run(args, {});
    if (code === 0) return;
    const applied = await appliedMigrations(world);
    const name = migrationFiles(world.files.migrations).find((file) => !applied.includes(file));
    if (!/\[(code: )?7500\]|incomplete input/.test(output) || !name) failed(args, output);
    world.print(`  ${name} is refused as a query, so it is imported as a file …`);
    const sql = readFileSync(join(world.files.migrations, name), "utf8").trim().replace(/;$/, "");
    await remoteDatabase(world).execute(
      [sql, `insert into d1_migrations(name) values ('${name}')`],
      `Cloudflare refuses the migration ${name}, as a query (${reasonOf(output)}) and as a file:`,
    );
  }
}

/**
 * Makes a code for /setup while nobody is administrator. In the log of a pipeline others would read it, so there the
 * command is named. The site is deployed by then: nothing that goes wrong here is a failed deployment.
 */
async function letFirstAdministratorIn(world, origin, isFirst) {
  const command = `\`npm run setup:code -- --remote${world.env ? ` --env ${world.env}` : ""}\``;
  try {
    if (isFirst || world.ask) {
      const setup = await setupCodeIfNoAdministrator({ ...world, origin });
      if (setup) world.print(`Nobody is administrator yet. Set up the first one here, once: ${setup.address}`);
    } else if ((await rowsOf(world, "select 1 from user_roles where role = 'admin' limit 1")).length === 0) {
      world.print(`Nobody is administrator yet: ${command} prints the address where the first one is set up.`);
    }
  } catch (error) {
    world.print(
      `The site is deployed. Only whether it needs a code for its first administrator could not be settled: ${error.message}\n` +
        `${command} prints one, as long as nobody is administrator.`,
    );
  }
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
