import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { productionProblem } from "../../../scripts/lib/production-settings.mjs";
import { ANSWERS, deployedSite, newInstallation } from "../../support/deployment";

const KEYS = ["DATA_KEK_1", "FORM_KEY_1", "LOG_HMAC_KEY", "PASSWORD_PEPPER_1"];

test("a clone becomes a site with one command", async () => {
  const site = newInstallation();
  expect(await productionProblem(undefined, site.files.settings)).toContain("not ready for production");
  await site.first();
  expect(await productionProblem(undefined, site.files.settings)).toBeNull();
  const { databases, namespaces, buckets, workers, sending, hosts } = site.wrangler.account();
  expect(databases).toMatchObject([{ name: "wrenfield", location: "weur" }]);
  expect(namespaces).toMatchObject([{ title: "wrenfield-sessions" }]);
  expect(buckets).toMatchObject([{ name: "wrenfield-files", locks: [{ prefix: "audit/", days: 400 }] }]);
  expect(Object.keys(workers.wrenfield.secrets).sort()).toEqual(KEYS);
  for (const key of Object.values<string>(workers.wrenfield.secrets)) expect(atob(key)).toHaveLength(32);
  expect(sending).toEqual(["acme-it.net"]);
  expect(hosts).toEqual({ "support.acme-it.net": "wrenfield" });
  expect(await site.settings()).toMatchObject({
    d1_databases: [{ binding: "DB", database_id: databases[0].uuid }],
    kv_namespaces: [{ binding: "SESSIONS", id: namespaces[0].id }],
    r2_buckets: [{ binding: "FILES", bucket_name: "wrenfield-files" }],
  });
  expect(site.printed.at(-2)).toBe("Deployed: https://support.acme-it.net");
  expect(site.printed.at(-1)).toMatch(/https:\/\/support\.acme-it\.net\/setup\?code=\S{40,}$/);
});

test("no key is printed or handed over where other programs could read it", async () => {
  const site = newInstallation();
  await site.first();
  const said = JSON.stringify([site.printed, site.wrangler.calls.map(({ args }) => args), site.text()]);
  for (const key of Object.values<string>(site.wrangler.account().workers.wrenfield.secrets))
    expect(said).not.toContain(key);
});

test("comments and everything else in wrangler.toml stay as they are", async () => {
  const site = newInstallation();
  const before = site.text().split("\n");
  await site.first();
  const after = site.text().split("\n");
  const keysOf = (lines: string[], others: string[]) =>
    lines.filter((line) => !others.includes(line)).map((line) => line.split(" = ")[0]);
  const changed = ["APP_ORIGIN", "MAIL_FROM", "database_id", "id", "bucket_name", "namespace_id", "namespace_id"];
  expect(keysOf(before, after)).toEqual(changed);
  expect(keysOf(after, before)).toEqual(["routes", ...changed]);
});

test("running it again makes nothing twice and replaces no key", async () => {
  const site = await deployedSite();
  const [text, { workers, ...stores }] = [site.text(), site.wrangler.account()];
  await site.first({});
  expect(site.text()).toBe(text);
  expect(site.wrangler.account()).toMatchObject(stores);
  expect(site.wrangler.account().workers.wrenfield).toEqual({ ...workers.wrenfield, deployments: 2 });
});

const COMMANDS = [
  "whoami",
  "email sending list",
  "d1 list",
  "d1 create",
  "kv namespace list",
  "kv namespace create",
  "r2 bucket create",
  "r2 bucket lock list",
  "r2 bucket lock add",
  "secret list",
  "secret bulk",
  "d1 execute",
  "email sending enable",
  "email sending dns get",
  "d1 time-travel info",
  "d1 migrations apply",
  "deploy",
];

const MAIL_EVENT_COMMANDS = [
  "queues create",
  "queues consumer add",
  "queues subscription list",
  "email routing list",
  "queues subscription create",
];

