import { describe, expect, test } from "vitest";
import type { TicketPriority } from "~/features/tickets/model";
import type { Calendar } from "~/lib/calendar";
import {
  calendar,
  chicago,
  client,
  dueIn,
  ended,
  type Happening,
  priority,
  rulesOf,
  staff,
  status,
  story,
  tell,
  verdictsOf,
} from "../../support/sla-story";

const FIRST = "first_response";
const NEXT = "next_response";

// November 19 and 20 are a Thursday and a Friday, 23 is a Monday.
describe("which promise runs:", () => {
  test.each<[string, Happening[], string, string]>([
    ["none, once it was answered", [staff("19 11:00")], "nothing", ""],
    ["a second message puts nothing off", [client("19 15:00")], "Fri 2026-11-20 10:00", FIRST],
    ["the next reply, from the client's answer", [staff("19 11:00"), client("19 15:00")], "Fri 2026-11-20 15:00", NEXT],
    [
      "and from the first of several answers",
      [staff("19 11:00"), client("19 15:00"), client("20 09:00")],
      "Fri 2026-11-20 15:00",
      NEXT,
    ],
    [
      "no next reply before the first",
      [status("19 11:00", "in_progress"), client("19 12:00")],
      "Fri 2026-11-20 10:00",
      FIRST,
    ],
    ["none, when it was resolved", [ended("resolved", "19 11:00", "staff")], "nothing", ""],
    ["none, when the client has closed it", [ended("closed", "19 11:00", "client")], "nothing", ""],
    [
      "the next reply only, when the client reopens it",
      [ended("closed", "19 11:00", "client"), ended("reopened", "20 09:00", "client")],
      "Mon 2026-11-23 09:00",
      NEXT,
    ],
    [
      "the same, when a message reopens it",
      [ended("resolved", "19 11:00", "staff"), client("20 09:00")],
      "Mon 2026-11-23 09:00",
      NEXT,
    ],
    [
      "a reopening and its message are one question",
      [ended("resolved", "19 11:00", "staff"), ended("reopened", "20 09:00", "client"), client("20 09:01")],
      "Mon 2026-11-23 09:00",
      NEXT,
    ],
    [
      "none, when staff reopen what they answered last",
      [ended("resolved", "19 11:00", "staff"), ended("reopened", "20 09:00", "staff")],
      "nothing",
      "",
    ],
    [
      "the next reply, when staff reopen what the client had asked last",
      [ended("closed", "19 11:00", "staff"), ended("reopened", "20 09:00", "staff")],
      "Mon 2026-11-23 09:00",
      NEXT,
    ],
  ])("%s", (_, then, due, kind) => {
    const after = story("19 10:00", then);
    expect([dueIn(after), after.step.state.running?.kind ?? ""]).toEqual([due, kind]);
  });

  test("a ticket that staff have opened promises nothing until the client writes, and then a first reply", () => {
    const opened = story("19 10:00", [status("19 11:00", "waiting_for_customer"), staff("19 12:00")], { by: "staff" });
    expect(dueIn(opened)).toBe("nothing");
    const answered = story("19 10:00", [staff("19 12:00"), client("20 16:00"), staff("23 15:00")], { by: "staff" });
    expect(verdictsOf(answered)).toEqual(["first_response kept, due Mon 2026-11-23 16:00"]);
  });
});

