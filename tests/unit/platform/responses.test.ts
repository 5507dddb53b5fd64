import { describe, expect, test } from "vitest";
import { classifyFailure } from "~/platform/failure-pages.server";
import { HashQueueFullError } from "~/platform/hash-queue.server";
import { clientIp, networkOf, networkPrefix } from "~/platform/request-headers.server";
import { idParam, readableByScript, redirectWithin } from "~/platform/responses.server";

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
