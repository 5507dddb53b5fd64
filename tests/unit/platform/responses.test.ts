import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { describeError } from "~/lib/errors";
import { minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { classifyFailure } from "~/platform/failure-pages.server";
import { FLASH_COOKIE, keepUnshownFlash, setFlash, takeFlash } from "~/platform/flash.server";
import { HashQueueFullError } from "~/platform/hash-queue.server";
import { log, logOnlyJson } from "~/platform/log.server";
import { clientIp, networkOf, networkPrefix } from "~/platform/request-headers.server";
import { respond } from "~/platform/respond.server";
import {
  type ActionResult,
  badRequest,
  conflict,
  denied,
  done,
  download,
  forwarded,
  idParam,
  invalid,
  mapBody,
  notFound,
  page,
  rateLimited,
  readableByScript,
  redirectWithin,
  unavailable,
} from "~/platform/responses.server";
import { retryHeaders } from "~/ui/form";
import { testSecrets } from "../../support/test-variables.mjs";

describe("an id in an address", () => {
  const id = "sub_01m8354h3grbxmbjf6ya82t9ks";

  test("is taken as it is", () => {
    expect(idParam("sub", id)).toBe(id);
  });

  test.each([
    ["with a line break", `${id}\r\nSet-Cookie: a=b`],
    ["with a tab", `${id}\t`],
    ["with a null byte", `${id}\0`],
    ["with a path", "sub_../../users"],
    ["with capitals", id.toUpperCase()],
    ["of something else", id.replace("sub_", "org_")],
    ["that is empty", ""],
    ["that is missing", undefined],
  ])("%s is answered with 404 before anything reads it", (_, value) => {
    expect(() => idParam("sub", value)).toThrow(expect.objectContaining({ status: 404 }));
  });
});

test.each([
  ["/admin/submissions/a\r\nSet-Cookie: b=c"],
  ["/admin/\t/evil.example"],
  ["/\u2028evil"],
])("the target of a redirect has no byte that a header could not have: %j", (path) => {
  expect(redirectWithin(path).headers.get("Location")).toMatch(/^\/[\x21-\x7e]*$/);
});

const post = (headers: Record<string, string> = {}) =>
  new Request("https://site.example/contact", { method: "POST", headers });

const redirectTo = (status: number) =>
  new Response(null, { status, headers: { Location: "/contact?sent=1", "Clear-Site-Data": '"cache"' } });

describe("the answer to a form that the script of its page has sent", () => {
  test.each([302, 303])("names the next page in place of a redirect %i, which a script cannot read", (status) => {
    const response = readableByScript(post({ "X-Scripted-Post": "1" }), redirectTo(status));
    expect(response.status).toBe(204);
    expect(response.headers.get("X-Next-Page")).toBe("/contact?sent=1");
    expect(response.headers.get("Location")).toBeNull();
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache"');
  });

  test("leaves a redirect that repeats the post to the browser", () => {
    expect(readableByScript(post({ "X-Scripted-Post": "1" }), redirectTo(307)).status).toBe(307);
  });

  test("leaves a page with errors as it is", () => {
    const page = new Response("errors", { status: 400 });
    expect(readableByScript(post({ "X-Scripted-Post": "1" }), page)).toBe(page);
  });

  test("a form that the browser has sent itself is redirected", () => {
    expect(readableByScript(post(), redirectTo(303)).headers.get("Location")).toBe("/contact?sent=1");
  });
});

test.each([
  ["a broken connection", 503, new Error("Failed query", { cause: new Error("D1_ERROR: Network connection lost") })],
  ["an overloaded database", 503, new Error("D1 DB is overloaded. Too many requests queued.")],
  ["a table that does not exist yet", 503, new Error("D1_ERROR: no such table: users: SQLITE_ERROR")],
  ["a file store that is down", 503, new Error("put: We encountered an internal error. Please try again. (10001)")],
  ["a full hash queue", 503, new HashQueueFullError("full")],
  ["a full hash queue of the other bundle", 503, Object.assign(new Error("full"), { name: "HashQueueFullError" })],
  ["a bug of ours", 500, new TypeError("Cannot read properties of undefined")],
  ["a thrown value that is not an error", 500, "oops"],
])("%s is answered with %s", (_, status, error) => {
  expect(classifyFailure(error).status).toBe(status);
});

test("Retry-After is set only when a retry can help", () => {
  expect(classifyFailure(new HashQueueFullError("full")).retryAfterSeconds).toBe(2);
  expect(classifyFailure(new TypeError("x")).retryAfterSeconds).toBeUndefined();
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("two addresses of one /64 share a network, those of two do not", () => {
  expect(networkOf("2001:db8:1:2::aaaa")).toBe(networkOf("2001:db8:1:2:ffff:ffff:ffff:ffff"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
});

test("a client cannot set its address by a header", () => {
  const headers = { "x-forwarded-for": "198.51.100.1", "x-real-ip": "198.51.100.1", "cf-connecting-ip": "203.0.113.7" };
  expect(clientIp(new Request("http://localhost/", { headers }))).toBe("203.0.113.7");
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:0DB8:001f:2::aaaa", "2001:db8:1f::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["", ""],
])("what a session keeps of %j is %j", (address, prefix) => {
  expect(networkPrefix(address)).toBe(prefix);
});

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

describe("a message for the next page", () => {
  const MESSAGE = { kind: "success", title: "Left", message: "You have left Reed Studio." } as const;

  const NOW = Date.UTC(2026, 10, 22);

  /** Holds the cookie that the browser has, as requests and responses change it. */
  let cookie = "";

  const sent: string[] = [];

  /** Returns the context of one request of the browser. Its responses arrive in the order of `setCookie`. */
  const requestOf = (address: string, now = NOW) => ({
    config: { FORM_KEY_1: "a".repeat(43) } as never,
    now: () => now,
    request: {
      url: new URL(address, "https://wrenfield.example"),
      cookies: new Map([[FLASH_COOKIE, cookie]]),
    } as never,
    setCookie: (header: string) => {
      sent.push(header);
      cookie = header.slice(FLASH_COOKIE.length + 1).split(";")[0] ?? "";
    },
  });

  beforeEach(() => {
    setFlash(requestOf("/client/organization/leave"), MESSAGE);
    sent.length = 0;
  });

  test("a page that reads its data again while the next document is on its way takes no message", () => {
    expect(takeFlash(requestOf("/client/organization?_data=routes%2F_portal"))).toBeNull();
    expect(sent).toEqual([]);
    expect(takeFlash(requestOf("/client"))).toEqual(MESSAGE);
    expect(takeFlash(requestOf("/client"))).toBeNull();
  });

  test("a message that nobody saw within a minute is over, and one that we did not sign never shows", () => {
    expect(takeFlash(requestOf("/client", NOW + 61_000))).toBeNull();
    cookie = `${Buffer.from(JSON.stringify(["success", "Pay", "here", NOW])).toString("base64url")}.x`;
    expect(takeFlash(requestOf("/client"))).toBeNull();
  });

  test.each([
    ["a page", 200, true],
    ["the page of an address that leads nowhere", 404, true],
    ["a redirect", 302, false],
    ["the page of an outage", 503, false],
  ])("with %s (%s) the message counts as shown: %s", (_, status, isShown) => {
    takeFlash(requestOf("/client"));
    const response = new Response(null, { status });
    const session = "__Host-sid=; Max-Age=0";
    expect(keepUnshownFlash(response, [...sent, session])).toEqual(isShown ? [...sent, session] : [session]);
    setFlash(requestOf("/client"), MESSAGE);
    expect(keepUnshownFlash(response, sent)).toContain(sent.at(-1));
  });
});

describe("the log", () => {
  afterEach(() => vi.restoreAllMocks());

  test("a log line contains only fields of the list", () => {
    const line = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const secrets = {
      password: "Demo!Pass2026",
      cookie: "__Host-sid=abc",
      code: "123456",
      email: "dana@clinic.example",
      body: "first_name=Dana",
      authorization: "Bearer x",
    };
    log("warn", { event: "denied", request_id: "r1", ...secrets });
    const written = String(line.mock.calls[0]?.[0]);
    for (const secret of Object.values(secrets)) expect(written).not.toContain(secret);
    expect(JSON.parse(written)).toEqual({ level: "warn", event: "denied", request_id: "r1" });
  });

  test("a log line stays one line, whatever a path contains", () => {
    const line = vi.spyOn(console, "info").mockImplementation(() => undefined);
    log("info", { event: "x", path: 'a\n{"level":"error"}\u001b[31m' });
    const written = String(line.mock.calls[0]?.[0]);
    expect(written).not.toContain("\n");
    expect(written).not.toContain("\u001b");
  });

  test("an error is described by its name and cause, without quoted values", () => {
    const cause = new Error('D1_ERROR: UNIQUE constraint failed for "dana@clinic.example"');
    const described = describeError(
      new Error("Failed query: insert into users\nparams: dana@clinic.example", { cause }),
    );
    expect(described).toContain("D1_ERROR: UNIQUE constraint failed");
    expect(described).not.toContain("dana@clinic.example");
  });

  /** Writes a value to a console of its own, and returns the line it wrote, or the line of our logger in its place. */
  function lineFor(value: unknown): { own: unknown[]; ours: unknown[] } {
    const [own, ours] = [[] as unknown[], [] as unknown[]];
    const write = (...values: unknown[]) => own.push(...values);
    const target = { debug: write, log: write, info: write, warn: write, error: write };
    vi.spyOn(console, "warn").mockImplementation((line) => ours.push(JSON.parse(String(line))));
    logOnlyJson(target);
    target.warn(value, { second: "value" });
    return { own, ours };
  }

  test("a line of our loggers is written as it is", () => {
    const line = JSON.stringify({ level: "warn", event: "denied", path: "/admin" });
    expect(lineFor(line)).toEqual({ own: [line], ours: [] });
  });

  test("of the framework's line about a malformed address only the words are left", () => {
    const text = 'The URL path "/jo@larkspur.example/%ff" could not be decoded (URIError: URI malformed).';
    const reason = "The URL path could not be decoded URIError URI malformed";
    expect(lineFor(text)).toEqual({ own: [], ours: [{ level: "warn", event: "library", reason }] });
  });

  test.each([
    "normalizing /secret//x -> /secret/x",
    "see https://secret.example?secret=1",
    "for 'secret' and `secret`",
    "mail secret@larkspur.example now",
    { secret: 1 },
    ["secret"],
    "a\nsecret=1",
  ])("no value of %j is written", (value) => {
    const { own, ours } = lineFor(value);
    expect(own).toEqual([]);
    expect(ours).toHaveLength(1);
    expect(JSON.stringify(ours)).not.toContain("secret");
  });

  test("an error is written with its words only", () => {
    const { ours } = lineFor(new TypeError("cannot read 'secret' of /secret"));
    expect(ours).toEqual([{ level: "warn", event: "library", reason: "TypeError cannot read of" }]);
  });
});