describe("pauses:", () => {
  test.each<[string, Happening[], string]>([
    [
      "the first reply is owed whatever we wait for",
      [status("19 11:00", "waiting_for_customer")],
      "Fri 2026-11-20 10:00",
    ],
    [
      "the next reply waits with us",
      [staff("19 10:30"), client("19 11:00"), status("19 12:00", "waiting_for_customer")],
      "paused",
    ],
    [
      "two open hours of waiting move it by two",
      [staff("19 10:30"), client("19 11:00"), status("19 12:00", "waiting_for_customer"), status("19 14:00", "open")],
      "Fri 2026-11-20 13:00",
    ],
    [
      "a night of waiting costs nothing",
      [staff("19 10:30"), client("19 11:00"), status("19 19:00", "waiting_for_customer"), client("20 07:00")],
      "Fri 2026-11-20 11:00",
    ],
    [
      "over a weekend only open hours count",
      [staff("19 10:30"), client("20 16:00"), status("20 17:00", "waiting_for_customer"), client("23 10:00")],
      "Tue 2026-11-24 09:00",
    ],
    [
      "waiting twice adds up",
      [
        staff("19 10:30"),
        client("19 11:00"),
        status("19 12:00", "waiting_for_customer"),
        client("19 13:00"),
        status("19 14:00", "waiting_for_customer"),
        status("19 15:00", "in_progress"),
      ],
      "Fri 2026-11-20 13:00",
    ],
    [
      "waiting that is said twice began once",
      [
        staff("19 10:30"),
        client("19 11:00"),
        status("19 12:00", "waiting_for_customer"),
        status("19 13:00", "waiting_for_customer"),
        client("19 14:00"),
      ],
      "Fri 2026-11-20 13:00",
    ],
  ])("%s", (_, then, due) => {
    expect(dueIn(story("19 10:00", then))).toBe(due);
  });

  test("time that was up in the break is up, also if waiting began before the break was over", () => {
    const rules = rulesOf("basic", calendar("America/Chicago", "08:00-12:00 13:00-17:00"));
    const then = [staff("19 07:10"), client("19 08:00"), status("19 12:40", "waiting_for_customer")];
    const raised = [...then, priority("19 15:00", "high")];
    expect(dueIn(story("19 07:00", then, { rules }))).toBe("paused");
    expect(dueIn(story("19 07:00", raised, { rules }))).toBe("Thu 2026-11-19 12:00");
  });

  test("around the clock, nights of waiting count like days", () => {
    const then = [
      staff("19 10:30"),
      client("19 11:00"),
      status("19 20:00", "waiting_for_customer"),
      client("20 06:00"),
    ];
    expect(dueIn(story("19 10:00", then, { rules: rulesOf("premium") }))).toBe("Fri 2026-11-20 21:00");
  });

  test("a reply during a pause is in time, and the time that was left is told", () => {
    const then = [staff("19 10:30"), client("19 11:00"), status("19 12:00", "waiting_for_customer"), staff("23 12:00")];
    expect(verdictsOf(story("19 10:00", then))).toEqual([
      "first_response kept, due Fri 2026-11-20 10:00",
      "next_response kept, due Tue 2026-11-24 11:00",
    ]);
  });
});

describe("priorities:", () => {
  test.each<[string, string, Happening[], string]>([
    [
      "raised, it counts from the start with the time used",
      "medium",
      [priority("19 11:00", "high")],
      "Thu 2026-11-19 14:00",
    ],
    ["raised past its time, it is late at once", "medium", [priority("19 15:00", "urgent")], "Thu 2026-11-19 12:00"],
    ["lowered, it counts from the start too", "urgent", [priority("19 11:00", "low")], "Mon 2026-11-23 10:00"],
    [
      "up and down again, nothing has changed",
      "medium",
      [priority("19 10:30", "urgent"), priority("19 11:00", "medium")],
      "Fri 2026-11-20 10:00",
    ],
  ])("%s", (_, before, then, due) => {
    expect(dueIn(story("19 10:00", then, { priority: before as "medium" }))).toBe(due);
  });

  test("a changed priority keeps the pauses", () => {
    const then = [
      staff("19 10:30"),
      client("19 11:00"),
      status("19 12:00", "waiting_for_customer"),
      status("19 15:00", "open"),
      priority("19 15:30", "high"),
    ];
    expect(dueIn(story("19 10:00", then))).toBe("Thu 2026-11-19 18:00");
  });

  test("changed while it is paused, it counts by the new priority when it goes on", () => {
    const then = [
      staff("19 10:30"),
      client("19 11:00"),
      status("19 12:00", "waiting_for_customer"),
      priority("19 13:00", "high"),
    ];
    expect(dueIn(story("19 10:00", then))).toBe("paused");
    expect(dueIn(story("19 10:00", [...then, client("19 15:00")]))).toBe("Thu 2026-11-19 18:00");
  });
});

type Plan = "none" | "basic" | "core" | "premium";

