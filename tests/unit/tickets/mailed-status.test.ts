import { expect, test } from "vitest";
import { mailedEvent } from "~/features/tickets/mails/compose-mails.server";

test.each([
  ["open", "Tessa reopened this ticket."],
  ["in_progress", "Tessa set this ticket to In Progress."],
  ["resolved", "Tessa resolved this ticket."],
])("a mail about a ticket that is now %s says so", (detail, sentence) => {
  const rest = {
    message: null,
    resolution: "A new cable.",
    passedAt: null,
    endsAfter: 0,
    isStillSo: true,
    canReopen: true,
  };
  const told = mailedEvent({ event: "status_changed", detail, actorName: "Tessa", ...rest });
  expect(told).toEqual({ sentence, text: "A new cable." });
});
