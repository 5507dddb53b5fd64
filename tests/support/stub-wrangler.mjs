/*
 * Stands for the command line of wrangler and for Cloudflare behind it. What there is (stores, secrets, deployments,
 * DNS) is kept in a folder, so that it outlives a command that failed. Answers are those of wrangler 4.155.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadWrangler } from "../../scripts/lib/toolchain.mjs";

const EMPTY = {
  accounts: [{ id: "a".repeat(32), name: "Acme IT" }],
  signedIn: true,
  zones: ["acme-it.net"],
  databases: [],
  namespaces: [],
  buckets: [],
  workers: {},
  sending: [],
  hosts: {},
  queues: {},
  subdomain: "acme",
};

/** Returns the account in a folder. `files` are those of the checkout that wrangler would read. */
export function stubWrangler(folder, files) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "account.json");
  const read = () => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : structuredClone(EMPTY));
  const calls = [];
  let failing = null;

  /** Fails once, before or after the command of that name has done its work. */
  const failOnce = (name, { after = false } = {}) => {
    failing = { name, after };
  };

  async function run(args, { input } = {}) {
    const { words, options } = parse(args);
    const name = Object.keys(COMMANDS).find((command) =>
      command.split(" ").every((word, index) => words[index] === word),
    );
    calls.push({ name: name ?? words.join(" "), args, input });
    if (!name) return error(`Unknown command: ${args.join(" ")}`);
    const fails = failing?.name === name ? failing : null;
    if (fails) failing = null;
    if (fails && !fails.after) return error("A request to the Cloudflare API failed.\n\n  fetch failed");
    const account = read();
    const config = loadWrangler().unstable_readConfig({ config: files.settings, env: options.env });
    const rest = words.slice(name.split(" ").length);
    const result = COMMANDS[name]({ account, config, folder, files, input, options, rest });
    writeFileSync(path, JSON.stringify(account, null, 2));
    return fails ? error("A request to the Cloudflare API failed.\n\n  fetch failed") : result;
  }

  return {
    run,
    calls,
    failOnce,
    account: read,
    change: (alter) => {
      const account = read();
      alter(account);
      writeFileSync(path, JSON.stringify(account, null, 2));
    },
  };
}

const WITH_VALUE =
  /^--(env|command|location|jurisdiction|retention-days|namespace-id|file|filename|source|zone-id|domain|events|message-retries|retry-delay-secs)$/;

function parse(args) {
  const words = [];
  const options = {};
  for (let at = 0; at < args.length; at += 1) {
    const [, option] = WITH_VALUE.exec(args[at]) ?? [];
    if (option) {
      at += 1;
      options[option] = args[at];
    } else if (args[at].startsWith("--")) options[args[at].slice(2)] = true;
    else words.push(args[at]);
  }
  return { words, options };
}

