import { expect, test } from "vitest";
import { ownPagePath, safePath } from "~/lib/safe-path";

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
