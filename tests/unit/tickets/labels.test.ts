import { expect, test } from "vitest";
import { presenceInWords, ticketEventText, timelineFor } from "~/features/tickets/labels";

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

const [sam, jordan, avery] = ["Sam Ortega", "Jordan Vale", "Avery Quinn"];

test.each([
  ["nobody else is there", [], ""],
  ["one looks", [{ name: sam, writing: false }], "Sam Ortega is looking at this ticket."],
  ["one writes", [{ name: sam, writing: true }], "Sam Ortega is writing a reply."],
  [
    "two write and one looks",
    [
      { name: sam, writing: true },
      { name: jordan, writing: true },
      { name: avery, writing: false },
    ],
    "Sam Ortega and Jordan Vale are writing a reply. Avery Quinn is looking at this ticket.",
  ],
])("the line on a ticket where %s", (_, people, words) => {
  expect(presenceInWords(people)).toBe(words);
});
