import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";
import { type Answer, FORM, rawClient } from "../support/raw-http";

let server: TestHarness;
let send: ReturnType<typeof rawClient>["send"];

beforeAll(async () => {
  server = await startBuiltWorker();
  ({ send } = rawClient((await server.listen()).url.port));
});
afterAll(async () => server.close());

test.each([
  ["a page", "/contact", {}],
  ["a page that does not exist", "/nothing", {}],
  ["a redirect", "/admin", {}],
  ["a refusal", "/contact", { method: "DELETE" }],
  ["a foreign host", "/", { headers: { host: "evil.example" } }],
  ["the health check", "/healthz", {}],
] as const)("%s carries the security headers", async (_, path, sent) => {
  const { headers } = await send(path, sent);
  expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  expect(headers["content-security-policy"]).not.toContain("unsafe");
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(headers["referrer-policy"]).toBeDefined();
  expect(headers["permissions-policy"]).toContain("camera=()");
});

test("no two answers share a nonce", async () => {
  const nonceOf = (answer: Answer) => /'nonce-([^']+)'/.exec(String(answer.headers["content-security-policy"]))?.[1];
  const [first, second] = [await send("/admin"), await send("/admin")];
  expect(nonceOf(first)).toMatch(/^[\w-]{22}$/);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
});

test("the health check says what works, and nothing about what is stored", async () => {
  const { status, body } = await send("/healthz");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ status: "ok", build: expect.any(String), checks: { d1: { ok: true } } });
});

test("browsers may report violations of the content policy, within reason", async () => {
  const headers = { "content-type": "application/csp-report" };
  expect((await send("/csp-report", { method: "POST", headers, body: "{}" })).status).toBe(204);
  expect((await send("/csp-report", { method: "POST", headers: FORM, body: "{}" })).status).toBe(415);
  const tooLong = { method: "POST", headers: { ...headers, "content-length": "20000" }, body: "x".repeat(20_000) };
  expect((await send("/csp-report", tooLong)).status).toBe(413);
});

test("the timetable runs each minute and leaves word about it", async () => {
  await server.getWorker().scheduled({ cron: "* * * * *" });
  const { body } = await send("/healthz");
  expect(JSON.parse(body).checks.cron.detail).toMatch(/last success: 0 min ago/);
});