const ok = (output) => ({
  code: 0,
  output: typeof output === "string" ? output : `${JSON.stringify(output, null, 2)}\n`,
});
const error = (text) => ({ code: 1, output: `\n✘ [ERROR] ${text}\n\n\n🪵  Logs were written to "wrangler.log"\n` });
const newId = (length) => Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("");
const newUuid = () => newId(32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
const zoneOf = ({ zones }, host) => zones.find((zone) => host === zone || host.endsWith(`.${zone}`));
const noZone = (host) =>
  error(`Could not find a zone for \`${host}\`. Make sure the domain or its parent zone exists in your account.`);
/** A name of the configuration wins, as with wrangler itself. */
function databaseOf({ account, config, name }) {
  const bound = config.d1_databases.find((entry) => entry.binding === name || entry.database_name === name);
  const wanted = bound?.database_id ?? name;
  return account.databases.find(({ uuid, name: called }) => uuid === wanted || called === wanted);
}

/** Looks up the database that a command is about, and opens it for the command. */
const inDatabase = (work) => (call) => {
  const [name] = call.rest;
  const database = databaseOf({ ...call, name });
  if (!database) return error(`Couldn't find a D1 DB with name or binding '${name}' in your config or the API.`);
  const sqlite = new DatabaseSync(join(call.folder, `${database.uuid}.sqlite`));
  try {
    return work({ ...call, sqlite });
  } finally {
    sqlite.close();
  }
};

/** Looks up the bucket that a command is about, in the jurisdiction that is asked. */
const inBucket = (work) => (call) => {
  const [name, ...rest] = call.rest[0].split("/");
  const bucket = call.account.buckets.find(
    (entry) => entry.name === name && entry.jurisdiction === call.options.jurisdiction,
  );
  if (!bucket) return error("The specified bucket does not exist. [code: 10006]");
  return work({ ...call, bucket, key: rest.join("/") });
};

/** Stops at the first file that a lock keeps as it is. */
function put(bucket, entries) {
  bucket.files ??= {};
  for (const { key, file } of entries) {
    if (bucket.files[key] && bucket.locks.some(({ prefix }) => key.startsWith(prefix)))
      return error("R2 bulk upload failed\n  The object is locked by the bucket policy. [code: 10069]");
    bucket.files[key] = readFileSync(file).toString("base64");
    bucket.objects = Object.keys(bucket.files).length;
  }
  return ok("Upload complete.\n");
}

const COMMANDS = {
  whoami({ account }) {
    if (account.signedIn) return ok({ loggedIn: true, accounts: account.accounts });
    return { code: 1, output: '{"loggedIn":false}\n' };
  },
  "d1 list": ({ account }) => ok(account.databases),
  "d1 create"({ account, options, rest: [name] }) {
    if (account.databases.some((database) => database.name === name))
      return error("A database with that name already exists");
    account.databases.push({ uuid: newUuid(), name, location: options.location, jurisdiction: options.jurisdiction });
    return ok(`✅ Successfully created DB '${name}'\n`);
  },
  "d1 execute": inDatabase(({ sqlite, options }) => {
    try {
      if (!options.file) return ok([{ results: sqlite.prepare(options.command).all(), success: true }]);
      sqlite.exec(`begin;\n${readFileSync(options.file, "utf8")}commit;`);
      return ok("🌀 Executed\n");
    } catch (problem) {
      return { code: 1, output: JSON.stringify({ error: { text: problem.message } }, null, 2) };
    }
  }),
  "d1 migrations apply": inDatabase(({ sqlite, files }) => {
    sqlite.exec("create table if not exists d1_migrations(id integer primary key, name text unique)");
    const applied = sqlite.prepare("select name from d1_migrations").all();
    for (const file of readdirSync(files.migrations).sort()) {
      if (applied.some(({ name }) => name === file)) continue;
      const sql = readFileSync(join(files.migrations, file), "utf8");
      // Stands for what the server cuts in the wrong place.
      if (sql.includes("CASE")) return error("incomplete input: SQLITE_ERROR [code: 7500]");
      sqlite.exec(sql);
      sqlite.prepare("insert into d1_migrations(name) values (?)").run(file);
    }
    return ok("🌀 Executing on remote database\n");
  }),
  "d1 time-travel info": inDatabase(() => ok({ bookmark: "00000001-00000002-00000003-abc" })),
  "kv namespace list": ({ account }) => ok(account.namespaces),
  "kv namespace create"({ account, options, rest: [title] }) {
    if (account.namespaces.some((namespace) => namespace.title === title)) {
      return error(`A KV namespace with the title "${title}" already exists.`);
    }
    account.namespaces.push({ id: newId(32), title, jurisdiction: options.jurisdiction, keys: [] });
    return ok("✨ Success!\n");
  },
  "kv key list": ({ account, options }) => ok(account.namespaces.find(({ id }) => id === options["namespace-id"]).keys),
  "r2 bucket create"({ account, options, rest: [name] }) {
    if (options.location && options.jurisdiction)
      return error("Provide either a jurisdiction or location hint - not both.");
    if (account.buckets.some((bucket) => bucket.name === name)) {
      return error(
        "A request to the Cloudflare API (/accounts/aaa/r2/buckets) failed.\n\n  The bucket you tried to create already exists, and you own it. [code: 10004]",
      );
    }
    const { jurisdiction, location } = options;
    account.buckets.push({ name, jurisdiction, location, objects: 0, locks: [] });
    return ok(`Creating bucket '${name}'...\n✅ Created bucket '${name}'\n`);
  },
  "r2 bucket info": inBucket(({ bucket }) => ok({ name: bucket.name, object_count: String(bucket.objects) })),
  "r2 bucket lock list": inBucket(({ bucket }) => {
    const rules = bucket.locks.map(
      ({ id, prefix, days }) =>
        `name:       ${id}\nenabled:    Yes\nprefix:     ${prefix}\ncondition:  after ${days} days`,
    );
    return ok(`Listing lock rules for bucket '${bucket.name}'...\n${rules.join("\n\n")}\n`);
  }),
  "r2 bucket lock add": inBucket(({ bucket, options, rest: [, id, prefix] }) => {
    bucket.locks.push({ id, prefix, days: Number(options["retention-days"]) });
    return ok("✨ Added lock rule\n");
  }),
  "r2 bulk put": inBucket(({ bucket, options }) => put(bucket, JSON.parse(readFileSync(options.filename, "utf8")))),
  "r2 object put": inBucket(({ bucket, key, options }) => put(bucket, [{ key, file: options.file }])),
  "secret list"({ account, config }) {
    const worker = account.workers[config.name];
    if (worker) return ok(Object.keys(worker.secrets).map((name) => ({ name, type: "secret_text" })));
    return error(
      `Worker "${config.name}" not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first to create it.`,
    );
  },
  "secret bulk"({ account, config, input }) {
    if (!input) return ok("🚨 No content found in file, or piped input.\n");
    account.workers[config.name] ??= { secrets: {}, deployments: 0, draft: true };
    for (const [name, value] of Object.entries(JSON.parse(input))) {
      const { secrets } = account.workers[config.name];
      account.overwritten = [...(account.overwritten ?? []), ...(secrets[name] ? [name] : [])];
      secrets[name] = value;
    }
    return ok("✨ Successfully created secrets\n");
  },
  "email sending list"({ account, rest: [domain] }) {
    if (!zoneOf(account, domain)) return noZone(domain);
    if (account.sending.length === 0) return ok("No sending subdomains found for this domain.\n");
    return ok(account.sending.map((name) => `│ ${name} │ yes │ tag │`).join("\n"));
  },
  "email sending enable"({ account, rest: [domain] }) {
    if (!zoneOf(account, domain)) return noZone(domain);
    if (!account.sending.includes(domain)) account.sending.push(domain);
    return ok(`Email Sending enabled for ${domain} (enabled: true)\n`);
  },
  "email sending dns get": ({ rest: [domain] }) => ok(`TXT record:\n  Name:     cf-bounce.${domain}\n`),
  "email routing list": ({ account }) =>
    ok(account.zones.map((zone) => `│ ${zone} │ ${"0".repeat(32)} │ yes │`).join("\n")),
  "queues create"({ account, rest: [name] }) {
    if (account.noQueues) return error("You do not have access to Queues. [code: 10023]");
    if (account.queues[name]) return error(`Queue name '${name}' is already taken. [code: 11009]`);
    account.queues[name] = { consumers: [], subscriptions: [] };
    return ok(`✅ Created queue '${name}'\n`);
  },
  "queues consumer add"({ account, rest: [name, worker] }) {
    const { consumers } = account.queues[name];
    if (!account.workers[worker]) return error(`Worker ${worker} does not exist`);
    if (consumers.length > 0) return error("The queue already has a consumer. [code: 11004]");
    consumers.push(worker);
    return ok("Added consumer to queue.\n");
  },
  "queues subscription list": ({ account, rest: [name] }) => ok(account.queues[name].subscriptions),
  "queues subscription create"({ account, options, rest: [name] }) {
    if (!options["zone-id"]) return error("--zone-id is required when using source 'email.sending'");
    const { source, domain, events } = options;
    account.queues[name].subscriptions.push({ source: { type: source, domain }, events: events.split(",") });
    return ok("✨ Successfully created event subscription\n");
  },
  deploy({ account, config }) {
    account.workers[config.name] ??= { secrets: {}, deployments: 0 };
    const worker = account.workers[config.name];
    Object.assign(worker, { draft: false, deployments: worker.deployments + 1, vars: config.vars });
    for (const { pattern } of config.routes ?? []) {
      if (!zoneOf(account, pattern)) return error(`Could not find zone for \`${pattern}\`.`);
      account.hosts[pattern] = config.name;
    }
    const trial = `${config.name}.${account.subdomain}.workers.dev`;
    if (config.workers_dev) account.hosts[trial] = config.name;
    return ok(`Deployed ${config.name} triggers\n${config.workers_dev ? `  https://${trial}\n` : ""}`);
  },
};
