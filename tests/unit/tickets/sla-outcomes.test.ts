import { describe, expect, test } from "vitest";
import type { SlaRules } from "~/features/tickets/sla/due-times";
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
  verdictsOf,
} from "../../support/sla-story";

const basic = rulesOf("basic");
const core = rulesOf("core");

describe("outcomes:", () => {
  test.each<[string, Happening[], string[]]>([
    ["kept to the minute", [staff("20 10:00")], ["first_response kept, due Fri 2026-11-20 10:00"]],
    ["missed by a minute", [staff("20 10:01")], ["first_response missed, due Fri 2026-11-20 10:00"]],
    [
      "a resolution answers",
      [ended("resolved", "19 15:00", "staff")],
      ["first_response kept, due Fri 2026-11-20 10:00"],
    ],
    ["what the client closes in time was not judged", [ended("closed", "19 15:00", "client")], []],
    ["closing without a reply keeps no promise", [ended("closed", "19 15:00", "staff")], []],
    [
      "nor does it hide a missed one",
      [ended("closed", "20 15:00", "staff")],
      ["first_response missed, due Fri 2026-11-20 10:00"],
    ],
    [
      "missed, then answered: once",
      [missTold("20 10:01"), staff("20 11:00")],
      ["first_response missed, due Fri 2026-11-20 10:00"],
    ],
    [
      "missed, then lowered: not judged again",
      [missTold("20 10:01"), priority("20 10:05", "low"), staff("20 11:00")],
      ["first_response missed, due Fri 2026-11-20 10:00"],
    ],
    [
      "lowered after its time but before anybody looked: missed all the same",
      [priority("20 10:05", "low"), staff("20 11:00")],
      ["first_response missed, due Fri 2026-11-20 10:00"],
    ],
    [
      "each promise for itself",
      [staff("20 11:00"), client("20 12:00"), staff("20 13:00")],
      ["first_response missed, due Fri 2026-11-20 10:00", "next_response kept, due Mon 2026-11-23 12:00"],
    ],
  ])("%s", (_, then, outcomes) => {
    expect(verdictsOf(story("19 10:00", then))).toEqual(outcomes);
  });

  test("a missed promise stays late where it was, until it is answered", () => {
    const then = [missTold("20 10:01"), status("20 11:00", "waiting_for_customer"), priority("20 12:00", "low")];
    const { state } = story("19 10:00", then).step;
    expect(dueIn(story("19 10:00", then))).toBe("Fri 2026-11-20 10:00");
    expect(state.running).toMatchObject({ missed: true, missTold: true, warnAt: null, pausedSince: null });
  });

  test.each(["running", "resolution"] as const)("what is missed while we wait stays so afterwards: %s", (of) => {
    const rules = {
      ...rulesOf("basic"),
      resolutionTargets: rulesOf("basic").targets,
    };
    // By the new priority its time was over before we asked the client.
    const then = [
      ...[staff("19 10:10"), client("19 10:20"), status("20 09:30", "waiting_for_customer")],
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
    const pause = [status("19 12:00", "waiting_for_customer"), { ...client("19 14:00"), rules }];
    expect(dueIn(story("19 10:00", [...first, ...pause]))).toBe("Fri 2026-11-20 13:00");
    const change: Happening = { type: "calendar-changed", at: nov("19 11:30"), rules };
    expect(dueIn(story("19 10:00", [...first, change]))).toBe("Fri 2026-11-20 11:00");
  });

  test.each([
    ["premium", "Fri 2026-11-20 23:20"],
    ["basic", "Mon 2026-11-23 09:50"],
  ] as const)("a promise of Core that goes on at night after a change to %s uses no incident, and says none is used", (plan, due) => {
    const then = [staff("20 10:10"), client("20 10:20"), status("20 10:30", "waiting_for_customer")];
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
      [status("19 11:00", "waiting_for_customer"), client("20 11:00")],
      {},
      "Wed 2026-11-25 10:00",
    ],
    ["nothing is due meanwhile", [status("19 11:00", "waiting_for_customer")], {}, "paused"],
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
