import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";

let server: TestHarness;
let address: URL;

beforeAll(async () => {
  server = await startBuiltWorker();
  address = (await server.listen()).url;
});
afterAll(async () => server.close());

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array[] };
type Answer = { status: number; headers: http.IncomingHttpHeaders; body: string };

/** A request exactly as written: no client of ours tidies the path or the headers up first. */
function send(path: string, { method = "GET", headers = {}, body }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port: address.port, path, method, headers: { host: "localhost:8787", ...headers } },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      },
    );
    request.on("error", reject);
    for (const chunk of typeof body === "string" ? [Buffer.from(body)] : (body ?? [])) request.write(chunk);
    request.end();
  });
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const OURS = { origin: "http://localhost:8787", ...FORM };
const post = (headers: Record<string, string>, body = "a=b", path = "/contact") =>
  send(path, { method: "POST", headers, body });

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
  test("a body that announces itself as too large is refused before it is read", async () => {
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

describe("paths", () => {
  test.each([
    "//admin",
    "/%61dmin",
    "/admin;x",
    "/admin%2fsubmissions",
    "/admin%5csubmissions",
    "/%00admin",
    "/./admin",
    "/x/..%2fadmin",
  ])("%s is either guarded or not found", async (path) => {
    const { status, headers } = await send(path);
    if (status !== 404) expect(headers.location ?? "").toMatch(/^\/auth\?redirectTo=/);
  });

  test.each([
    "/admin",
    "/Admin",
    "/ADMIN/submissions",
    "/admin/live",
    "/admin/attachments/x",
    "/profile",
    "/admin/no-such-page",
  ])("%s leads a stranger to the sign-in page", async (path) => {
    const { status, headers } = await send(path);
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^\/auth\?redirectTo=/);
  });

  test("client areas lead to the client's sign-in page", async () => {
    expect((await send("/client/tickets")).headers.location).toBe("/client/auth?redirectTo=%2Fclient%2Ftickets");
  });

  test("the data twin of a guarded page gives a stranger nothing", async () => {
    const answer = await send("/admin/submissions?_data=routes%2F_office.admin.submissions._index");
    expect(answer.status).not.toBe(200);
    expect(answer.body).not.toContain("email");
  });

  test("a stranger's post to a guarded address changes nothing and shows the sign-in form", async () => {
    const answer = await post(OURS, "status=resolved", "/admin/submissions/sub_1");
    expect(answer.status).toBe(401);
    expect(answer.body).toContain('name="password"');
  });

  test("a stranger's socket is refused", async () => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    expect((await send("/admin/live", { headers: { ...headers, origin: "http://localhost:8787" } })).status).toBe(401);
  });

  test("an asset that does not exist costs no page", async () => {
    expect(await send("/build/none.js")).toMatchObject({ status: 404, body: "Not found" });
  });
});

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
  const [first, second] = [await send("/contact"), await send("/contact")];
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
