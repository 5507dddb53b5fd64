import { describe, expect, test } from "vitest";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { respond } from "~/platform/respond.server";
import {
  type ActionResult,
  badRequest,
  conflict,
  denied,
  done,
  download,
  forwarded,
  invalid,
  mapBody,
  notFound,
  page,
  rateLimited,
  unavailable,
} from "~/platform/responses.server";
import { retryHeaders } from "~/ui/not-saved";
import { testSecrets } from "../../support/test-variables.mjs";

const NOW = 1_800_000_000_000;
const BODY = { title: "Error", errors: { form: "No." }, values: {} };

let cookies: string[] = [];

/** Returns the response to a result, whether it is returned or thrown. */
function responseTo(result: ActionResult<typeof BODY>): Response {
  cookies = [];
  const ctx = {
    config: testSecrets as unknown as Ctx["config"],
    now: () => NOW,
    setCookie: (header: string) => cookies.push(header),
  };
  try {
    return respond(ctx, result);
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

describe("a result that shows the form's page has a body", () => {
  test.each([
    ["the next step", page(BODY), 200, null],
    ["wrong fields", invalid(BODY), 400, null],
    ["a conflict", conflict(BODY), 409, null],
    ["too many attempts", rateLimited(NOW + minutes(2), BODY), 429, "120"],
    ["an outage", unavailable(NOW + 1, BODY), 503, "1"],
    ["a block that has just ended", rateLimited(NOW - 1, BODY), 429, "1"],
  ])("%s", async (_, result, status, retryAfter) => {
    const response = responseTo(result);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([status, retryAfter]);
    expect(await response.json()).toEqual(BODY);
  });
});

test.each([
  ["denied", denied(), 403, "Access Denied"],
  ["not found", notFound(), 404, ""],
])("%s has no body, so the error page is shown", async (_, result, status, statusText) => {
  const response = responseTo(result);
  expect([response.status, response.statusText, await response.text()]).toEqual([status, statusText, ""]);
});

test.each([
  ["none of our forms sends", badRequest(), /did not understand/],
  ["is too old", badRequest({ code: "token" }), /open for too long/],
])("what %s is answered with the words of its error page", async (_, result, words) => {
  const response = responseTo(result);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ title: expect.any(String), text: expect.stringMatching(words) });
});

describe("a successful result", () => {
  test("redirects with 303, and the next page shows a message once", () => {
    const response = responseTo(
      done({ to: "/next", flash: { kind: "success", title: "Done", message: "All of it." } }),
    );
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/next"]);
    expect(cookies).toHaveLength(1);
    expect(cookies[0]).toMatch(/^__Host-toast=[\w-]+\.[\w-]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test("loads a new document only if the next page is outside the area", () => {
    const headersOf = (result: ActionResult<typeof BODY>) => {
      const { headers } = responseTo(result);
      return [headers.get("X-Remix-Reload-Document"), headers.get("Clear-Site-Data")];
    };
    expect(headersOf(done({ to: "/next" }))).toEqual([null, null]);
    expect(headersOf(done({ to: "/", newDocument: true, clearSiteData: '"cache"' }))).toEqual(["true", '"cache"']);
    expect(cookies).toEqual([]);
  });

  test("may be a file, which is not cached", async () => {
    const response = responseTo(download({ fileName: "codes.txt", contentType: "text/plain", content: "AAAA" }));
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/plain",
      "content-disposition": 'attachment; filename="codes.txt"',
      "cache-control": "private, no-store",
    });
    expect(await response.text()).toBe("AAAA");
  });

  test("may be a visitor's file, which browsers save and never show or run, whatever its name says", () => {
    const response = responseTo(download({ fileName: 'a"b\r\n(ü).html', size: 4, content: "AAAA" }));
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/octet-stream",
      "content-length": "4",
      "content-disposition": `attachment; filename="a_b__(_).html"; filename*=UTF-8''a%22b%0D%0A%28%C3%BC%29.html`,
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store",
    });
  });
});

test("a forwarded form is posted again by the browser", () => {
  const response = responseTo(forwarded("/profile"));
  expect([response.status, response.headers.get("Location")]).toEqual([307, "/profile"]);
});

test("what a page adds to a form's result goes into its body, and a redirect, which has none, stays as it is", () => {
  const add = (body: typeof BODY) => ({ ...body, form: "details" });
  expect(mapBody(rateLimited(NOW, BODY), add)).toEqual(rateLimited(NOW, { ...BODY, form: "details" }));
  expect(mapBody(done({ to: "/next" }) as ActionResult<typeof BODY>, add)).toEqual(done({ to: "/next" }));
});

test("the document gets Retry-After from the action, or else from the loader, and no other header", () => {
  const headers = (value?: string) => new Headers(value ? { "Retry-After": value, "X-Other": "1" } : undefined);
  const given = { parentHeaders: headers(), errorHeaders: undefined };
  expect(retryHeaders({ ...given, actionHeaders: headers("5"), loaderHeaders: headers("9") })).toEqual({
    "Retry-After": "5",
  });
  expect(retryHeaders({ ...given, actionHeaders: headers(), loaderHeaders: headers("9") })).toEqual({
    "Retry-After": "9",
  });
  expect(retryHeaders({ ...given, actionHeaders: headers(), loaderHeaders: headers() })).toEqual({});
});
