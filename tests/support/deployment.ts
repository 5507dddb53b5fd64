import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { checkDeployment, deploy } from "../../scripts/lib/deployment.mjs";
import { prepareFirstDeployment } from "../../scripts/lib/first-deployment.mjs";
import { productionSettings } from "../../scripts/lib/production-settings.mjs";
import { remoteDatabase } from "../../scripts/lib/wrangler.mjs";
import { stubWrangler } from "./stub-wrangler.mjs";

const MIGRATIONS: Record<string, string> = {
  "0000_people.sql": "create table users(id integer primary key); create table user_roles(user_id, role);",
  "0001_settings.sql":
    "create table settings(key text primary key, value_json text, updated_at integer, version integer default 1);",
};

/** Answers every question of a first deployment, as a pipeline does. */
export const ANSWERS = {
  origin: "https://support.acme-it.net",
  location: "weur",
  "mail-from": "Acme IT <hello@acme-it.net>",
  yes: true,
};

/** Creates a checkout's settings and migrations, and an empty account at Cloudflare, in a folder of their own. */
export function newInstallation(migrations = MIGRATIONS) {
  const folder = mkdtempSync(path.join(tmpdir(), "wrenfield-deployment-"));
  const files = { settings: path.join(folder, "wrangler.toml"), migrations: path.join(folder, "migrations") };
  copyFileSync(path.resolve(import.meta.dirname, "../../wrangler.toml"), files.settings);
  mkdirSync(files.migrations);
  for (const [name, sql] of Object.entries(migrations)) writeFileSync(path.join(files.migrations, name), sql);
  const wrangler = stubWrangler(path.join(folder, "account"), files);
  const printed: string[] = [];
  const print = (text: string) => {
    printed.push(text);
  };
  /** Passes at once: nobody waits for a certificate in a test. */
  let time = 0;
  const clock = {
    now: () => time,
    wait: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
  const world = {
    run: wrangler.run,
    fetch: async (url: string) => answer(new URL(url), wrangler.account()),
    print,
    clock,
    files,
  };
  const change = (alter: (account: Account) => void) => wrangler.change(alter);
  type Ask = (question: string, options?: { suggestion?: string; isSecret?: boolean }) => Promise<string>;
  type Options = { env?: string; ask?: Ask; flags?: Record<string, unknown> };
  return {
    files,
    printed,
    wrangler,
    world,
    text: () => readFileSync(files.settings, "utf8"),
    settings: (env?: string) => productionSettings(env, files.settings),
    edit: (alter: (text: string) => string) =>
      writeFileSync(files.settings, alter(readFileSync(files.settings, "utf8"))),
    /** Calls that change something at Cloudflare. */
    changes: () =>
      wrangler.calls.filter(
        ({ name, args }) => args.includes("--file") || /create|apply|bulk|put|deploy|enable|add/.test(name),
      ),
    change,
    leadTo: (owner: string, host = "support.acme-it.net") =>
      change(({ hosts }) => Object.assign(hosts, { [host]: owner })),
    loseKey: (name: string) => change(({ workers }) => void delete workers.wrenfield?.secrets[name]),
    /** Has wrangler fail from now on where that is so. */
    failWhere: (isFailing: (args: string[]) => boolean, output = "fetch failed") => {
      world.run = async (args, options) => (isFailing(args) ? { code: 1, output } : wrangler.run(args, options));
    },
    /** Asks the deployed database, or changes it. */
    rows: (sql: string): Promise<Record<string, unknown>[]> => remoteDatabase(world).query(sql),
    /** Does what `npm run deploy` does, without the build. */
    async deploy({ env, ask, flags = {} }: Options = {}) {
      const origin = await checkDeployment({ ...world, env, flags, ask: ask ?? null });
      await deploy({ ...world, env, ask: ask ?? null }, origin);
    },
    /** Does what `npm run deploy -- --first` does, without the build. */
    async first(flags: Record<string, unknown> = ANSWERS, { env, ask }: Options = {}) {
      await prepareFirstDeployment({ ...world, env, flags, ask: ask ?? null });
      const origin = await checkDeployment({ ...world, env }, { isFirst: true });
      await deploy({ ...world, env, ask: ask ?? null }, origin, { isFirst: true });
    },
  };
}

type Account = {
  namespaces: { keys: unknown[] }[];
  buckets: { objects: number }[];
  hosts: Record<string, string>;
  workers: Record<string, { secrets: Record<string, string | undefined>; vars?: Record<string, string> }>;
};

/** Returns an installation that was deployed, and has called nothing since. */
export async function deployedSite(migrations = MIGRATIONS) {
  const site = newInstallation(migrations);
  await site.first();
  site.wrangler.calls.length = 0;
  return site;
}

/** Answers as the network does: DNS over HTTPS, and the site where a worker answers. */
function answer(url: URL, account: Account): Response {
  if (url.hostname === "cloudflare-dns.com") {
    const host = url.searchParams.get("name") ?? "";
    return Response.json(host in account.hosts ? { Status: 0, Answer: [{ data: "192.0.2.1" }] } : { Status: 3 });
  }
  const owner = account.hosts[url.hostname];
  if (!owner) throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ENOTFOUND" } });
  const worker = account.workers[owner];
  if (!worker) return new Response("Another site", { status: 200 });
  const needed = ["PASSWORD_PEPPER_1", "DATA_KEK_1", "FORM_KEY_1", "LOG_HMAC_KEY"];
  if (!needed.every((name) => worker.secrets[name])) {
    return new Response("The setup of this site is not complete yet.", { status: 503 });
  }
  if (worker.vars?.APP_ORIGIN !== url.origin) return new Response("", { status: 421 });
  return Response.json({ status: "ok", build: "1" });
}
