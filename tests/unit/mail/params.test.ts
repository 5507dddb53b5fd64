import { expect, test } from "vitest";
import { parseParams } from "~/features/mail/params.server";

test("a mail about the daily limit that names no page, queued by the version before, links to what is held", () => {
  const stored = JSON.stringify({ to: "team@it.example", data: { day: "2026-03-09", cap: 100 } });
  expect(parseParams("submissions-over-cap", stored).data.path).toBe("/admin/submissions?view=held");
});