const promised = (opened: string, priority: TicketPriority, { plan, hours }: { plan: Plan; hours?: Calendar }) =>
  dueIn(tell({ rules: rulesOf(plan, hours), priority, opened }));

// Friday, November 20, 2026, is an ordinary working day in Chicago, six hours behind UTC.
describe("the first reply to a ticket of", () => {
  test.each([
    ["urgent", "Fri 10:00", "2026-11-20T10:00-06:00", "Fri 2026-11-20 12:00"],
    ["urgent", "Fri 16:00, until the minute of closing", "2026-11-20T16:00-06:00", "Fri 2026-11-20 18:00"],
    ["urgent", "Fri 17:55, five minutes before closing", "2026-11-20T17:55-06:00", "Mon 2026-11-23 09:55"],
    ["urgent", "Fri 18:00, the minute of closing", "2026-11-20T18:00-06:00", "Mon 2026-11-23 10:00"],
    ["urgent", "Fri 19:30", "2026-11-20T19:30-06:00", "Mon 2026-11-23 10:00"],
    ["urgent", "Sun noon", "2026-11-22T12:00-06:00", "Mon 2026-11-23 10:00"],
    ["urgent", "Mon 05:00, before opening", "2026-11-23T05:00-06:00", "Mon 2026-11-23 10:00"],
    ["high", "Fri 08:00", "2026-11-20T08:00-06:00", "Fri 2026-11-20 12:00"],
    ["high", "Fri 16:00", "2026-11-20T16:00-06:00", "Mon 2026-11-23 10:00"],
    ["high", "Sat noon", "2026-11-21T12:00-06:00", "Mon 2026-11-23 12:00"],
    ["medium", "Thu 10:15", "2026-11-19T10:15-06:00", "Fri 2026-11-20 10:15"],
    ["medium", "Fri 16:00", "2026-11-20T16:00-06:00", "Mon 2026-11-23 16:00"],
    ["medium", "Fri 21:00", "2026-11-20T21:00-06:00", "Tue 2026-11-24 08:00"],
    ["medium", "Sat noon", "2026-11-21T12:00-06:00", "Tue 2026-11-24 08:00"],
    ["medium", "Mon 08:00, the minute of opening", "2026-11-23T08:00-06:00", "Tue 2026-11-24 08:00"],
    ["low", "Thu 10:15", "2026-11-19T10:15-06:00", "Mon 2026-11-23 10:15"],
    ["low", "Fri 16:00", "2026-11-20T16:00-06:00", "Tue 2026-11-24 16:00"],
    ["low", "Sun noon", "2026-11-22T12:00-06:00", "Wed 2026-11-25 08:00"],
    ["low", "the last working day of the year", "2026-12-31T09:00-06:00", "Mon 2027-01-04 09:00"],
  ] as const)("Basic, %s, of %s", (priority, _, opened, due) => {
    expect(promised(opened, priority, { plan: "basic" })).toBe(due);
    expect(promised(opened, priority, { plan: "none" })).toBe(due);
  });

  test.each([
    ["urgent", "Fri 10:00", "2026-11-20T10:00-06:00", "Fri 2026-11-20 12:00"],
    ["urgent", "Fri 16:00: two open hours end first", "2026-11-20T16:00-06:00", "Fri 2026-11-20 18:00"],
    ["urgent", "Fri 16:01: four hours end first", "2026-11-20T16:01-06:00", "Fri 2026-11-20 20:01"],
    ["urgent", "Fri 17:55, five minutes before closing", "2026-11-20T17:55-06:00", "Fri 2026-11-20 21:55"],
    ["urgent", "Fri 19:30", "2026-11-20T19:30-06:00", "Fri 2026-11-20 23:30"],
    ["urgent", "Sat 22:00, past midnight", "2026-11-21T22:00-06:00", "Sun 2026-11-22 02:00"],
    ["urgent", "Mon 05:30: four hours end first", "2026-11-23T05:30-06:00", "Mon 2026-11-23 09:30"],
    ["urgent", "Mon 06:00: both end at ten", "2026-11-23T06:00-06:00", "Mon 2026-11-23 10:00"],
    ["urgent", "Mon 07:00: two open hours end first", "2026-11-23T07:00-06:00", "Mon 2026-11-23 10:00"],
    ["high", "Fri 19:30", "2026-11-20T19:30-06:00", "Mon 2026-11-23 12:00"],
    ["medium", "Fri 19:30", "2026-11-20T19:30-06:00", "Tue 2026-11-24 08:00"],
    ["low", "Fri 19:30", "2026-11-20T19:30-06:00", "Wed 2026-11-25 08:00"],
  ] as const)("Core, %s, of %s", (priority, _, opened, due) => {
    expect(promised(opened, priority, { plan: "core" })).toBe(due);
  });

  test.each([
    ["urgent", "Fri 19:30", "2026-11-20T19:30-06:00", "Fri 2026-11-20 21:30"],
    ["high", "Fri 22:00", "2026-11-20T22:00-06:00", "Sat 2026-11-21 02:00"],
    ["medium", "Fri 16:00", "2026-11-20T16:00-06:00", "Sat 2026-11-21 16:00"],
    ["low", "Fri 16:00", "2026-11-20T16:00-06:00", "Sun 2026-11-22 16:00"],
  ] as const)("Premium, %s, of %s", (priority, _, opened, due) => {
    expect(promised(opened, priority, { plan: "premium" })).toBe(due);
  });
});

