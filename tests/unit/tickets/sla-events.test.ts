import { describe, expect, test } from "vitest";
import {
  calendar,
  client,
  dueIn,
  ended,
  type Happening,
  priority,
  rulesOf,
  staff,
  status,
  story,
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
