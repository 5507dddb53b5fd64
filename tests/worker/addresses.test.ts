import { describe, expect, test } from "vitest";
import { OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, post } = rawClientOfBuiltWorker();

describe("paths", () => {
  const NOT_FOUND = { status: 404, location: null };
  const GUARDED = { status: 302, location: "/auth?redirectTo=%2Fadmin" };

  test.each([
    ["//admin", NOT_FOUND],
    ["/%61dmin", NOT_FOUND],
    ["/admin;x", NOT_FOUND],
    ["/admin%2fsubmissions", NOT_FOUND],
    ["/admin%5csubmissions", NOT_FOUND],
    ["/%00admin", NOT_FOUND],
    ["/./admin", GUARDED],
    ["/x/..%2fadmin", NOT_FOUND],
  ])("%s, which leads around no guard, gets %j", async (path, outcome) => {
    const { status, headers } = await send(path);
    expect({ status, location: headers.location ?? null }).toEqual(outcome);
  });

  test.each([
    "/admin",
    "/admin/live",
    "/admin/attachments/x",
    "/profile",
    "/admin/no-such-page",
  ])("%s redirects signed-out visitors to the sign-in page", async (path) => {
    const { status, headers } = await send(path);
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^\/auth\?redirectTo=/);
  });

  test.each([
    ["/Admin", "/admin"],
    ["/ADMIN/submissions?q=x", "/admin/submissions?q=x"],
    ["/contact/", "/contact"],
  ])("%s is not canonical and redirects to %s", async (path, canonical) => {
    expect(await send(path)).toMatchObject({ status: 301, headers: { location: canonical } });
  });

  test("a form sent to an address that is not canonical is not accepted", async () => {
    expect((await post(OUR_FORM, "a=b", "/CONTACT")).status).toBe(404);
    expect((await post(OUR_FORM, "a=b", "/contact/")).status).toBe(404);
  });

  test.each([
    ["POST", "/healthz", 405],
    ["POST", "/nothing", 405],
    ["GET", "/logout", 405],
  ])("%s %s gets an error page with a text, a reference and a link to Home", async (method, path, status) => {
    const response = method === "POST" ? await post(OUR_FORM, "a=b", path) : await send(path);
    expect(response.status).toBe(status);
    expect(response.headers.allow).toBeDefined();
    expect(response.body).toMatch(/<h1>That does not work here<\/h1>[\s\S]*Return to Home[\s\S]*Reference/);
  });

  test("client areas redirect to the sign-in page for clients", async () => {
    expect((await send("/client/tickets")).headers.location).toBe("/client/auth?redirectTo=%2Fclient%2Ftickets");
  });

  test("a data request for a guarded page returns no data to a signed-out visitor", async () => {
    const response = await send("/admin/submissions?_data=routes%2F_admin.admin.submissions._index");
    expect(response.status).not.toBe(200);
    expect(response.body).not.toContain("email");
  });

  test("a signed-out visitor's post to a guarded address changes nothing and shows the sign-in form", async () => {
    const response = await post(OUR_FORM, "status=resolved", "/admin/submissions/sub_1");
    expect(response.status).toBe(401);
    expect(response.body).toContain('name="password"');
  });

  test("a signed-out visitor's socket is rejected", async () => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    expect((await send("/admin/live", { headers: { ...headers, origin: "http://localhost:8787" } })).status).toBe(401);
  });

  test("for an asset that does not exist no page is rendered", async () => {
    expect(await send("/build/none.js")).toMatchObject({ status: 404, body: "Not found" });
  });
});
