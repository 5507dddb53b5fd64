import { writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askAtTerminal } from "../../../scripts/lib/deployment-questions.mjs";
import {
  deploymentState,
  environmentOf,
  productionProblem,
  servesHost,
} from "../../../scripts/lib/production-settings.mjs";
import { ANSWERS, deployedSite, newInstallation } from "../../support/deployment";

test("a deployment takes a bookmark, migrates and deploys, in this order", async () => {
  const site = await deployedSite();
  writeFileSync(path.join(site.files.migrations, "0002_more.sql"), "create table more(id);");
  await site.deploy();
  const calls = site.wrangler.calls.map(({ name }) => name);
  expect(calls.slice(-5, -2)).toEqual(["d1 time-travel info", "d1 migrations apply", "deploy"]);
  const [, ...more] = await site.rows("select name from d1_migrations order by id");
  expect(more).toEqual([{ name: "0001_settings.sql" }, { name: "0002_more.sql" }]);
});

describe("a host that was written into the file of a running installation", () => {
  /** Returns an installation that is about to move to a host, which leads to a site of somebody else. */
  async function movingSite() {
    const site = await deployedSite();
    site.edit((text) => text.replace(/^(APP_ORIGIN|routes) = .*/gm, (line) => line.replace("support.", "www.")));
    site.leadTo("another", "www.acme-it.net");
    return site;
  }

  test("is not taken from somebody else unless that is said, and is ours from then on", async () => {
    const site = await movingSite();
    await expect(site.deploy()).rejects.toThrow("--take-over");
    await expect(site.deploy({ ask: async () => "no" })).rejects.toThrow("Stopped");
    await expect(site.first({})).rejects.toThrow("--take-over");
    expect(site.changes()).toEqual([]);
    expect(site.wrangler.account().hosts["www.acme-it.net"]).toBe("another");
    await site.deploy({ flags: { "take-over": true } });
    expect(site.wrangler.account().hosts["www.acme-it.net"]).toBe("wrenfield");
    await site.deploy();
  });

  test("is taken when it is free; the one before is then as strange as any other", async () => {
    const site = await movingSite();
    site.change(({ hosts }) => void delete hosts["www.acme-it.net"]);
    await site.deploy();
    site.edit((text) => text.replace(/^(APP_ORIGIN|routes) = .*/gm, (line) => line.replace("www.", "support.")));
    await expect(site.deploy()).rejects.toThrow("--take-over");
  });

  test("is remembered before it has a certificate, and a database that cannot remember fails nothing", async () => {
    const site = await movingSite();
    const { fetch } = site.world;
    site.world.fetch = async () => new Response("", { status: 500 });
    await expect(site.deploy({ flags: { "take-over": true } })).rejects.toThrow("answers 500");
    site.world.fetch = fetch;
    site.failWhere((args) => args.some((arg) => arg.startsWith("insert into settings")));
    await site.deploy();
    expect(site.printed).toContain(
      "It could not be noted that www.acme-it.net is ours: the next deployment needs --take-over.",
    );
  });
});

describe("while nobody is administrator", () => {
  const terminal = async () => "";

  test("who deploys at a terminal gets a code, and the one before is worth nothing any more", async () => {
    const site = await deployedSite();
    const [before] = await site.rows("select value_json from settings where key = 'setup_code_hash'");
    await site.deploy({ ask: terminal });
    expect(site.printed.at(-1)).toMatch(/acme-it\.net\/setup\?code=\S{40,}$/);
    expect(await site.rows("select value_json from settings where key = 'setup_code_hash'")).not.toEqual([before]);
  });

  test("a pipeline prints no code, makes none, and says how one is made", async () => {
    const site = await deployedSite();
    const before = await site.rows("select * from settings");
    await site.deploy();
    expect(site.printed.at(-1)).toBe(
      "Nobody is administrator yet: `npm run setup:code -- --remote` prints the address where the first one is set up.",
    );
    expect(await site.rows("select * from settings")).toEqual(before);
  });

  test.each([
    ["at a terminal", terminal],
    ["in a pipeline", undefined],
  ])("a database that does not answer then fails no deployment: %s", async (_, ask) => {
    const site = await deployedSite();
    site.failWhere(() => site.printed.at(-1)?.startsWith("Deployed:") ?? false);
    await site.deploy({ ask });
    expect(site.printed.at(-1)).toContain("The site is deployed.");
    expect(site.printed.at(-1)).toContain("`npm run setup:code -- --remote` prints one");
  });
});

