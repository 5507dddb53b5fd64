import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { productionProblem, servesHost } from "../../../scripts/lib/production-settings.mjs";
import { alone } from "../../../scripts/lib/with-lock.mjs";
import { ANSWERS, newInstallation } from "../../support/deployment";

async function deployedSite() {
  const site = newInstallation();
  await site.first();
  site.wrangler.calls.length = 0;
  return site;
}

const changing = /create|apply|bulk|put|deploy|enable|add/;

test("a deployment takes a bookmark, migrates, deploys, and prints a code while nobody is administrator", async () => {
  const site = await deployedSite();
  writeFileSync(path.join(site.files.migrations, "0002_more.sql"), "create table more(id);");
  await site.deploy();
  expect(site.wrangler.calls.map(({ name }) => name).slice(-3)).toEqual([
    "d1 time-travel info",
    "d1 migrations apply",
    "deploy",
  ]);
  expect(site.printed.at(-1)).toContain("code-2");
});

describe("wrangler.toml is refused before anything is changed, in one sentence", () => {
  test.each([
    [
      "a placeholder for D1",
      /database_id = "(?!0000).*"/,
      'database_id = "00000000-0000-0000-0000-000000000001"',
      "database_id is a placeholder",
    ],
    ["no id of D1", /^database_id = .*\n/m, "", "database_id is a placeholder"],
    [
      "a placeholder for KV",
      /^id = .*/m,
      'id = "00000000000000000000000000000001"',
      "the KV namespace is a placeholder",
    ],
    ["a placeholder for R2", /^bucket_name = .*/m, 'bucket_name = "placeholder-files"', "bucket_name is a placeholder"],
    ["no bucket", /\[\[r2_buckets\]\]\n(.+\n)+/, "", "bucket_name is a placeholder"],
    [
      "the rate limit of the documentation",
      /namespace_id = .*/,
      'namespace_id = "1001"',
      "namespace_id of the rate limit",
    ],
    [
      "a sender at .example",
      /MAIL_FROM = .*/,
      'MAIL_FROM = "Acme <hello@acme.example>"',
      "MAIL_FROM is still an example",
    ],
    [
      "a sender at example.org",
      /MAIL_FROM = .*/,
      'MAIL_FROM = "hello@mail.example.org"',
      "MAIL_FROM is still an example",
    ],
    ["no sender", /MAIL_FROM = .*\n/, "", "MAIL_FROM must be an address"],
    ["no route", /^routes = .*\n/m, "", "no route leads from support.acme-it.net to the worker"],
    ["a route of another host", /^(routes = .*)"support/m, '$1"www', "no route leads from support.acme-it.net"],
    [
      "an example address",
      /APP_ORIGIN = .*/,
      'APP_ORIGIN = "https://wrenfield.example"',
      "APP_ORIGIN is still an example",
    ],
    ["an address without TLS", /APP_ORIGIN = "https/, 'APP_ORIGIN = "http', "must be the https address"],
    ["no address", /^APP_ORIGIN = .*\n/m, "", "must be the https address"],
    ["the environment of tests", /APP_ENV = .*/, 'APP_ENV = "test"', "APP_ENV must be production"],
    ["captured mail", /MAIL_PROVIDER = .*/, 'MAIL_PROVIDER = "capture"', "MAIL_PROVIDER=capture"],
    ["half a line", /APP_ORIGIN = .*/, "APP_ORIGIN =", "wrangler.toml cannot be used."],
  ])("%s", async (_name, from, to, sentence) => {
    const site = await deployedSite();
    site.edit((text) => text.replace(from, to));
    const problem = await productionProblem(undefined, site.files.settings);
    expect(problem).toContain(sentence);
    expect(problem).not.toContain("\n");
    await expect(site.deploy()).rejects.toThrow(sentence);
    expect(site.wrangler.calls).toEqual([]);
  });

  test("an environment that is not in it", async () => {
    const site = await deployedSite();
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
  site.wrangler.change((account: { signedIn: boolean }) => {
    account.signedIn = false;
  });
  await expect(site.deploy()).rejects.toThrow("Not signed in to Cloudflare");
  expect(site.wrangler.calls.filter(({ name }) => changing.test(name))).toEqual([]);
});

test("a missing key is named before anything is changed, and not made by an ordinary deployment", async () => {
  const site = await deployedSite();
  site.wrangler.change((account: { workers: Record<string, { secrets: Record<string, string> }> }) => {
    delete account.workers.wrenfield?.secrets.FORM_KEY_1;
  });
  await expect(site.deploy()).rejects.toThrow("The worker has no FORM_KEY_1: every page would answer 503.");
  expect(site.wrangler.calls.filter(({ name }) => changing.test(name))).toEqual([]);
});

test("a data key that was exchanged is not missed", async () => {
  const site = await deployedSite();
  site.wrangler.change((account: { workers: Record<string, { secrets: Record<string, string | undefined> }> }) => {
    const secrets = account.workers.wrenfield?.secrets ?? {};
    secrets.DATA_KEK_2 = secrets.DATA_KEK_1;
    delete secrets.DATA_KEK_1;
    site.world.fetch = async () => new Response("{}");
  });
  await site.deploy();
});

test("a variable that the worker would refuse is named before anything is changed", async () => {
  const site = await deployedSite();
  site.edit((text) => text.replace('MAIL_PROVIDER = "cloudflare"', 'MAIL_PROVIDER = "http"'));
  await expect(site.deploy()).rejects.toThrow("MAIL_PROVIDER: http needs MAIL_API_URL and MAIL_API_KEY");
  expect(site.wrangler.calls.filter(({ name }) => changing.test(name))).toEqual([]);
});

test("a database with migrations of another version is left alone", async () => {
  const site = await deployedSite();
  const insert = "insert into d1_migrations(name) values ('0048_of_yesterday.sql')";
  await site.world.run(["d1", "execute", "DB", "--command", insert], {});
  site.wrangler.calls.length = 0;
  await expect(site.deploy()).rejects.toThrow(
    "it has the migration 0048_of_yesterday.sql, which this checkout does not have",
  );
  await expect(site.first()).rejects.toThrow("0048_of_yesterday.sql");
  expect(site.wrangler.calls.filter(({ name }) => changing.test(name))).toEqual([]);
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

test("of two deployments of a checkout at the same time one is refused", async () => {
  const site = newInstallation();
  const both = [
    alone("deploying-twice", () => site.first(ANSWERS)),
    alone("deploying-twice", () => site.first(ANSWERS)),
  ];
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(site.wrangler.account().databases).toHaveLength(1);
  await alone("deploying-twice", async () => undefined);
});