/** Leaves out what is drawn anew for each installation. */
const shapeOf = (site: ReturnType<typeof newInstallation>) => {
  const { databases, namespaces, buckets, workers, sending, hosts, overwritten = [] } = site.wrangler.account();
  return {
    databases: databases.map(({ name }: { name: string }) => name),
    namespaces: namespaces.map(({ title }: { title: string }) => title),
    buckets,
    keys: Object.keys(workers.wrenfield.secrets).sort(),
    sending,
    hosts,
    overwritten,
  };
};

const undisturbed = newInstallation();
beforeAll(() => undisturbed.first());

test.each(
  COMMANDS.flatMap((name) => [
    [name, "before"],
    [name, "after"],
  ]).filter(([name, when]) => name !== "deploy" || when === "before"),
)("the network is lost in `wrangler %s`, %s it did its work: the second run ends where one run would", async (name, when) => {
  const site = newInstallation();
  site.wrangler.failOnce(name, { after: when === "after" });
  await site.first().catch((error: Error) => error);
  expect(site.wrangler.calls.map((call) => call.name)).toContain(name);
  await site.first();
  expect(shapeOf(site)).toEqual(shapeOf(undisturbed));
  expect(await productionProblem(undefined, site.files.settings)).toBeNull();
});

test("what becomes of mails comes through a queue of the installation, connected once", async () => {
  const site = await deployedSite();
  await site.first({});
  const events = ["delivered", "deferred", "bounced", "failed", "rejected", "complained"];
  expect(site.wrangler.account().queues).toEqual({
    "wrenfield-mail-events": {
      consumers: ["wrenfield"],
      subscriptions: [
        { source: { type: "email.sending", domain: "acme-it.net" }, events: events.map((event) => `message.${event}`) },
      ],
    },
  });
});

test.each(
  MAIL_EVENT_COMMANDS,
)("the network is lost in `wrangler %s`: the site is deployed, and the next run connects it", async (name) => {
  const site = newInstallation();
  site.wrangler.failOnce(name);
  await site.first();
  expect(site.printed.join("\n")).toContain("Mail events: none");
  await site.first({});
  expect(site.wrangler.account().queues).toEqual(undisturbed.wrangler.account().queues);
});

test("an account without queues deploys all the same, and is told what it misses", async () => {
  const site = newInstallation();
  site.change((account) => Object.assign(account, { noQueues: true }));
  await site.first();
  expect(site.printed.join("\n")).toMatch(/Mail events: none \(.*You do not have access to Queues/);
  expect(site.printed.at(-2)).toBe("Deployed: https://support.acme-it.net");
});

test("the network is lost after the deployment did its work: that the host is ours has to be said", async () => {
  const site = newInstallation();
  site.wrangler.failOnce("deploy", { after: true });
  await expect(site.first()).rejects.toThrow("fetch failed");
  await expect(site.first()).rejects.toThrow("support.acme-it.net leads to a site already, not known to be this one");
  await site.first({ ...ANSWERS, "take-over": true });
  expect(shapeOf(site)).toEqual(shapeOf(undisturbed));
});

test("without a terminal it never asks, and names all flags that are missing at once", async () => {
  const site = newInstallation();
  const missing = /--origin .*\n.*--name .*\n.*--location .*\n.*--mail-from .*\n.*--mail-provider /;
  await expect(site.first({})).rejects.toThrow(missing);
  expect(site.wrangler.calls).toEqual([]);
});

test("at a terminal it asks, and asks again after an answer that cannot be used", async () => {
  const site = newInstallation();
  const answers = ["http://support.acme-it.net", "https://support.acme-it.net", "", "eu", "hello@acme.example"];
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? (question.startsWith("Sender") ? "hello@acme-it.net" : "");
  };
  await site.first({}, { ask });
  expect(asked.filter((question) => question.startsWith("Address"))).toHaveLength(2);
  expect(asked.filter((question) => question.startsWith("Sender"))).toHaveLength(2);
  const { databases, namespaces, buckets } = site.wrangler.account();
  for (const [store] of [databases, namespaces, buckets]) expect(store).toMatchObject({ jurisdiction: "eu" });
  expect((await site.settings()).r2_buckets).toMatchObject([{ jurisdiction: "eu" }]);
});

