import { expect, test } from "vitest";
import { timelineFor } from "~/features/tickets/labels";

type Event = Parameters<typeof timelineFor>[0][number];

const told = (event: Partial<Event>): string | undefined =>
  timelineFor(
    [
      {
        id: "evt_1",
        at: 0,
        kind: "status",
        from: null,
        to: null,
        reason: null,
        actor: "",
        actorId: null,
        side: "staff",
        ...event,
      },
    ],
    { userId: "usr_reader", provider: "Wrenfield" },
  )[0]?.text;

test("the history of a ticket names staff by their first name, with whatever title, and one who was erased in full", () => {
  const solved = { from: "open", to: "resolved" };
  expect([
    told({ ...solved, actor: "Jordan Vale" }),
    told({ ...solved, actor: "Dr. Ines Valverde" }),
    told({ ...solved, actor: "Former member" }),
    told({ kind: "assignee", to: "Former member" }),
  ]).toEqual([
    "Jordan: Open → Resolved",
    "Ines: Open → Resolved",
    "Former member: Open → Resolved",
    "Former member has it",
  ]);
});

test("what was done to resolve a ticket is not called its reason", () => {
  const reason = "Replaced the drum.";
  expect([
    told({ actor: "Jordan Vale", from: "open", to: "resolved", reason }),
    told({ side: "system", from: "waiting_for_customer", to: "resolved", reason: "We have not heard from you." }),
    told({ kind: "priority", from: "low", to: "high", reason: "Nobody can work." }),
  ]).toEqual([
    "Jordan: Open → Resolved. What was done: Replaced the drum.",
    "Wrenfield: Waiting for you → Resolved. Reason: We have not heard from you.",
    "Priority Low → High. Reason: Nobody can work.",
  ]);
});
