import { describe, expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { planNamesOf } from "~/features/settings/model";
import { currentSla, targetsOf } from "~/features/tickets/sla/clock";
import { explainTarget, targetBeforeSending, targetDue, targetForClient } from "~/features/tickets/sla/explain";
import { dueInWords } from "~/lib/time-labels";
import { chicago, client, nov, priority, rulesOf, staff, status, story } from "../../support/sla-story";

const phone = "(555) 555-0142";
const zone = "America/Chicago";
const planNames = planNamesOf(plans);
const told = (now: string) => ({ zone, now: Date.parse(nov(now)), phone, planNames });
const targetName = (after: ReturnType<typeof story>) => {
  const sla = currentSla(after.step.state);
  if (!sla) throw new Error("Nothing is promised");
  return sla;
};

const paused = [staff("19 10:30"), client("19 11:00"), status("19 12:00", "waiting_for_customer")];
const core = { rules: rulesOf("core") };
const urgent = { priority: "urgent" } as const;
const usedUp = rulesOf("core", chicago, 0);

describe("clients read", () => {
  test.each([
    [
      "the time and their plan",
      story("20 10:00", [], core),
      "20 10:05",
      "Next reply promised by Mon 10:00 (Core plan)",
    ],
    [
      "the hour, if it is today",
      story("20 19:30", [], { ...core, ...urgent }),
      "20 19:31",
      "Next reply promised by today 23:30 (Core plan)",
    ],
    [
      "no plan, if they have none",
      story("20 10:00", [], { rules: rulesOf("none") }),
      "20 10:05",
      "Next reply promised by Mon 10:00",
    ],
    [
      "the date, if it is far",
      story("20 10:00", [], { priority: "low" }),
      "14 10:05",
      "Next reply promised by Nov 24 10:00 (Basic plan)",
    ],
    ["that we wait for them", story("19 10:00", paused, core), "19 13:00", "Paused while we wait for you"],
    [
      "that we are late",
      story("19 10:00", [], urgent),
      "19 14:00",
      "We promised a reply by today 12:00. We are late. If it cannot wait, call (555) 555-0142.",
    ],
    [
      "whom to call, outside their plan's hours",
      story("20 19:30", [], urgent),
      "20 19:31",
      "Outside your plan's hours – next reply promised by Mon 10:00, or call (555) 555-0142",
    ],
    [
      "whom to call, when their incidents are used",
      story("20 19:30", [], { rules: usedUp, ...urgent }),
      "20 19:31",
      "Your plan's 5 after-hours incidents are used – next reply promised by Mon 10:00, or call (555) 555-0142",
    ],
  ])("%s", (_, after, now, words) => {
    expect(targetForClient(targetName(after), told(now))).toBe(words);
  });

  test("no number to call, if the provider has none", () => {
    const words = targetForClient(targetName(story("20 19:30", [], urgent)), { ...told("20 19:31"), phone: null });
    expect(words).toBe("Outside your plan's hours – next reply promised by Mon 10:00");
  });

  test.each([
    [story("20 19:30", [], core), "Send now and you'll hear by Tue 08:00"],
    [story("20 19:30", [], { ...core, ...urgent }), "Send now and you'll hear by today 23:30"],
    [
      story("20 19:30", [], urgent),
      "Outside your plan's hours – next reply promised by Mon 10:00, or call (555) 555-0142",
    ],
  ])("what sending now would promise", (after, words) => {
    expect(targetBeforeSending(targetName(after), told("20 19:30"))).toBe(words);
  });
});

test("staff read how much time is left, how late it is, and nothing while it waits for the client", () => {
  const words = (after: ReturnType<typeof story>, now: string) => {
    const due = targetDue(targetName(after), told(now));
    return due && dueInWords(due).replaceAll("\u00a0", " ");
  };
  expect(words(story("19 10:00", [], urgent), "19 10:48")).toBe("due in 1 h 12 min");
  expect(words(story("19 10:00", [], urgent), "19 12:35")).toBe("late by 35 min");
  expect(words(story("20 10:00", []), "20 12:00")).toBe("due Mon 10:00");
  expect(words(story("19 10:00", paused), "19 13:00")).toBeNull();
});

describe("why this time:", () => {
  const why = (after: ReturnType<typeof story>, side: "client" | "staff" = "client") =>
    targetsOf(after.step.state)
      .flatMap(({ running }) => explainTarget(running, { side, zone, planNames, writer: "Sam" }))
      .map(({ term, text }) => `${term}: ${text}`);

  test("a promise that was missed, by the priority that it was made with, whatever the ticket has since", () => {
    const after = story("20 10:00", [priority("20 15:00", "low")], { rules: rulesOf("basic"), priority: "high" });
    expect(why(after)).toContain("High priority: Basic plan: a reply within 4 open hours.");
  });

  test("a business day over a weekend", () => {
    expect(why(story("20 10:00", [], core))).toEqual([
      "Fri, Nov 20, 10:00: Sam wrote, and we have not answered yet. The clock starts.",
      "Medium priority: Core plan: a reply within one business day (24 hours).",
      "Sat and Sun: Not counted. We count Monday-Friday 8am-6pm, Chicago time.",
      "Mon, Nov 23, 10:00: The promise. No holidays and no pauses fall in between.",
    ]);
  });

  test("an opening, a holiday, a pause and another priority, as staff read them", () => {
    const hours = { ...chicago, holidays: [{ day: "2026-11-26", name: "Thanksgiving" }] };
    const then = [
      staff("24 19:00"),
      client("24 20:00"),
      status("25 09:00", "waiting_for_customer"),
      status("25 12:00", "open"),
      priority("25 12:10", "low"),
    ];
    expect(why(story("24 18:30", then, { rules: rulesOf("basic", hours) }), "staff")).toEqual([
      "Tue, Nov 24, 20:00: The client wrote, and we have not answered yet. The clock starts.",
      "Low priority: Basic plan: a reply within 2 business days (48 hours).",
      "Wed, Nov 25, 08:00: We were closed. The time counts from this opening on.",
      "Sat and Sun: Not counted. We count Monday-Friday 8am-6pm, Chicago time.",
      "Thu, Nov 26: Not counted: Thanksgiving.",
      "Wed, Nov 25, 09:00 – Wed, Nov 25, 12:00: Not counted, because we waited for the client.",
      "Wed, Nov 25, 12:10: The priority changed. The time was counted again from its start, by the new priority.",
      "Mon, Nov 30, 11:00: The promise.",
    ]);
  });

  test("another priority before the opening that counts", () => {
    const night = story("24 18:30", [priority("24 21:00", "low")], { rules: rulesOf("basic", chicago) });
    expect(why(night).map((line) => line.split(/\.(?: |$)/)[0])).toEqual([
      "Tue, Nov 24, 18:30: Sam wrote, and we have not answered yet",
      "Low priority: Basic plan: a reply within 2 business days (48 hours)",
      "Tue, Nov 24, 21:00: The priority changed",
      "Wed, Nov 25, 08:00: We were closed",
      "Our hours: We count Monday-Friday 8am-6pm, Chicago time",
      "Fri, Nov 27, 08:00: The promise",
    ]);
  });

  test("an after-hours incident, and a pause that goes on", () => {
    expect(why(story("20 19:30", [], { ...core, ...urgent }))).toEqual([
      "Fri, Nov 20, 19:30: Sam wrote, and we have not answered yet. The clock starts.",
      "Urgent priority: Core plan: a reply within 4 hours, day and night, because that is sooner than 2 open hours. It counts as an after-hours incident.",
      "Fri, Nov 20, 23:30: The promise. No pauses fall in between.",
    ]);
    expect(why(story("19 10:00", paused)).at(-1)).toBe(
      "Thu, Nov 19, 12:00: Paused while we wait for you. The rest counts from the answer on.",
    );
  });

  test("nothing, if nothing is promised", () => {
    expect(why(story("19 10:00", [staff("19 11:00")]))).toEqual([]);
  });
});
