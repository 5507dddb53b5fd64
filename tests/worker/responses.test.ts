import { expect, test } from "vitest";
import { FORM, type RawResponse, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, runScheduledJobs } = rawClientOfBuiltWorker();

test.each([
  ["a page", "/contact", {}],
  ["a page that does not exist", "/nothing", {}],
  ["a redirect", "/admin", {}],
  ["a rejected method", "/contact", { method: "DELETE" }],
  ["a foreign host", "/", { headers: { host: "evil.example" } }],
  ["the health check", "/healthz", {}],
] as const)("the response to %s has the security headers", async (_, path, request) => {
  const { headers } = await send(path, request);
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

test("no two responses have the same nonce", async () => {
  const nonceOf = ({ headers }: RawResponse) => /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1];
  const [first, second] = [await send("/admin"), await send("/admin")];
  expect(nonceOf(first)).toMatch(/^[\w-]{22}$/);
  expect(nonceOf(first)).not.toBe(nonceOf(second));
});

test("the health check reports what works, and no stored data", async () => {
  const { status, body } = await send("/healthz");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ status: "ok", build: expect.any(String), checks: { d1: { ok: true } } });
});

test("browsers may report violations of the content policy, with the right type and size", async () => {
  const headers = { "content-type": "application/csp-report" };
  expect((await send("/csp-report", { method: "POST", headers, body: "{}" })).status).toBe(204);
  expect((await send("/csp-report", { method: "POST", headers: FORM, body: "{}" })).status).toBe(415);
  const tooLong = { method: "POST", headers: { ...headers, "content-length": "20000" }, body: "x".repeat(20_000) };
  expect((await send("/csp-report", tooLong)).status).toBe(413);
});

test("the scheduled jobs run each minute, and the health check shows it", async () => {
  await runScheduledJobs();
  const { body } = await send("/healthz");
  expect(JSON.parse(body).checks.cron.detail).toMatch(/Ran just now/);
});
