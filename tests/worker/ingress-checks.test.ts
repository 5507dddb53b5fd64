import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newToken } from "~/platform/crypto.server";
import { type BuiltWorker, startUnmigratedWorker } from "../support/built-worker";
import { FORM, OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, post } = rawClientOfBuiltWorker();

describe("host and method", () => {
  test.each([
    "evil.example",
    "localhost:9999",
    "wrenfield.example",
    "localhost.evil.example:8787",
  ])("a request for the host %s gets 421, even with a forwarded host of ours", async (host) => {
    const headers = { host, "x-forwarded-host": "localhost:8787" };
    expect((await send("/", { headers })).status).toBe(421);
  });

  test.each([
    "TRACE",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "PROPFIND",
  ])("the method %s is not allowed", async (method) => {
    const response = await send("/contact", { method });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe("GET, HEAD, POST");
  });

  test("HEAD gets the response of GET, without the page", async () => {
    const response = await send("/contact", { method: "HEAD" });
    expect(response).toMatchObject({ status: 200, body: "" });
    expect(response.headers["content-type"]).toContain("text/html");
  });
});

describe("origin and content type", () => {
  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["another site, whatever origin it claims", { "sec-fetch-site": "cross-site", origin: "http://localhost:8787" }],
    ["a sibling subdomain", { "sec-fetch-site": "same-site", origin: "http://app.localhost:8787" }],
    ["a foreign origin without fetch metadata", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["an unknown origin", {}],
    ["a foreign page, by its referrer", { referer: "https://evil.example/http://localhost:8787/" }],
    ["a client with a faked forwarded host", { origin: "https://evil.example", "x-forwarded-host": "evil.example" }],
    ["our host on another port", { origin: "http://localhost:8788" }],
  ])("a post from %s is rejected", async (_, headers) => {
    const response = await post({ ...FORM, ...headers });
    expect(response.status).toBe(403);
    expect(response.body).toContain("That request was not accepted");
  });

  test.each([
    ["fetch metadata", { "sec-fetch-site": "same-origin", origin: "null" }],
    ["our origin", { origin: "http://localhost:8787" }],
    ["our referrer", { referer: "http://localhost:8787/contact" }],
  ])("a post from our own page, shown by %s, is passed on to the action", async (_, headers) => {
    expect((await post({ ...FORM, ...headers })).status).toBe(400);
  });

  test.each(["text/plain", "application/json", ""])("a post of the type %j is rejected", async (type) => {
    expect((await post({ ...OUR_FORM, "content-type": type })).status).toBe(415);
  });
});

describe("size", () => {
  test("a body with a length over the limit is rejected before it is read", async () => {
    const response = await send("/auth", {
      method: "POST",
      headers: { ...OUR_FORM, "content-length": "70000" },
      body: "x".repeat(70_000),
    });
    expect(response.status).toBe(413);
  });

  test("a body without a length is rejected when it becomes too large", async () => {
    const chunk = new Uint8Array(16_384).fill(120);
    const headers = { ...OUR_FORM, "transfer-encoding": "chunked" };
    const response = await send("/auth", { method: "POST", headers, body: Array.from({ length: 12 }, () => chunk) });
    expect(response.status).toBe(413);
  });

  test("where files are taken, a body without files may still be no longer than a form can be", async () => {
    const chunk = new Uint8Array(65_536).fill(120);
    const body = Array.from({ length: 20 }, () => chunk);
    const headers = { ...OUR_FORM, "transfer-encoding": "chunked" };
    expect((await send("/contact", { method: "POST", headers, body })).status).toBe(413);
    const long = { ...OUR_FORM, "content-length": String(20 * 65_536) };
    expect((await send("/client/tickets/T-1001", { method: "POST", headers: long, body })).status).toBe(413);
  });

  test("a form with a thousand fields or with the same field twice is rejected", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `f${index}=1`).join("&");
    expect((await post(OUR_FORM, many)).status).toBe(400);
    expect((await post(OUR_FORM, "email=a&email=b")).status).toBe(400);
  });
});

describe("in production", () => {
  let server: BuiltWorker;

  beforeAll(async () => {
    server = await startUnmigratedWorker({ vars: { APP_ENV: "production", MAIL_PROVIDER: "cloudflare" } });
  });

  afterAll(() => server.close());

  test("captured mail cannot be read, and no Server-Timing header is sent", async () => {
    expect((await server.fetch("http://localhost:8787/dev/mail.json")).status).toBe(404);
    expect((await server.fetch("http://localhost:8787/contact")).headers.get("Server-Timing")).toBeNull();
  });

  test("a session that posts without end is told to wait, and others behind its address are not", async () => {
    const postAs = (sessionId: string) =>
      server.fetch("http://localhost:8787/terms", {
        method: "POST",
        headers: { ...OUR_FORM, cookie: `__Host-sid=${sessionId}` },
        body: "a=b",
      });
    const flooding = newToken();
    const answers: { status: number; retryAfter: string | null }[] = [];
    // More than twice the limit, as the minute that is counted may end meanwhile.
    for (let posts = 0; posts < 210 && answers.at(-1)?.status !== 429; posts += 1) {
      const { status, headers, body } = await postAs(flooding);
      await body?.cancel();
      answers.push({ status, retryAfter: headers.get("Retry-After") });
    }
    expect(answers[0]?.status).toBe(405);
    expect(answers.at(-1)).toEqual({ status: 429, retryAfter: "60" });
    expect((await postAs(newToken())).status).toBe(405);
  });
});
