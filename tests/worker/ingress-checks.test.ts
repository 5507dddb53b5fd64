import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";
import { FORM, OURS, rawClient } from "../support/raw-http";

let server: TestHarness;
let send: ReturnType<typeof rawClient>["send"];
let post: ReturnType<typeof rawClient>["post"];

beforeAll(async () => {
  server = await startBuiltWorker();
  ({ send, post } = rawClient((await server.listen()).url.port));
});
afterAll(async () => server.close());

describe("who may knock", () => {
  test.each([
    "evil.example",
    "localhost:9999",
    "wrenfield.example",
    "localhost.evil.example:8787",
  ])("a request for the host %s is answered with 421, whatever it claims was forwarded", async (host) => {
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
  ])("%s is not a method of this site", async (method) => {
    const answer = await send("/contact", { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("GET, HEAD, POST");
  });

  test("HEAD answers like GET, without the page", async () => {
    const answer = await send("/contact", { method: "HEAD" });
    expect(answer).toMatchObject({ status: 200, body: "" });
    expect(answer.headers["content-type"]).toContain("text/html");
  });
});

describe("posts from elsewhere", () => {
  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a sibling subdomain", { "sec-fetch-site": "same-site", origin: "http://app.localhost:8787" }],
    ["a foreign origin without fetch metadata", { origin: "https://evil.example" }],
    ["an opaque origin", { origin: "null" }],
    ["nowhere at all", {}],
    ["a foreign page by referrer", { referer: "https://evil.example/http://localhost:8787/" }],
    ["someone who claims a forwarded host", { origin: "https://evil.example", "x-forwarded-host": "evil.example" }],
    ["our name on another port", { origin: "http://localhost:8788" }],
  ])("a post from %s is refused", async (_, headers) => {
    const answer = await post({ ...FORM, ...headers });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain("That request was not accepted");
  });

  test.each([
    ["fetch metadata", { "sec-fetch-site": "same-origin", origin: "null" }],
    ["our origin", { origin: "http://localhost:8787" }],
    ["our referrer", { referer: "http://localhost:8787/contact" }],
  ])("a post that proves by %s to be ours comes in", async (_, headers) => {
    expect((await post({ ...FORM, ...headers })).status).toBe(400);
  });

  test.each(["text/plain", "application/json", ""])("content of the type %j is not a form", async (type) => {
    expect((await post({ ...OURS, "content-type": type })).status).toBe(415);
  });
});

describe("what is too much", () => {
  test("a body that announces itself as too large is rejected before it is read", async () => {
    const answer = await send("/auth", {
      method: "POST",
      headers: { ...OURS, "content-length": "70000" },
      body: "x".repeat(70_000),
    });
    expect(answer.status).toBe(413);
  });

  test("a body that hides its length is cut off when it grows too large", async () => {
    const chunk = new Uint8Array(16_384).fill(120);
    const headers = { ...OURS, "transfer-encoding": "chunked" };
    const answer = await send("/auth", { method: "POST", headers, body: Array.from({ length: 12 }, () => chunk) });
    expect(answer.status).toBe(413);
  });

  test("a form of a thousand fields and a field sent twice are no forms of ours", async () => {
    const many = Array.from({ length: 1_000 }, (_, place) => `f${place}=1`).join("&");
    expect((await post(OURS, many)).status).toBe(400);
    expect((await post(OURS, "email=a&email=b")).status).toBe(400);
  });

  test("a multipart body that is none is answered, not crashed on", async () => {
    const answer = await post({ ...OURS, "content-type": "multipart/form-data; boundary=x" }, "not multipart");
    expect(answer.status).toBe(400);
  });
});