test.each([
  ["origin", "https://support.acme-it.net:8443"],
  ["origin", "https://wrenfield.example"],
  ["origin", "https://support.acme-it.net/path"],
  ["origin", "http://support.acme-it.net"],
  ["name", "My Site"],
  ["location", "moon"],
  ["jurisdiction", "weur"],
  ["mail-from", "hello@example.com"],
  ["mail-from", 'Acme "IT" <hello@acme-it.net>'],
  ["mail-provider", "capture"],
])("--%s=%s is refused before anything is done", async (flag, value) => {
  const site = newInstallation();
  const before = site.text();
  await expect(site.first({ ...ANSWERS, [flag]: value })).rejects.toThrow(`--${flag}=${value} cannot be used.`);
  expect(site.text()).toBe(before);
  expect(site.wrangler.calls).toEqual([]);
});

test("a domain of somebody else is refused before anything is made", async () => {
  const site = newInstallation();
  await expect(site.first({ ...ANSWERS, origin: "https://support.other.net" })).rejects.toThrow(
    "The domain of support.other.net is not in this account.",
  );
  expect(site.wrangler.account()).toMatchObject({ databases: [], buckets: [], workers: {} });
  await site.first();
});

describe("a host that leads somewhere already is taken only when somebody says so", () => {
  type Answer = () => Response | Promise<Response>;
  const failing = (code: string) => async () => {
    throw Object.assign(new TypeError("fetch failed"), { cause: { code } });
  };
  const ours = () => Response.json({ status: "ok", build: "1" });

  /** Returns an installation whose host is another's, and answers so. */
  function siteBehind(answer: Answer) {
    const site = newInstallation();
    const { fetch } = site.world;
    site.leadTo("another");
    site.world.fetch = async (url: string) => {
      const { hostname } = new URL(url);
      return site.wrangler.account().hosts[hostname] === "another" ? answer() : fetch(url);
    };
    return site;
  }

  test.each([
    ["a shop", () => new Response("A shop")],
    ["another installation of this product, which is well", ours],
    ["another installation, which misses its keys", () => new Response("not complete yet", { status: 503 })],
    ["another installation, which has another address", () => new Response("", { status: 421 })],
    ["a site whose certificate has expired", failing("CERT_HAS_EXPIRED")],
    ["a site with a certificate of another host", failing("ERR_TLS_CERT_ALTNAME_INVALID")],
    ["something that does not answer", failing("ECONNREFUSED")],
  ] as [string, Answer][])("%s", async (_, answer) => {
    const site = siteBehind(answer);
    const before = site.text();
    await expect(site.first()).rejects.toThrow("support.acme-it.net leads to a site already");
    await expect(site.first()).rejects.toThrow("--take-over");
    await expect(site.first(ANSWERS, { ask: async () => "no" })).rejects.toThrow("Stopped");
    expect(site.text()).toBe(before);
    expect(site.wrangler.account()).toMatchObject({ databases: [], buckets: [], workers: {} });
    await site.first({ ...ANSWERS, "take-over": true });
    expect(site.wrangler.account().hosts).toEqual({ "support.acme-it.net": "wrenfield" });
  });

  test.each([
    ["answers that it failed", async () => Response.json({ Status: 2 })],
    ["does not answer", failing("ECONNREFUSED")],
  ])("a host of which nobody knows anything, because the name service %s", async (_, answer) => {
    const site = newInstallation();
    site.world.fetch = answer;
    await expect(site.first()).rejects.toThrow("It cannot be seen from here whether support.acme-it.net");
  });

  test("a route that somebody wrote by hand into a fresh file is no proof of ownership", async () => {
    const site = siteBehind(ours);
    const route = 'routes = [{ pattern = "support.acme-it.net", custom_domain = true }]';
    site.edit((text) => text.replace(/^# routes = .*$/m, route));
    await expect(site.first()).rejects.toThrow("--take-over");
  });

  test("one that became another's after a first run had stopped before its deployment", async () => {
    const site = newInstallation();
    site.wrangler.failOnce("deploy");
    await expect(site.first()).rejects.toThrow("fetch failed");
    site.leadTo("another");
    await expect(site.first()).rejects.toThrow("--take-over");
    await expect(site.deploy()).rejects.toThrow("--take-over");
    expect(site.wrangler.account().hosts["support.acme-it.net"]).toBe("another");
  });

  test("one that the last deployment was to is ours, whatever answers there", async () => {
    const site = await deployedSite();
    site.world.fetch = failing("CERT_HAS_EXPIRED");
    await expect(site.first({})).rejects.toThrow("no certificate for support.acme-it.net yet");
    expect(site.printed).toContain("Address: support.acme-it.net, as before");
  });
});

test("stores that hold something are used only when somebody says so", async () => {
  const site = newInstallation();
  const clone = site.text();
  await site.first();
  const { databases, namespaces, buckets } = site.wrangler.account();
  site.change((account) => {
    account.namespaces[0]?.keys.push({ name: "session" });
    if (account.buckets[0]) account.buckets[0].objects = 3;
  });
  // Another clone knows nothing of the settings of the first, and has the same account.
  site.edit(() => clone);
  const answers = { ...ANSWERS, "take-over": true };
  const ask = async (question: string) => (question.includes("exists already") ? "no" : "yes");
  await expect(site.first(answers)).rejects.toThrow("A database called wrenfield exists already");
  await expect(site.first(answers, { ask })).rejects.toThrow("Stopped");
  expect(site.text()).toContain('database_id = "00000000-0000-0000-0000-000000000001"');
  await site.first({ ...answers, "use-existing": true });
  const after = site.wrangler.account();
  expect([after.databases, after.namespaces.length, after.buckets.length]).toEqual([databases, 1, 1]);
  expect([namespaces.length, buckets.length]).toEqual([1, 1]);
});

test("a key that is lost is not replaced while accounts depend on it", async () => {
  const site = newInstallation();
  const keys = path.join(path.dirname(site.files.settings), "keys.json");
  await site.first({ ...ANSWERS, keys });
  const { secrets } = site.wrangler.account().workers.wrenfield;
  expect(statSync(keys).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(keys, "utf8"))).toEqual(secrets);
  const { database_id } = (await site.settings()).d1_databases[0] ?? {};
  await site.world.run(["d1", "execute", String(database_id), "--command", "insert into users values (1)"], {});
  site.loseKey("DATA_KEK_1");
  await expect(site.deploy()).rejects.toThrow("The worker has no DATA_KEK_1");
  await expect(site.first()).rejects.toThrow("Put the old one back");
  expect(site.wrangler.account().workers.wrenfield.secrets).not.toHaveProperty("DATA_KEK_1");
  await site.first({ ...ANSWERS, keys });
  expect(site.wrangler.account().workers.wrenfield.secrets).toEqual(secrets);
});

test.each([
  ["read", JSON.stringify(Object.fromEntries(KEYS.map((name) => [name, btoa("k".repeat(32))])))],
  ["added to", "{}"],
])("a file of keys that everybody could read is nobody else's after it was %s", async (_, content) => {
  const site = newInstallation();
  const keys = path.join(path.dirname(site.files.settings), "keys.json");
  writeFileSync(keys, content, { mode: 0o644 });
  await site.first({ ...ANSWERS, keys });
  expect(statSync(keys).mode & 0o777).toBe(0o600);
});

test("a file of an unusual form is left as it is, and the value is named", async () => {
  const site = newInstallation();
  site.edit((text) => text.replace("[vars]", '[ "vars" ]'));
  const before = site.text();
  await expect(site.first()).rejects.toThrow(/set APP_ORIGIN = .* of \[vars\] by hand/);
  expect(site.text()).toBe(before);
  expect(existsSync(site.files.settings.replace(".toml", ".new.toml"))).toBe(false);
  writeFileSync(site.files.settings, "name = [");
  await expect(site.first()).rejects.toThrow("wrangler.toml cannot be used.");
});
