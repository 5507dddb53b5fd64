import { expect, test } from "vitest";
import { returnAreas, rulesFor, signInReason } from "~/lib/areas";

test.each([
  ["/profile", true],
  ["/profile/mfa", true],
  ["/admin/settings?tab=data", true],
  ["/admin/settings-of-old", false],
  ["/admin", false],
  [null, false],
])("someone sent here from %s is told to log in for their settings: %s", (path, told) => {
  expect(signInReason(path)).toBe(told ? "Please log in to view settings" : undefined);
});

test("clients are led back to the portal and their account, staff to the admin area as well", () => {
  expect(returnAreas({ isStaff: false }).sort()).toEqual(["account", "portal"]);
  expect(returnAreas({ isStaff: true }).sort()).toEqual(["account", "admin", "portal"]);
});

test("only the contact form takes a file, and only the list of submissions long posts", () => {
  expect(rulesFor("/contact").bodyLimit).toBeGreaterThan(5 * 1024 * 1024);
  expect(rulesFor("/admin/submissions/delete").bodyLimit).toBe(256 * 1024);
  expect(rulesFor("/auth").bodyLimit).toBe(64 * 1024);
  expect(rulesFor("/nothing").bodyLimit).toBe(64 * 1024);
});
