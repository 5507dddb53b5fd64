import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askAtTerminal } from "../../../scripts/lib/deployment-questions.mjs";
import { ANSWERS, newInstallation } from "../../support/deployment";

test("several accounts: one of them is named, and written down", async () => {
  const site = newInstallation();
  const accounts = ["a", "b"].map((letter) => ({ id: letter.repeat(32), name: letter }));
  site.wrangler.change((account: { accounts: unknown }) => {
    account.accounts = accounts;
  });
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
  const site = newInstallation();
  await site.first();
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
  const site = newInstallation();
  await site.first();
  const before = site.text();
  await expect(site.first({ ...ANSWERS, "take-over": true }, { env: "staging" })).rejects.toThrow(
    "support.acme-it.net is that of another environment too",
  );
  expect(site.text()).toBe(before);
  expect(site.wrangler.account().databases).toHaveLength(1);
  expect(site.wrangler.account().hosts).toEqual({ "support.acme-it.net": "wrenfield" });
});

test("an environment is written only when everything is answered", async () => {
  const site = newInstallation();
  await site.first();
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
