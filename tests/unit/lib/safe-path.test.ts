import { expect, test } from "vitest";
import { safePath } from "~/lib/safe-path";

const areas = ["/admin", "/profile"] as const;

test.each([
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
  "/administrator",
  "/client",
  `/admin/${"a".repeat(5_000)}`,
  "",
  null,
  42,
])("a return path of %j leads to the fallback", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe("/fallback");
});

test.each(["/admin", "/admin/submissions?status=new&page=2", "/profile/sessions"])("%s may be returned to", (value) => {
  expect(safePath(value, areas, "/fallback")).toBe(value);
});

test("a path that climbs out of its area is not in its area", () => {
  expect(safePath("/admin/../client", areas, "/fallback")).toBe("/fallback");
});
