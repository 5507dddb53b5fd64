import { expect, test } from "vitest";
import { ticketEventText } from "~/features/tickets/labels";

type Assignment = { from: string | null; to: string | null };

const assigned = ({ from, to }: Assignment) =>
  ticketEventText(
    {
      id: "tev_1",
      kind: "assignee",
      from,
      to,
      reason: null,
      actorId: null,
      actor: "Avery Quinn",
      side: "staff",
      at: 0,
    },
    "staff",
  );

test.each([
  [{ from: null, to: "Jordan Vale" }, "Avery Quinn assigned it to Jordan Vale"],
  [{ from: null, to: "Avery Quinn" }, "Avery Quinn took it"],
  [{ from: "Jordan Vale", to: null }, "Avery Quinn unassigned it from Jordan Vale"],
  [{ from: "Avery Quinn", to: null }, "Avery Quinn unassigned it"],
])("a ticket whose assignee changes, %j, says %j", (change, words) => {
  expect(assigned(change)).toBe(words);
});
