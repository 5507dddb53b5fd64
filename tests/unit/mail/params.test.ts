import { expect, test } from "vitest";
import { parseParams } from "~/features/mail/enqueue-mail.server";

test("a mail about the daily limit that names no page, queued by the version before, links to what is held", () => {
  const stored = JSON.stringify({ to: "team@it.example", data: { day: "2026-03-09", cap: 100 } });
  expect(parseParams("submissions-over-cap", stored).data.path).toBe("/admin/submissions?view=held");
});

test("an invitation to an organization that was queued by the version before is headed like that of a new one", () => {
  const data = { path: "/invite", removePath: "/invite", inviter: "Jo", expiresOn: "Wed", role: "Member" };
  const stored = JSON.stringify({ to: "jo@it.example", data: { ...data, organization: "Larkspur Row" } });
  expect(parseParams("organization-invitation", stored).data.isNew).toBe(true);
});