// In Chicago clocks go forward on Sunday, March 8, and back on Sunday, November 1, 2026, both at two in the morning.
describe("over a change of the clocks,", () => {
  const sundays = calendar("America/Chicago", "00:00-24:00", { others: { 0: "00:00-24:00", 6: "00:00-24:00" } });
  test.each([
    ["spring: open hours on Monday", "basic", "high", "2026-03-06T16:00-06:00", "Mon 2026-03-09 10:00"],
    ["spring: a working day", "basic", "medium", "2026-03-06T16:00-06:00", "Mon 2026-03-09 16:00"],
    ["spring: hours around the clock lose one", "premium", "medium", "2026-03-07T12:00-06:00", "Sun 2026-03-08 13:00"],
    ["spring: at night, four hours later", "core", "urgent", "2026-03-08T00:30-06:00", "Sun 2026-03-08 05:30"],
    ["autumn: open hours on Monday", "basic", "high", "2026-10-30T16:00-05:00", "Mon 2026-11-02 10:00"],
    ["autumn: a working day", "basic", "medium", "2026-10-30T16:00-05:00", "Mon 2026-11-02 16:00"],
    ["autumn: hours around the clock gain one", "premium", "medium", "2026-10-31T12:00-05:00", "Sun 2026-11-01 11:00"],
    ["autumn: at night, four hours later", "core", "urgent", "2026-11-01T00:30-05:00", "Sun 2026-11-01 03:30"],
  ] as const)("in %s", (_, plan, priority, opened, due) => {
    expect(promised(opened, priority, { plan })).toBe(due);
  });

  test.each([
    ["spring: two open hours over the gap", "urgent", "2026-03-08T01:30-06:00", "Sun 2026-03-08 04:30"],
    ["spring: a working day of 23 hours", "medium", "2026-03-07T12:00-06:00", "Sun 2026-03-08 12:00"],
    ["autumn: two open hours, one of them twice", "urgent", "2026-11-01T00:30-05:00", "Sun 2026-11-01 01:30"],
    ["autumn: a working day of 25 hours", "medium", "2026-10-31T12:00-05:00", "Sun 2026-11-01 12:00"],
  ] as const)("where Sundays are open, in %s", (_, priority, opened, due) => {
    expect(promised(opened, priority, { plan: "basic", hours: sundays })).toBe(due);
  });

  test.each([
    ["is left out, opens as much later", "02:30-12:00", "2026-03-08T00:00-06:00", "Sun 2026-03-08 05:30"],
    ["comes twice, opens at the first", "01:30-12:00", "2026-11-01T00:00-05:00", "Sun 2026-11-01 02:30"],
  ])("what opens at a time that %s", (_, sunday, opened, due) => {
    const hours = calendar("America/Chicago", "08:00-18:00", { others: { 0: sunday } });
    expect(promised(opened, "urgent", { plan: "basic", hours })).toBe(due);
  });
});