test("once there is an administrator nothing is said of codes", async () => {
  const site = await deployedSite();
  await site.rows("insert into user_roles values (1, 'admin')");
  await site.deploy();
  await site.deploy({ ask: async () => "" });
  expect(site.printed.at(-1)).toBe("Deployed: https://support.acme-it.net");
});

describe("a migration that the server refuses as a query", () => {
  const REFUSED = "create table later(id); insert into later values (CASE WHEN 1 THEN 2 END);";

  test("is imported as a file, is noted once, and those behind it are applied", async () => {
    const site = await deployedSite();
    writeFileSync(path.join(site.files.migrations, "0002_refused.sql"), REFUSED);
    writeFileSync(path.join(site.files.migrations, "0003_more.sql"), "create table more(id);");
    await site.deploy();
    expect(site.printed.join("\n")).toContain("0002_refused.sql is refused as a query, so it is imported as a file");
    expect(await site.rows("select * from later")).toEqual([{ id: 2 }]);
    expect((await site.rows("select name from d1_migrations order by id")).map(({ name }) => name).slice(-2)).toEqual([
      "0002_refused.sql",
      "0003_more.sql",
    ]);
    await site.deploy();
  });

  test("and as a file is named with both reasons, leaves nothing behind, and nothing is deployed", async () => {
    const site = await deployedSite();
    const wrong = `${REFUSED} insert into nowhere values (1);`;
    writeFileSync(path.join(site.files.migrations, "0002_refused.sql"), wrong);
    await expect(site.deploy()).rejects.toThrow(
      /Cloudflare refuses the migration 0002_refused\.sql, as a query \(incomplete input[\s\S]* and as a file:\n[\s\S]*nowhere/,
    );
    expect(await site.rows("select name from sqlite_master where name = 'later'")).toEqual([]);
    expect(site.wrangler.calls.map(({ name }) => name)).not.toContain("deploy");
  });
});

test("a migration with an error of its own is not imported, whatever number its message names", async () => {
  const site = await deployedSite();
  site.failWhere((args) => args.includes("apply"), "[ERROR] no such column: 7500");
  writeFileSync(path.join(site.files.migrations, "0002_wrong.sql"), "select 7500;");
  await expect(site.deploy()).rejects.toThrow("`wrangler d1 migrations apply` failed: no such column: 7500");
  expect(site.wrangler.calls.filter(({ args }) => args.includes("--file"))).toEqual([]);
});

describe("wrangler.toml is refused before anything is changed, in one sentence", () => {
  let site: Awaited<ReturnType<typeof deployedSite>>;

  beforeAll(async () => {
    site = await deployedSite();
  });

  const replaced = (pattern: string, by: string) => (text: string) => text.replace(new RegExp(pattern, "m"), by);
  const set = (key: string, value: string) => replaced(`^${key} = .*`, `${key} = ${value}`);
  const without = (key: string) => replaced(`^${key} = .*\n`, "");
  const withoutList = (name: string, first: string) => replaced(`^\\[\\[${name}\\]\\]\n${first}\n(.+\n)+`, "");
  const withoutLimit = (name: string) => withoutList("ratelimits", `name = "${name}"`);
  const sharingLimit = (name: string) => replaced(`(name = "${name}"\nnamespace_id = ).*`, '$1"1001"');

  test.each([
    [
      "a placeholder for D1",
      set("database_id", '"00000000-0000-0000-0000-000000000001"'),
      "database_id is a placeholder",
    ],
    ["no id of D1", without("database_id"), "database_id is a placeholder"],
    ["a placeholder for KV", set("id", '"00000000000000000000000000000001"'), "the KV namespace is a placeholder"],
    ["a placeholder for R2", set("bucket_name", '"placeholder-files"'), "bucket_name is a placeholder"],
    ["no bucket", withoutList("r2_buckets", 'binding = "FILES"'), "bucket_name is a placeholder"],
    ["a shared limit of sessions", sharingLimit("RL_SESSION"), "the namespace_id of RL_SESSION is a placeholder"],
    ["a shared limit of addresses", sharingLimit("RL_ADDRESS"), "the namespace_id of RL_ADDRESS is a placeholder"],
    ["no rate limit of addresses", withoutLimit("RL_ADDRESS"), "the rate limit RL_ADDRESS is missing"],
    ["no rate limit of sessions", withoutLimit("RL_SESSION"), "the rate limit RL_SESSION is missing"],
    ["a sender at .example", set("MAIL_FROM", '"Acme <hello@acme.example>"'), "MAIL_FROM is still an example"],
    ["a sender at example.org", set("MAIL_FROM", '"hello@mail.example.org"'), "MAIL_FROM is still an example"],
    ["no sender", without("MAIL_FROM"), "MAIL_FROM must be an address"],
    ["no route", without("routes"), "no route leads from support.acme-it.net to the worker"],
    ["a route of another host", set("routes", '["www.acme-it.net/*"]'), "no route leads from support.acme-it.net"],
    ["an example address", set("APP_ORIGIN", '"https://wrenfield.example"'), "APP_ORIGIN is still an example"],
    ["an address without TLS", set("APP_ORIGIN", '"http://support.acme-it.net"'), "must be the https address"],
    ["no address", without("APP_ORIGIN"), "must be the https address"],
    ["the environment of tests", set("APP_ENV", '"test"'), "APP_ENV must be production"],
    ["captured mail", set("MAIL_PROVIDER", '"capture"'), "MAIL_PROVIDER=capture"],
    ["half a line", set("APP_ORIGIN", ""), "wrangler.toml cannot be used."],
  ])("%s", async (_name, edit, sentence) => {
    const before = site.text();
    onTestFinished(() => site.edit(() => before));
    site.edit(edit);
    const problem = await productionProblem(undefined, site.files.settings);
    expect(problem).toContain(sentence);
    expect(problem).not.toContain("\n");
    await expect(site.deploy()).rejects.toThrow(sentence);
    expect(site.wrangler.calls).toEqual([]);
  });

  test("an environment that is not in it", async () => {
    await expect(site.deploy({ env: "staging" })).rejects.toThrow("There is no [env.staging] in it");
  });
});

test.each([
  [{ routes: [{ pattern: "a.acme-it.net", custom_domain: true }] }, true],
  [{ routes: [{ pattern: "a.acme-it.net/*", zone_name: "acme-it.net" }] }, true],
  [{ routes: ["*.acme-it.net/*"] }, true],
  [{ route: "a.acme-it.net/*" }, true],
  [{ routes: ["a.acme-it.net/portal/*"] }, false],
  [{ routes: [{ pattern: "acme-it.net", custom_domain: true }] }, false],
  [{ workers_dev: true }, false],
  [{}, false],
])("%j serves a.acme-it.net: %s", (settings, serves) => {
  expect(servesHost({ name: "a", ...settings }, "a.acme-it.net")).toBe(serves);
});

test("an address at workers.dev is served only while workers_dev is on, under the worker's own name", () => {
  expect(servesHost({ name: "a", workers_dev: true }, "a.acme.workers.dev")).toBe(true);
  expect(servesHost({ name: "b", workers_dev: true }, "a.acme.workers.dev")).toBe(false);
  expect(servesHost({ name: "a", workers_dev: false }, "a.acme.workers.dev")).toBe(false);
});

test("who is not signed in changes nothing", async () => {
  const site = await deployedSite();
  site.change((account) => Object.assign(account, { signedIn: false }));
  await expect(site.deploy()).rejects.toThrow("Not signed in to Cloudflare");
  expect(site.changes()).toEqual([]);
});

test("a missing key is named before anything is changed, and not made by an ordinary deployment", async () => {
  const site = await deployedSite();
  site.loseKey("FORM_KEY_1");
  await expect(site.deploy()).rejects.toThrow("The worker has no FORM_KEY_1: every page would answer 503.");
  expect(site.changes()).toEqual([]);
});

test("a data key that was exchanged is not missed", async () => {
  const site = await deployedSite();
  site.change(({ workers: { wrenfield } }) => Object.assign(wrenfield?.secrets ?? {}, { DATA_KEK_2: "another" }));
  site.loseKey("DATA_KEK_1");
  site.world.fetch = async () => new Response("{}");
  await site.deploy();
});

test("a variable that the worker would refuse is named before anything is changed", async () => {
  const site = await deployedSite();
  site.edit((text) => text.replace('MAIL_PROVIDER = "cloudflare"', 'MAIL_PROVIDER = "http"'));
  await expect(site.deploy()).rejects.toThrow("MAIL_PROVIDER: http needs MAIL_API_URL and MAIL_API_KEY");
  expect(site.changes()).toEqual([]);
});

test("a database that began with migrations of an earlier version is left alone", async () => {
  const site = await deployedSite();
  await site.rows("update d1_migrations set name = '0000_of_yesterday.sql' where id = 1");
  site.wrangler.calls.length = 0;
  for (const deployment of [site.deploy(), site.first()]) {
    await expect(deployment).rejects.toThrow(
      "The deployed database was made by an earlier version: it began with 0000_of_yesterday.sql",
    );
  }
  expect(site.changes()).toEqual([]);
});

test("a version that is older than the database is deployed, because migrations only add", async () => {
  const site = await deployedSite();
  await site.rows("insert into d1_migrations(name) values ('0048_of_tomorrow.sql')");
  await site.deploy();
});

test("whoever wants to go back is told how, with what keeps the copies of the audit right", async () => {
  const site = await deployedSite();
  site.world.fetch = async () => new Response("", { status: 500 });
  await expect(site.deploy()).rejects.toThrow(
    /answers 500[\s\S]*npx wrangler rollback\n {2}npm run restore:bookmark -- 00000001-/,
  );
  site.wrangler.failOnce("deploy");
  await expect(site.deploy()).rejects.toThrow(/The database is migrated[\s\S]*npm run restore:bookmark -- 00000001-/);
});

test("a lost network is told apart from other failures", async () => {
  const site = await deployedSite();
  site.wrangler.failOnce("d1 migrations apply");
  await expect(site.deploy()).rejects.toThrow(
    /`wrangler d1 migrations apply` failed: [\s\S]*Cloudflare cannot be reached from here/,
  );
  await site.deploy();
});

const shell = "sh -c node scripts/build-for-wrangler.mjs";

test.each([
  ["node node_modules/wrangler/bin/wrangler.js deploy", "yes"],
  ["node node_modules/wrangler/bin/wrangler.js deploy --dry-run=false", "yes"],
  ["node node_modules/wrangler/bin/wrangler.js deploy --dry-run", "no"],
  ["npm exec wrangler deploy --dryRun --outdir out", "no"],
])("a call of %s is a deployment: %s", (line, state) => {
  expect(deploymentState("deploy", [shell, line])).toBe(state);
});

test("a command that deploys nothing is no deployment, whatever can be read", () => {
  for (const command of ["dev", "types", undefined]) expect(deploymentState(command, [])).toBe("no");
});

test("where no command line can be read, nobody knows whether it is a dry run", () => {
  expect(deploymentState("deploy", [])).toBe("unknown");
  expect(deploymentState("versions upload", [shell, "npm run something"])).toBe("unknown");
});

test.each([
  ["node node_modules/wrangler/bin/wrangler.js deploy --env staging", "staging"],
  ["npm exec wrangler deploy --env=staging", "staging"],
  ["npm exec wrangler deploy -e staging", "staging"],
  ["npm exec wrangler deploy", undefined],
])("a call of %s is for the environment %s", (line, env) => {
  expect(environmentOf([shell, line])).toBe(env);
});

test.each(["sh -e deploy.sh", "bash -e -o pipefail release.sh"])("%s around it names no environment", (script) => {
  expect(environmentOf([shell, "node node_modules/wrangler/bin/wrangler.js deploy", script])).toBeUndefined();
});

test("several accounts: one of them is named, and written down", async () => {
  const site = newInstallation();
  const accounts = ["a", "b"].map((letter) => ({ id: letter.repeat(32), name: letter }));
  site.change((account) => Object.assign(account, { accounts }));
  await expect(site.first()).rejects.toThrow("--account");
  const answers = ["c", "b".repeat(32)];
  await site.first(ANSWERS, { ask: async () => answers.shift() ?? "" });
  expect(await site.settings()).toMatchObject({ account_id: "b".repeat(32) });
  await site.first();
  await expect(site.first({ account: "c".repeat(32) })).rejects.toThrow("not to the account ccc");
});

test("a trial answers at workers.dev, and moves to a domain later", async () => {
  const site = newInstallation();
  await site.first({ ...ANSWERS, origin: "https://wrenfield.acme.workers.dev" });
  expect(await site.settings()).toMatchObject({ workers_dev: true, routes: undefined });
  await site.first({ origin: "https://support.acme-it.net" });
  expect(await site.settings()).toMatchObject({ workers_dev: false, routes: [{ pattern: "support.acme-it.net" }] });
});

test("the end of a trial's address is what the account has chosen", async () => {
  const site = newInstallation();
  await expect(site.first({ ...ANSWERS, origin: "https://wrenfield.other.workers.dev" })).rejects.toThrow(
    "The worker answers at https://wrenfield.acme.workers.dev",
  );
});

test("a second environment has stores, keys and an address of its own", async () => {
  const site = await deployedSite();
  const [text, before] = [site.text(), await site.settings()];
  await site.first({ ...ANSWERS, origin: "https://staging.acme-it.net" }, { env: "staging" });
  const { databases, namespaces, buckets, workers, hosts } = site.wrangler.account();
  expect([databases.length, namespaces.length, buckets.length]).toEqual([2, 2, 2]);
  expect(workers["wrenfield-staging"].secrets.DATA_KEK_1).not.toBe(workers.wrenfield.secrets.DATA_KEK_1);
  expect(hosts).toEqual({ "support.acme-it.net": "wrenfield", "staging.acme-it.net": "wrenfield-staging" });
  expect(site.text().startsWith(text.trimEnd())).toBe(true);
  const staging = await site.settings("staging");
  expect(staging.durable_objects.bindings).toMatchObject([{ name: "LIVE", class_name: "LiveHub" }]);
  expect(staging.send_email).toMatchObject([{ name: "MAIL" }]);
  expect(staging.ratelimits[0]?.namespace_id).not.toBe(before.ratelimits[0]?.namespace_id);
  await site.deploy({ env: "staging" });
  await site.deploy();
});

test("an environment cannot have the address of production, and nothing is made for it", async () => {
  const site = await deployedSite();
  const before = site.text();
  await expect(site.first({ ...ANSWERS, "take-over": true }, { env: "staging" })).rejects.toThrow(
    "support.acme-it.net is that of another environment too",
  );
  expect(site.text()).toBe(before);
  expect(site.wrangler.account().databases).toHaveLength(1);
  expect(site.wrangler.account().hosts).toEqual({ "support.acme-it.net": "wrenfield" });
});

test("an environment is written only when everything is answered", async () => {
  const site = await deployedSite();
  const before = site.text();
  await expect(site.first({}, { env: "staging" })).rejects.toThrow(/--origin .*\n.*--name .*\n.*--location /);
  const interrupted = async () => Promise.reject(new Error("Interrupted"));
  await expect(site.first({}, { env: "staging", ask: interrupted })).rejects.toThrow("Interrupted");
  await expect(site.first({ ...ANSWERS, location: "moon" }, { env: "staging" })).rejects.toThrow("--location=moon");
  expect(site.text()).toBe(before);
});

test("another mail service gets its key, which is asked for in no flag", async () => {
  const site = newInstallation();
  const http = { ...ANSWERS, "mail-provider": "http", "mail-api-url": "https://mail.acme-it.net/send" };
  await expect(site.first(http)).rejects.toThrow("MAIL_API_KEY");
  const asked: [string, object?][] = [];
  await site.first(http, {
    ask: async (...question) => {
      asked.push(question);
      return "secret";
    },
  });
  expect(asked).toEqual([["Key of the mail service", { isSecret: true }]]);
  expect(site.wrangler.account().workers.wrenfield.secrets.MAIL_API_KEY).toBe("secret");
});

test.each([
  ["is not shown while it is typed", { isSecret: true }, "Key: \n"],
  ["else is shown", {}, expect.stringContaining("typed-key")],
])("at a terminal a secret %s", async (_, options, shown) => {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY: true });
  const answered = askAtTerminal("Key", options, { input, output });
  input.write("typed-key\r");
  expect(await answered).toBe("typed-key");
  expect(output.read().toString()).toEqual(shown);
});
