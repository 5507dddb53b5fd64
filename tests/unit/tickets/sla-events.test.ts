import { describe, expect, test } from "vitest";
import type { TicketPriority } from "~/features/tickets/model";
import type { SlaRules } from "~/features/tickets/sla/due-times";
import type { Calendar } from "~/lib/calendar";
import {
  calendar,
  chicago,
  client,
  dueIn,
  ended,
  type Happening,
  localTime,
  missTold,
  nov,
  priority,
  rulesOf,
  type Story,
  staff,
  status,
  story,
  tell,
  verdictsOf,
  waiting,
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
    const opened = story("19 10:00", [waiting("19 11:00"), staff("19 12:00")], { by: "staff" });
    expect(dueIn(opened)).toBe("nothing");
    const answered = story("19 10:00", [staff("19 12:00"), client("20 16:00"), staff("23 15:00")], { by: "staff" });
    expect(verdictsOf(answered)).toEqual(["first_response kept, due Mon 2026-11-23 16:00"]);
  });
});

describe("pauses:", () => {
  test.each<[string, Happening[], string]>([
    ["the first reply is owed whatever we wait for", [waiting("19 11:00")], "Fri 2026-11-20 10:00"],
    ["the next reply waits with us", [staff("19 10:30"), client("19 11:00"), waiting("19 12:00")], "paused"],
    [
      "two open hours of waiting move it by two",
      [staff("19 10:30"), client("19 11:00"), waiting("19 12:00"), status("19 14:00", "open")],
      "Fri 2026-11-20 13:00",
    ],
    [
      "a night of waiting costs nothing",
      [staff("19 10:30"), client("19 11:00"), waiting("19 19:00"), client("20 07:00")],
      "Fri 2026-11-20 11:00",
    ],
    [
      "over a weekend only open hours count",
      [staff("19 10:30"), client("20 16:00"), waiting("20 17:00"), client("23 10:00")],
      "Tue 2026-11-24 09:00",
    ],
    [
      "waiting twice adds up",
      [
        staff("19 10:30"),
        client("19 11:00"),
        waiting("19 12:00"),
        client("19 13:00"),
        waiting("19 14:00"),
        status("19 15:00", "in_progress"),
      ],
      "Fri 2026-11-20 13:00",
    ],
    [
      "waiting that is said twice began once",
      [staff("19 10:30"), client("19 11:00"), waiting("19 12:00"), waiting("19 13:00"), client("19 14:00")],
      "Fri 2026-11-20 13:00",
    ],
  ])("%s", (_, then, due) => {
    expect(dueIn(story("19 10:00", then))).toBe(due);
  });

  test("time that was up in the break is up, also if waiting began before the break was over", () => {
    const rules = rulesOf("basic", calendar("America/Chicago", "08:00-12:00 13:00-17:00"));
    const then = [staff("19 07:10"), client("19 08:00"), waiting("19 12:40")];
    const raised = [...then, priority("19 15:00", "high")];
    expect(dueIn(story("19 07:00", then, { rules }))).toBe("paused");
    expect(dueIn(story("19 07:00", raised, { rules }))).toBe("Thu 2026-11-19 12:00");
  });

  test("around the clock, nights of waiting count like days", () => {
    const then = [staff("19 10:30"), client("19 11:00"), waiting("19 20:00"), client("20 06:00")];
    expect(dueIn(story("19 10:00", then, { rules: rulesOf("premium") }))).toBe("Fri 2026-11-20 21:00");
  });

  test("a reply during a pause is in time, and the time that was left is told", () => {
    const then = [staff("19 10:30"), client("19 11:00"), waiting("19 12:00"), staff("23 12:00")];
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
      waiting("19 12:00"),
      status("19 15:00", "open"),
      priority("19 15:30", "high"),
    ];
    expect(dueIn(story("19 10:00", then))).toBe("Thu 2026-11-19 18:00");
  });

  test("changed while it is paused, it counts by the new priority when it goes on", () => {
    const then = [staff("19 10:30"), client("19 11:00"), waiting("19 12:00"), priority("19 13:00", "high")];
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

const basic = rulesOf("basic");

const core = rulesOf("core");

describe("outcomes:", () => {
  const KEPT = "first_response kept, due Fri 2026-11-20 10:00";
  const MISSED = "first_response missed, due Fri 2026-11-20 10:00";
  test.each<[string, Happening[], string[]]>([
    ["kept to the minute", [staff("20 10:00")], [KEPT]],
    ["missed by a minute", [staff("20 10:01")], [MISSED]],
    ["a resolution answers", [ended("resolved", "19 15:00", "staff")], [KEPT]],
    ["what the client closes in time was not judged", [ended("closed", "19 15:00", "client")], []],
    ["closing without a reply keeps no promise", [ended("closed", "19 15:00", "staff")], []],
    ["nor does it hide a missed one", [ended("closed", "20 15:00", "staff")], [MISSED]],
    ["missed, then answered: once", [missTold("20 10:01"), staff("20 11:00")], [MISSED]],
    [
      "missed, then lowered: not judged again",
      [missTold("20 10:01"), priority("20 10:05", "low"), staff("20 11:00")],
      [MISSED],
    ],
    [
      "lowered after its time but before anybody looked: missed all the same",
      [priority("20 10:05", "low"), staff("20 11:00")],
      [MISSED],
    ],
    [
      "each promise for itself",
      [staff("20 11:00"), client("20 12:00"), staff("20 13:00")],
      [MISSED, "next_response kept, due Mon 2026-11-23 12:00"],
    ],
  ])("%s", (_, then, outcomes) => {
    expect(verdictsOf(story("19 10:00", then))).toEqual(outcomes);
  });

  test("a missed promise stays late where it was, until it is answered", () => {
    const then = [missTold("20 10:01"), waiting("20 11:00"), priority("20 12:00", "low")];
    const { state } = story("19 10:00", then).step;
    expect(dueIn(story("19 10:00", then))).toBe("Fri 2026-11-20 10:00");
    expect(state.running).toMatchObject({ missed: true, missTold: true, warnAt: null, pausedSince: null });
  });

  test.each(["running", "resolution"] as const)("what is missed while we wait stays so afterwards: %s", (of) => {
    const rules = { ...basic, resolutionTargets: basic.targets };
    // By the new priority its time was over before we asked the client.
    const then = [
      ...[staff("19 10:10"), client("19 10:20"), waiting("20 09:30")],
      ...[priority("20 11:00", "high"), missTold("20 11:01", of === "resolution" ? of : undefined)],
    ];
    const before = story("19 10:00", then, { rules });
    const after = story("19 10:00", [...then, client("20 12:00")], { rules });
    expect(before.step.state[of]).toMatchObject({ missed: true, warnAt: null, pausedSince: expect.any(Number) });
    expect(after.step.state[of]).toMatchObject({ missed: true, missTold: true, warnAt: null, pausedSince: null });
    expect(dueIn(after, of)).toBe(dueIn(before, of));
    expect(after.outcomes).toEqual(before.outcomes);
  });

  test("an answer outside of hours has used no open time", () => {
    const then = [staff("20 23:00"), client("21 01:00"), staff("22 14:00"), client("22 15:00")];
    const after = story("20 19:00", then, { priority: "urgent" });
    expect(after.outcomes.map(({ outcome }) => outcome)).toEqual(["kept", "kept"]);
    expect(dueIn(after)).toBe("Mon 2026-11-23 10:00");
  });
});

describe("after-hours incidents:", () => {
  test.each<[string, Story["priority"], string, number]>([
    ["a night uses one", "urgent", "20 19:30", 1],
    ["five minutes before closing uses one", "urgent", "20 17:55", 1],
    ["open hours that end first use none", "urgent", "20 16:00", 0],
    ["open hours that end at the same minute use none", "urgent", "23 06:00", 0],
    ["a high priority uses none", "high", "20 19:30", 0],
  ])("%s", (_, before, opened, used) => {
    expect(story(opened, [], { rules: core, priority: before }).used).toBe(used);
  });

  test.each([
    ["Basic", basic, { type: "outside_hours" }],
    ["Core with none left", rulesOf("core", chicago, 0), { type: "used_up", perYear: 5 }],
  ])("%s is promised the next opening, and told why", (_, rules, note) => {
    const after = story("20 19:30", [], { rules, priority: "urgent" });
    expect([dueIn(after), after.used, after.step.state.running?.note]).toEqual(["Mon 2026-11-23 10:00", 0, note]);
  });

  test("in open hours nobody is told of nights", () => {
    for (const rules of [basic, rulesOf("core", chicago, 0)])
      expect(story("20 10:00", [], { rules, priority: "urgent" }).step.state.running?.note).toBeNull();
  });

  test("a ticket is one incident, however often its client writes at night", () => {
    const then = [staff("20 21:00"), client("20 22:00"), staff("21 01:00"), client("21 09:00")];
    const after = story("20 19:30", then, { rules: core, priority: "urgent" });
    expect([after.used, dueIn(after)]).toEqual([1, "Sat 2026-11-21 13:00"]);
  });

  test("what becomes urgent at night is an incident from then on", () => {
    const after = story("20 10:00", [staff("20 10:30"), client("20 17:00"), priority("20 22:00", "urgent")], {
      rules: core,
    });
    expect([after.used, dueIn(after)]).toEqual([1, "Sat 2026-11-21 02:00"]);
  });

  test("lowered and raised again, it is still the same incident with the same end", () => {
    const then = [priority("20 20:00", "high"), priority("20 20:10", "urgent")];
    const after = story("20 19:30", then, { rules: core, priority: "urgent" });
    expect([after.used, dueIn(after)]).toEqual([1, "Fri 2026-11-20 23:30"]);
  });

  test("none is used for a night that is over", () => {
    const raised = [priority("20 20:00", "high"), priority("21 09:00", "urgent")];
    const after = story("20 19:30", raised, { rules: rulesOf("core", chicago, 0), priority: "urgent" });
    expect([after.used, dueIn(after), after.step.state.running?.note]).toEqual([0, "Mon 2026-11-23 10:00", null]);
  });
});

describe("other organizations and other hours:", () => {
  const moved = (at: string, plan: "basic" | "core" | "premium"): Happening => ({
    type: "organization-moved",
    at: nov(at),
    rules: rulesOf(plan),
  });

  test("a ticket that moves is counted from its start by the other plan, and says so", () => {
    const after = story("20 16:00", [moved("20 17:00", "premium")]);
    expect(dueIn(after)).toBe("Sat 2026-11-21 16:00");
    expect(after.step.state.running).toMatchObject({
      plan: "premium",
      recounted: { because: "organization", at: Date.parse(nov("20 17:00")) },
    });
  });

  test("its incident goes back to the former organization, and the new one may have one", () => {
    const back = story("20 19:30", [moved("20 20:00", "basic")], { rules: core, priority: "urgent" });
    expect([back.used, back.returned, dueIn(back)]).toEqual([1, 1, "Mon 2026-11-23 10:00"]);
    const taken = story("20 19:30", [moved("20 20:00", "core")], { rules: basic, priority: "urgent" });
    expect([taken.used, taken.returned, dueIn(taken)]).toEqual([1, 0, "Fri 2026-11-20 23:30"]);
  });

  test("an incident that was handled stays with the organization it was handled for", () => {
    const then = [staff("20 20:00"), moved("23 09:00", "core"), client("23 20:00")];
    expect(story("20 19:30", then, { rules: core, priority: "urgent" })).toMatchObject({ used: 1, returned: 0 });
  });

  test("a promise keeps the hours it was made with, unless somebody lets it move", () => {
    const short = calendar("America/Chicago", "08:00-12:00");
    const rules = rulesOf("basic", short);
    const first = [staff("19 10:30"), client("19 11:00")];
    const pause = [waiting("19 12:00"), { ...client("19 14:00"), rules }];
    expect(dueIn(story("19 10:00", [...first, ...pause]))).toBe("Fri 2026-11-20 13:00");
    const change: Happening = { type: "calendar-changed", at: nov("19 11:30"), rules };
    expect(dueIn(story("19 10:00", [...first, change]))).toBe("Fri 2026-11-20 11:00");
  });

  test.each([
    ["premium", "Fri 2026-11-20 23:20"],
    ["basic", "Mon 2026-11-23 09:50"],
  ] as const)("a promise of Core that goes on at night after a change to %s uses no incident, and says none is used", (plan, due) => {
    const then = [staff("20 10:10"), client("20 10:20"), waiting("20 10:30")];
    const back = { ...client("20 19:30"), rules: rulesOf(plan, chicago, 0) };
    const after = story("20 10:00", [...then, back], { rules: core, priority: "urgent" });
    expect([after.used, dueIn(after), after.step.state.running?.note]).toEqual([0, due, null]);
  });

  test.each([
    ["as soon as the night did, gives the incident back", "08:00-22:00", 1, "Fri 2026-11-20 21:30"],
    ["later than the night, keeps it", "08:00-17:00", 0, "Fri 2026-11-20 23:30"],
  ] as const)("hours that promise the reply to an incident %s", (_, workday, returned, due) => {
    const rules = rulesOf("core", calendar("America/Chicago", workday));
    const change: Happening = { type: "calendar-changed", at: nov("20 20:00"), rules };
    const after = story("20 19:30", [change, { ...change, at: nov("20 20:10") }], { rules: core, priority: "urgent" });
    expect([after.used, after.returned, dueIn(after)]).toEqual([1, returned, due]);
    expect(after.step.state.allowanceUsed).toBe(returned === 0);
  });

  test("an incident that was handled stays charged when hours change under a later promise", () => {
    const rules = rulesOf("core", calendar("America/Chicago", "08:00-22:00"));
    const change: Happening = { type: "calendar-changed", at: nov("20 20:45"), rules };
    const then = [staff("20 20:00"), client("20 20:30"), change];
    expect(story("20 19:30", then, { rules: core, priority: "urgent" })).toMatchObject({ used: 1, returned: 0 });
  });

  test("a missed promise is not judged again by other hours or another plan", () => {
    const longer = { ...chicago, holidays: [{ day: "2026-11-20", name: "Company outing" }] };
    const change: Happening = { type: "calendar-changed", at: nov("20 12:00"), rules: rulesOf("basic", longer) };
    const after = story("19 10:00", [change, moved("20 13:00", "premium"), staff("20 14:00")]);
    expect(verdictsOf(after)).toEqual(["first_response missed, due Fri 2026-11-20 10:00"]);
  });
});

describe("warnings", () => {
  const warnedAt = (opened: string, then: Happening[], rest: Partial<Story> = {}) => {
    const { running } = story(opened, then, rest).step.state;
    return running?.warnAt ? localTime("America/Chicago", running.warnAt) : null;
  };

  test.each<[string, string, Partial<Story>, string]>([
    ["come after three quarters of the open time", "19 10:00", { priority: "high" }, "Thu 2026-11-19 13:00"],
    ["count no nights", "20 16:00", {}, "Mon 2026-11-23 13:30"],
    ["wait for opening", "20 16:30", { priority: "urgent" }, "Mon 2026-11-23 08:00"],
    ["come at night, where nights count", "20 19:30", { priority: "urgent", rules: core }, "Fri 2026-11-20 22:30"],
    ["come at night on Premium", "20 22:00", { rules: rulesOf("premium") }, "Sat 2026-11-21 16:00"],
  ])("%s", (_, opened, rest, at) => {
    expect(warnedAt(opened, [], rest)).toBe(at);
  });

  test("are not given for the past: at night they wait for opening, by day they are due now", () => {
    expect(warnedAt("19 10:00", [priority("19 13:30", "high")])).toBe("Thu 2026-11-19 13:30");
    expect(warnedAt("19 15:00", [priority("19 20:00", "high")])).toBe("Fri 2026-11-20 08:00");
  });

  test("are given once for a promise, and once more for the next", () => {
    const warned: Happening = { type: "warned", at: nov("20 08:30") };
    expect(warnedAt("19 10:00", [warned, priority("20 08:40", "low")])).toBeNull();
    expect(warnedAt("19 10:00", [warned, staff("20 09:00"), client("20 10:00")])).toBe("Fri 2026-11-20 17:30");
  });

  test("end with the promise", () => {
    expect(warnedAt("19 10:00", [missTold("20 10:01")])).toBeNull();
  });
});

const resolving = (plan: SlaRules["plan"] = "basic"): SlaRules => ({
  ...rulesOf(plan),
  resolutionTargets: {
    urgent: { unit: "hours", count: 4 },
    high: { unit: "hours", count: 8 },
    medium: { unit: "working_days", count: 3 },
    low: { unit: "working_days", count: 5 },
  },
});

const told = (opened: string, then: readonly Happening[] = [], rest: Partial<Story> = {}) =>
  story(opened, then, { rules: resolving(), ...rest });

// November 19 and 20 are a Thursday and a Friday, 23 is a Monday.
describe("until when a resolution is promised:", () => {
  test.each<[string, Happening[], Partial<Story>, string]>([
    ["working days", [], {}, "Tue 2026-11-24 10:00"],
    ["a reply, a note or an answer moves nothing", [staff("19 11:00"), client("19 12:00")], {}, "Tue 2026-11-24 10:00"],
    [
      "waiting for the client does not count, not even before the first reply",
      [waiting("19 11:00"), client("20 11:00")],
      {},
      "Wed 2026-11-25 10:00",
    ],
    ["nothing is due meanwhile", [waiting("19 11:00")], {}, "paused"],
    ["a priority counts from the start", [priority("19 12:00", "high")], {}, "Thu 2026-11-19 18:00"],
    [
      "at night an incident buys a reply only",
      [],
      { rules: resolving("core"), priority: "urgent" },
      "Thu 2026-11-19 14:00",
    ],
    ["Premium counts around the clock", [], { rules: resolving("premium") }, "Sun 2026-11-22 10:00"],
    ["of what staff opened, once the client writes", [client("20 10:00")], { by: "staff" }, "Wed 2026-11-25 10:00"],
    ["nothing before", [], { by: "staff" }, "nothing"],
    ["nothing where the settings give no time", [], { rules: rulesOf("basic") }, "nothing"],
    [
      "nor does a later message start what was not promised",
      [{ ...client("19 11:00"), rules: resolving() }],
      { rules: rulesOf("basic") },
      "nothing",
    ],
    [
      "what is promised stays, if the settings take it back",
      [{ ...priority("19 12:00", "high"), rules: rulesOf("basic") }],
      {},
      "Tue 2026-11-24 10:00",
    ],
    [
      "reopening promises a reply only",
      [ended("resolved", "19 11:00", "staff"), ended("reopened", "19 12:00", "client"), client("19 12:01")],
      {},
      "nothing",
    ],
  ])("%s", (_, then, rest, due) => {
    expect(dueIn(told("19 10:00", then, rest), "resolution")).toBe(due);
  });
});

describe("outcomes of a resolution:", () => {
  const KEPT = "resolution kept, due Tue 2026-11-24 10:00";
  const MISSED = "resolution missed, due Tue 2026-11-24 10:00";
  test.each<[string, Happening[], string[]]>([
    ["kept to the minute", [ended("resolved", "24 10:00", "staff")], [KEPT]],
    ["kept, when the client says that it is solved", [ended("resolved", "20 10:00", "client")], [KEPT]],
    ["missed by a minute, once", [ended("resolved", "24 10:01", "staff")], [MISSED]],
    [
      "missed, told, then resolved: once",
      [missTold("24 10:01", "resolution"), ended("resolved", "25 09:00", "staff")],
      [MISSED],
    ],
    [
      "missed, then lowered: stays missed",
      [priority("24 10:01", "low"), ended("resolved", "25 09:00", "staff")],
      [MISSED],
    ],
    ["closing keeps none and breaks none", [ended("closed", "20 10:00", "client")], []],
    ["nor does the end of what nobody answered", [ended("resolved", "20 10:00", "system")], []],
  ])("%s", (_, then, outcomes) => {
    const all = verdictsOf(told("19 10:00", then));
    expect(all.filter((one) => one.startsWith("resolution"))).toEqual(outcomes);
  });

  test("each promise is warned of and told by itself", () => {
    const { state } = told("19 10:00", [
      { type: "warned", at: nov("20 09:00") },
      { type: "warned", at: nov("23 12:00"), of: "resolution" },
    ]).step;
    expect([state.running?.missTold, state.resolution?.warned, state.resolution?.missTold]).toEqual([
      false,
      true,
      false,
    ]);
    expect(state.resolution?.warnAt).toBeNull();
  });
});
