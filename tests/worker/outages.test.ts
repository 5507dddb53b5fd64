import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestHarness } from "wrangler";
import { testSecrets, testVariables } from "../support/test-variables.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const started: { close: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const server of started) await server.close();
});

/** The built worker in a world of which a part is missing. */
async function workerWith({
  vars = {},
  secrets = testSecrets,
}: {
  vars?: Record<string, string>;
  secrets?: typeof testSecrets;
}) {
  const server = createTestHarness({
    root,
    workers: [{ configPath: "wrangler.toml", prebuiltWorkerDir: "dist", vars: { ...testVariables, ...vars }, secrets }],
  });
  started.push(server);
  await server.listen();
  return (address: string) => server.fetch(`http://localhost:8787${address}`);
}

test("a database that was not migrated says what to run instead of failing blankly", async () => {
  const fetch = await workerWith({});
  const response = await fetch("/healthz");
  expect(response.status).toBe(503);
  const page = await fetch("/dev/mail");
  expect(page.status).toBe(503);
  expect(page.headers.get("Retry-After")).toBeTruthy();
  expect(await page.text()).toContain("Database update needed");
});

test("pages that need no database answer without one", async () => {
  const fetch = await workerWith({});
  expect((await fetch("/contact")).status).toBe(200);
});

test("a key left empty closes every page, and no answer names it", async () => {
  const fetch = await workerWith({ secrets: { ...testSecrets, PASSWORD_PEPPER_1: "" } });
  const response = await fetch("/contact");
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("PEPPER");
});

test("a key that is too short to be one closes every page", async () => {
  const fetch = await workerWith({ secrets: { ...testSecrets, DATA_KEK_1: btoa("short") } });
  expect((await fetch("/contact")).status).toBe(503);
});

test("capturing mail is rejected in production", async () => {
  const fetch = await workerWith({ vars: { APP_ENV: "production" } });
  expect((await fetch("/contact")).status).toBe(503);
});

test("captured mail cannot be read in production, and no timing is told", async () => {
  const fetch = await workerWith({ vars: { APP_ENV: "production", MAIL_PROVIDER: "cloudflare" } });
  expect((await fetch("/dev/mail.json")).status).toBe(404);
  expect((await fetch("/contact")).headers.get("Server-Timing")).toBeNull();
});
