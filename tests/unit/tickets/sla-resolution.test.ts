import { describe, expect, test } from "vitest";
import type { SlaRules } from "~/features/tickets/sla/rules";
import {
  client,
  dueIn,
  ended,
  type Happening,
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
