import { expect, test } from "vitest";
import { liveUpdate } from "~/features/workspace/model";
import type { LiveEventType } from "~/lib/live-event-types";

test.each<[LiveEventType, string, string | null]>([
  ["new_submission", "sub_1", "/admin/submissions/sub_1"],
  ["status_update", "sub_1", "/admin/submissions/sub_1"],
  ["status_update", "", "/admin/submissions"],
  ["new_note", "sub_1", "/admin/submissions/sub_1"],
  ["new_note", "org_1", "/admin/organizations/org_1"],
  ["mfa_event", "usr_1", "/admin/users/usr_1"],
  ["ticket_event", "tkt_1", "/admin/tickets/tkt_1"],
])("%s about %j leads to %s", (type, id, href) => {
  expect(liveUpdate({ seq: 1, type, id, label: "Priya Raman", at: 0 }).href).toBe(href);
});
