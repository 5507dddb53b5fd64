import { expect, test } from "vitest";
import { rulesFor, signInReason } from "~/lib/areas";

test.each([
  ["/profile", true],
  ["/profile/mfa", true],
  ["/admin/settings?tab=data", true],
  ["/admin/settings-of-old", false],
  ["/admin", false],
  [null, false],
])("after a redirect from %s the sign-in page gives settings as the reason: %s", (path, hasReason) => {
  expect(signInReason(path)).toBe(hasReason ? "Please log in to view settings" : undefined);
});

test("only the contact form accepts a file, and only the list of submissions long posts", () => {
  expect(rulesFor("/contact").bodyLimit).toBeGreaterThan(5 * 1024 * 1024);
  expect(rulesFor("/admin/submissions/delete").bodyLimit).toBe(256 * 1024);
  expect(rulesFor("/auth").bodyLimit).toBe(64 * 1024);
  expect(rulesFor("/nothing").bodyLimit).toBe(64 * 1024);
});
