import { expect, test } from "vitest";
import { locationOf, ownPagePath, safePath, safeReturnPath } from "~/lib/safe-path";

const areas = ["admin", "account"] as const;

const foreign = [
  "/\t/evil.example",
  "/\n/evil.example",
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "/admin/..//evil.example",
  "/admin/%2f%2fevil.example",
  "/admin%5cevil",
  "https://evil.example/admin",
  "javascript:alert(1)",
  "/admin\u0000",
  `/admin/${"a".repeat(5_000)}`,
  "",
  null,
  42,
];

test.each([
  ...foreign,
  "/administrator",
  "/client",
  "/client/auth",
])("the return path %j is replaced by the fallback", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe("/fallback");
});

test.each([
  "/admin",
  "/admin/submissions?status=new&page=2",
  "/profile/sessions",
])("%s is an allowed return path", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe(value);
});

test("a path that leaves its area by .. is not in its area", () => {
  expect(safePath("/admin/../client", areas, "/fallback")).toBe("/fallback");
});

test.each(foreign)("%j is not a page of this site", (value) => {
  expect(ownPagePath(value, null)).toBe("/");
  expect(ownPagePath(value, "http://localhost:8787/pricing?plan=core")).toBe("/");
});

test.each([
  ["/pricing?plan=core&users=12#footer-theme", "/pricing?plan=core&users=12#footer-theme"],
  ["/a/../pricing", "/pricing"],
  ["/pricing#//evil.example", "/pricing#//evil.example"],
])("%s is the page %s", (value, page) => {
  expect(ownPagePath(value, null)).toBe(page);
});

test.each([
  ["http://localhost:8787/pricing?plan=basic", "/pricing?plan=basic#a"],
  ["http://localhost:8787/contact?plan=basic", "/pricing?plan=core#a"],
  ["not an address", "/pricing?plan=core#a"],
])("seen at %s, the page is %s", (referrer, page) => {
  expect(ownPagePath("/pricing?plan=core#a", referrer)).toBe(page);
});

test.each([
  ["/admin/submissions?q=é&x=1#note", "/admin/submissions?q=%C3%A9&x=1#note"],
  ["/admin/sub_1\r\nSet-Cookie: a=b", "/admin/sub_1%0D%0ASet-Cookie:%20a=b"],
  ["/a\tb\0c\x7fd", "/a%09b%00c%7Fd"],
])("the header of a redirect to %j has no byte that does not belong there", (path, header) => {
  expect(locationOf(path)).toBe(header);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/.//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "admin",
  "",
])("there is no redirect to %j", (path) => {
  expect(() => locationOf(path)).toThrow();
});

test.each([
  ["/client", true, true],
  ["/profile/mfa", true, true],
  ["/admin/submissions?q=a", false, true],
  // Of the pages that need no account, this one alone has a next step after signing in.
  ["/invite", true, true],
  ["/auth", false, false],
  ["/pricing", false, false],
])("after signing in, %s can be opened by clients: %s, by staff: %s", (path, byClients, byStaff) => {
  expect(safeReturnPath(path, { isStaff: false })).toBe(byClients ? path : null);
  expect(safeReturnPath(path, { isStaff: true })).toBe(byStaff ? path : null);
});
