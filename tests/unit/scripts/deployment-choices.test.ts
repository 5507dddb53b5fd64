import { expect, test } from "vitest";
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

test("an environment cannot have the address of production", async () => {
  const site = newInstallation();
  await site.first();
  await expect(site.first(ANSWERS, { env: "staging" })).rejects.toThrow("that of another environment too");
  expect(site.wrangler.account().hosts).toEqual({ "support.acme-it.net": "wrenfield" });
});

test("another mail service gets its key, which is asked for in no flag", async () => {
  const site = newInstallation();
  const http = { ...ANSWERS, "mail-provider": "http", "mail-api-url": "https://mail.acme-it.net/send" };
  await expect(site.first(http)).rejects.toThrow("MAIL_API_KEY");
  await site.first({ ...http, "mail-api-key": "secret" });
  expect(site.wrangler.account().workers.wrenfield.secrets.MAIL_API_KEY).toBe("secret");
});
