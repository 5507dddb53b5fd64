/* The stores of a first deployment: each is looked for, made where it is missing, and written into wrangler.toml. */
import { stripVTControlCharacters } from "node:util";
import { agree, JURISDICTIONS } from "./deployment-questions.mjs";
import { writeSettings } from "./edit-settings.mjs";
import { isMade, mailAddress, productionSettings, storeOf } from "./production-settings.mjs";
import { failed, jsonIn, remoteDatabase, wrangler } from "./wrangler.mjs";

/** Writes into wrangler.toml and reads it again. */
export async function change(walk, ...edits) {
  await writeSettings(walk.files.settings, edits, walk.env);
  walk.settings = await productionSettings(walk.env, walk.files.settings);
}

/** Returns the flags by which a store is made where it was said to be. A hint is no promise, a jurisdiction is. */
function placeFlags({ flags, answers }) {
  const place = answers.jurisdiction ?? answers.location;
  if (JURISDICTIONS.includes(place)) return ["--jurisdiction", place];
  return place && place !== "auto" && !flags.jurisdiction ? ["--location", place] : [];
}

/** A store that holds something may be that of another installation: it is taken only when somebody says so. */
const agreeToUse = (walk, what) =>
  agree(walk, { fact: `${what} exists already, and is not known to be empty.`, flag: "use-existing" });

const listOf = async (walk, args) => jsonIn(await wrangler(walk, { args }));

export async function makeDatabase(walk) {
  const { settings, print } = walk;
  if (isMade(settings, "DB")) return print(`Database: ${storeOf(settings, "DB").database_name}, as before`);
  const { name } = settings;
  const find = async () => (await listOf(walk, ["d1", "list", "--json"])).find((database) => database.name === name);
  const before = await find();
  if (before) {
    const tables =
      "select name from sqlite_master where type = 'table' and substr(name, 1, 3) not in ('_cf', 'sql') limit 1";
    if ((await remoteDatabase(walk).query(tables, before.uuid)).length > 0)
      await agreeToUse(walk, `A database called ${name}`);
    print(`Database: ${name}, found`);
  } else {
    await wrangler(walk, { title: `Database: creating ${name} …`, args: ["d1", "create", name, ...placeFlags(walk)] });
  }
  const { uuid } = before ?? (await find()) ?? {};
  if (!uuid) throw new Error(`The database ${name} was created and cannot be found yet.`);
  await change(
    walk,
    { table: "d1_databases", of: "DB", key: "database_name", value: name },
    { table: "d1_databases", of: "DB", key: "database_id", value: uuid },
  );
}

export async function makeNamespace(walk) {
  const { settings, print } = walk;
  const title = `${settings.name}-sessions`;
  if (isMade(settings, "SESSIONS")) return print("Sessions: their namespace, as before");
  const find = async () =>
    (await listOf(walk, ["kv", "namespace", "list"])).find((namespace) => namespace.title === title);
  const before = await find();
  if (before) {
    const keys = await listOf(walk, ["kv", "key", "list", "--namespace-id", before.id, "--remote"]);
    if (keys.length > 0) await agreeToUse(walk, `A namespace called ${title}`);
    print(`Sessions: namespace ${title}, found`);
  } else {
    const jurisdiction = placeFlags(walk)[0] === "--jurisdiction" ? placeFlags(walk) : [];
    await wrangler(walk, {
      title: `Sessions: creating ${title} …`,
      args: ["kv", "namespace", "create", title, ...jurisdiction],
    });
  }
  const { id } = before ?? (await find()) ?? {};
  if (!id) throw new Error(`The namespace ${title} was created and cannot be found yet.`);
  await change(walk, { table: "kv_namespaces", of: "SESSIONS", key: "id", value: id });
}

