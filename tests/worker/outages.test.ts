import { afterAll, expect, test } from "vitest";
import { type BuiltWorker, startUnmigratedWorker } from "../support/built-worker";
import { testSecrets } from "../support/test-variables.mjs";

const started: BuiltWorker[] = [];
afterAll(async () => {
  for (const server of started) await server.close();
});

/** Starts the built worker without migrations, with other variables or secrets. Returns a function that fetches. */
async function workerWith(settings: Parameters<typeof startUnmigratedWorker>[0]) {
  const server = await startUnmigratedWorker(settings);
  started.push(server);
  return (address: string) => server.fetch(`http://localhost:8787${address}`);
}

let unmigrated: ReturnType<typeof workerWith> | undefined;

test("without migrations the error page says what to run", async () => {
  unmigrated ??= workerWith({});
  const fetch = await unmigrated;
  const response = await fetch("/healthz");
  expect(response.status).toBe(503);
  const page = await fetch("/dev/mail");
  expect(page.status).toBe(503);
  expect(page.headers.get("Retry-After")).toBeTruthy();
  expect(await page.text()).toContain("Database update needed");
});

test("pages that need no database work without one", async () => {
  unmigrated ??= workerWith({});
  const fetch = await unmigrated;
  expect((await fetch("/contact")).status).toBe(200);
});

test("with an empty key every page is an error page, and it does not name the key", async () => {
  const fetch = await workerWith({ secrets: { ...testSecrets, PASSWORD_PEPPER_1: "" } });
  const response = await fetch("/contact");
  expect(response.status).toBe(503);
  expect(await response.text()).not.toContain("PEPPER");
});