describe("with two frames a day,", () => {
  const noon = calendar("America/Chicago", "08:00-12:00 13:00-17:00", { others: { 6: "09:00-12:00" } });
  test.each([
    ["the break does not count", "urgent", "2026-11-19T11:00-06:00", "Thu 2026-11-19 14:00"],
    ["the count begins after the break", "urgent", "2026-11-19T12:30-06:00", "Thu 2026-11-19 15:00"],
    ["four hours go over break and night", "high", "2026-11-19T16:00-06:00", "Fri 2026-11-20 11:00"],
    ["a short Saturday counts as it is open", "high", "2026-11-20T16:00-06:00", "Sat 2026-11-21 12:00"],
    ["a working day ends at the same time", "medium", "2026-11-18T14:00-06:00", "Thu 2026-11-19 14:00"],
    [
      "a working day that would end while closed ends at opening",
      "medium",
      "2026-11-20T14:00-06:00",
      "Mon 2026-11-23 08:00",
    ],
  ] as const)("%s", (_, priority, opened, due) => {
    expect(promised(opened, priority, { plan: "basic", hours: noon })).toBe(due);
  });

  test("a night shift is two frames, and nobody stops the clock at midnight", () => {
    const night = calendar("America/Chicago", "00:00-06:00 22:00-24:00");
    expect(promised("2026-11-18T23:00-06:00", "urgent", { plan: "basic", hours: night })).toBe("Thu 2026-11-19 01:00");
  });
});

describe("around holidays,", () => {
  const holidays = [
    { day: "2026-11-26", name: "Thanksgiving" },
    { day: "2027-01-18", name: "Martin Luther King Day" },
    { day: "12-25", name: "Christmas Day" },
    { day: "01-01", name: "New Year's Day" },
  ];
  const hours = { ...chicago, holidays };
  test.each([
    ["a Monday off counts nothing", "high", "2027-01-15T16:00-06:00", "Tue 2027-01-19 10:00"],
    ["a Monday off is no working day", "medium", "2027-01-15T16:00-06:00", "Tue 2027-01-19 16:00"],
    ["a day off in the middle of the week", "low", "2026-11-25T09:00-06:00", "Mon 2026-11-30 09:00"],
    [
      "what comes on the day off starts at the next opening",
      "urgent",
      "2026-11-26T11:00-06:00",
      "Fri 2026-11-27 10:00",
    ],
    ["an annual day off comes each year", "medium", "2026-12-24T15:00-06:00", "Mon 2026-12-28 15:00"],
    ["and in the next year too", "urgent", "2026-12-31T17:30-06:00", "Mon 2027-01-04 09:30"],
  ] as const)("%s", (_, priority, opened, due) => {
    expect(promised(opened, priority, { plan: "basic", hours })).toBe(due);
  });

  test("Core is covered at night on a day off too", () => {
    expect(promised("2026-11-26T11:00-06:00", "urgent", { plan: "core", hours })).toBe("Thu 2026-11-26 15:00");
  });
});

describe("in another zone than the server's and the client's,", () => {
  test.each([
    ["Europe/Berlin", "urgent", "2026-11-20T10:00-06:00", "Mon 2026-11-23 09:00"],
    ["Europe/Berlin", "high", "2026-11-20T10:00-06:00", "Mon 2026-11-23 11:00"],
    ["Asia/Kathmandu", "urgent", "2026-11-20T00:00Z", "Fri 2026-11-20 10:00"],
    ["Australia/Lord_Howe", "high", "2026-04-03T05:00Z", "Mon 2026-04-06 10:00"],
    ["Pacific/Kiritimati", "medium", "2026-11-20T03:00Z", "Mon 2026-11-23 17:00"],
  ] as const)("%s: %s of %s", (zone, priority, opened, due) => {
    expect(promised(opened, priority, { plan: "basic", hours: calendar(zone, "08:00-18:00") })).toBe(due);
  });
});

test("a calendar without any open time promises something that is not in the past, instead of searching for ever", () => {
  const never = calendar("America/Chicago", "");
  const { running } = tell({ rules: rulesOf("basic", never), opened: "2026-11-20T10:00-06:00" }).step.state;
  expect(running?.dueAt).toBeGreaterThanOrEqual(Date.parse("2026-11-20T10:00-06:00"));
});