export async function makeBucket(walk) {
  const { settings, print, run } = walk;
  if (isMade(settings, "FILES")) return print(`Files: bucket ${storeOf(settings, "FILES").bucket_name}, as before`);
  const bucket = `${settings.name}-files`;
  const place = placeFlags(walk);
  const jurisdiction = place[0] === "--jurisdiction" ? place : [];
  print(`Files: creating the bucket ${bucket} …`);
  const { code, output } = await run(["r2", "bucket", "create", bucket, ...place], {});
  if (code !== 0 && !/already exists|\b10004\b/.test(output)) failed(["r2", "bucket", "create"], output);
  if (code !== 0) {
    const info = await run(["r2", "bucket", "info", bucket, ...jurisdiction, "--json"], {});
    if (info.code !== 0 || jsonIn(info.output).object_count !== "0")
      await agreeToUse(walk, `A bucket called ${bucket}`);
    print(`Files: bucket ${bucket}, found`);
  }
  await change(
    walk,
    { table: "r2_buckets", of: "FILES", key: "bucket_name", value: bucket },
    { table: "r2_buckets", of: "FILES", key: "jurisdiction", value: jurisdiction[1] ?? null },
  );
}

/** Copies of the audit outlast whoever has the database. */
export async function lockAudit(walk) {
  const { bucket_name: bucket, jurisdiction } = storeOf(walk.settings, "FILES");
  const place = jurisdiction ? ["--jurisdiction", jurisdiction] : [];
  const locks = await wrangler(walk, { args: ["r2", "bucket", "lock", "list", bucket, ...place] });
  if (/^prefix:\s+audit\/\s*$/m.test(stripVTControlCharacters(locks)))
    return walk.print("Audit: its copies are locked, as before");
  const rule = ["audit", "audit/", "--retention-days", "400"];
  await wrangler(walk, {
    title: "Audit: locking its copies for 400 days …",
    args: ["r2", "bucket", "lock", "add", bucket, ...rule, ...place],
  });
}

const MAIL_EVENTS = ["delivered", "deferred", "bounced", "failed", "rejected", "complained"];

/**
 * Connects the worker with what the platform tells of mails it has sent: a queue, its consumer and a subscription, each
 * only where it is missing. They are not in wrangler.toml, because a consumer whose queue is missing keeps wrangler
 * from deploying, and without them only the states of mails are missing. Never throws.
 */
export async function connectMailEvents(world) {
  const { name, vars } = await productionSettings(world.env, world.files.settings);
  if (vars.MAIL_PROVIDER !== "cloudflare") return;
  const queue = `${name}-mail-events`;
  const domain = mailAddress(vars.MAIL_FROM).split("@")[1];
  try {
    await unlessThere(world, ["queues", "create", queue]);
    const retries = ["--message-retries", "100", "--retry-delay-secs", "60"];
    await unlessThere(world, ["queues", "consumer", "add", queue, name, ...retries]);
    const known = await wrangler(world, { args: ["queues", "subscription", "list", queue, "--json"] });
    if (known.includes("email.sending")) return world.print(`Mail events: queue ${queue}, as before`);
    const zone = zoneIdOf(await wrangler(world, { args: ["email", "routing", "list"] }), domain);
    if (!zone) throw new Error(`the zone of ${domain} is not listed`);
    const events = MAIL_EVENTS.map((event) => `message.${event}`).join(",");
    const source = ["--source", "email.sending", "--zone-id", zone, "--domain", domain, "--events", events];
    await wrangler(world, { args: ["queues", "subscription", "create", queue, ...source] });
    world.print(`Mail events: queue ${queue}, created`);
  } catch (error) {
    world.print(
      `Mail events: none (${error.message}). Mail is sent, and stays "Sent": that it was delivered or came back is not shown. ` +
        "To have it, see docs/deploying.md, or run this again once the account may use Queues.",
    );
  }
}

async function unlessThere({ run }, args) {
  const { code, output } = await run(args, {});
  if (code !== 0 && !/already|\b(11004|11009)\b/i.test(output)) failed(args, output);
}

/** Finds the zone of a domain in the table that wrangler prints. */
const zoneIdOf = (table, domain) =>
  stripVTControlCharacters(table)
    .split("\n")
    .map((line) => line.split(/[│|\s]+/).filter(Boolean))
    .find(([zone, id]) => /^[0-9a-f]{32}$/.test(id ?? "") && (domain === zone || domain.endsWith(`.${zone}`)))?.[1];
