import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";
import { OURS, rawClient } from "../support/raw-http";

let server: TestHarness;
let send: ReturnType<typeof rawClient>["send"];
let post: ReturnType<typeof rawClient>["post"];

beforeAll(async () => {
  server = await startBuiltWorker();
  ({ send, post } = rawClient((await server.listen()).url.port));
});
afterAll(async () => server.close());

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
    "/admin/live",
    "/admin/attachments/x",
    "/profile",
    "/admin/no-such-page",
  ])("%s leads a stranger to the sign-in page", async (path) => {
    const { status, headers } = await send(path);
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^\/auth\?redirectTo=/);
  });

  test.each([
    ["/Admin", "/admin"],
    ["/ADMIN/submissions?q=x", "/admin/submissions?q=x"],
    ["/contact/", "/contact"],
  ])("%s is another spelling of %s and leads there", async (path, tidy) => {
    expect(await send(path)).toMatchObject({ status: 301, headers: { location: tidy } });
  });

  test("a form sent to another spelling of its address is not taken", async () => {
    expect((await post(OURS, "a=b", "/CONTACT")).status).toBe(404);
    expect((await post(OURS, "a=b", "/contact/")).status).toBe(404);
  });

  test.each([
    ["POST", "/healthz", 405],
    ["POST", "/nothing", 405],
    ["GET", "/logout", 405],
  ])("%s %s is refused with a page that has words, a reference and a way home", async (method, path, status) => {
    const answer = method === "POST" ? await post(OURS, "a=b", path) : await send(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.allow).toBeDefined();
    expect(answer.body).toMatch(/<h1>That does not work here<\/h1>[\s\S]*Return to Home[\s\S]*Reference/);
  });

  test("client areas lead to the client's sign-in page", async () => {
    expect((await send("/client/tickets")).headers.location).toBe("/client/auth?redirectTo=%2Fclient%2Ftickets");
  });

  test("the data twin of a guarded page gives a stranger nothing", async () => {
    const answer = await send("/admin/submissions?_data=routes%2F_admin.admin.submissions._index");
    expect(answer.status).not.toBe(200);
    expect(answer.body).not.toContain("email");
  });

  test("a stranger's post to a guarded address changes nothing and shows the sign-in form", async () => {
    const answer = await post(OURS, "status=resolved", "/admin/submissions/sub_1");
    expect(answer.status).toBe(401);
    expect(answer.body).toContain('name="password"');
  });

  test("a stranger's socket is rejected", async () => {
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
