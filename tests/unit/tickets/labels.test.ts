import { describe, expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { secretIn } from "~/features/conversation/secrets";
import { planNamesOf } from "~/features/settings/model";
import { mentionsIn, mentionText } from "~/features/tickets/internal-note.server";
import { ticketEventText, timelineFor } from "~/features/tickets/labels";
import { mailedEvent } from "~/features/tickets/mails/compose-mails.server";
import { askedAt, repliesFor } from "~/features/tickets/record/slash-replies.client";
import { presenceInWords } from "~/features/tickets/record/watch-presence.client";
import { targetsOf } from "~/features/tickets/sla/clock";
import { explainTarget, targetBeforeSending, targetDue, targetForClient } from "~/features/tickets/sla/explain";
import { latestOfMany } from "~/features/tickets/thread.server";
import { dueInWords } from "~/lib/time-labels";
import { chicago, client, nov, priority, rulesOf, staff, status, story, waiting } from "../../support/sla-story";

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

describe("labels of targets", () => {
  const phone = "(555) 555-0142";

  const zone = "America/Chicago";

  const planNames = planNamesOf(plans);

  const told = (now: string) => ({ zone, now: Date.parse(nov(now)), phone, planNames });

  const targetName = (after: ReturnType<typeof story>) => {
    const sla = after.step.state.running;
    if (!sla) throw new Error("Nothing is promised");
    return sla;
  };

  const paused = [staff("19 10:30"), client("19 11:00"), waiting("19 12:00")];

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
        .flatMap((target) => explainTarget(target, { side, zone, planNames, writer: "Sam" }))
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
        waiting("25 09:00"),
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
});

describe("names in messages", () => {
  const messages = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `msg_${index + 1}` }));

  test("a conversation of more than ten messages leads to its last one", () => {
    expect([0, 10, 11].map((count) => latestOfMany(messages(count)))).toEqual([null, null, "msg_11"]);
  });

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

  const staff = ["Sam Miller", "Sam Reed", "Zoë Ortega", "Li"].map((fullName) => ({
    id: fullName,
    fullName,
    isNotified: fullName !== "Li",
  }));

  test.each([
    ["@Sam Reed, look at this", ["Sam Reed"], []],
    ["@sam look at this", ["Sam Miller", "Sam Reed"], []],
    ["(@zoe) and @LI.", ["Zoë Ortega", "Li"], []],
    ["write to help@sam.example or li@zoe", [], []],
    ["@Liam and @Samuel, @ Li, and @Liam again", [], ["Liam", "Samuel"]],
    ["@Zo and @Zoë", ["Zoë Ortega"], ["Zo"]],
    ["Sam knows", [], []],
  ])("%s", (text, named, unknown) => {
    const mentions = mentionsIn(text, staff);
    expect([mentions.named.map(({ id }) => id), mentions.unknown]).toEqual([named, unknown]);
  });

  test("a note says who was told, who was not, and which names are nobody's, but nothing of its author", () => {
    const words = (text: string, authorId = "Sam Reed") => mentionText(mentionsIn(text, staff), authorId);
    expect(words("@Zoë please")).toEqual({ notified: "Zoë Ortega was told.", notNotified: null });
    expect(words("@Sam")).toEqual({ notified: "Sam Miller was told.", notNotified: null });
    expect(words("@Sam", "usr_other").notified).toBe("Sam Miller and Sam Reed were told.");
    expect(words("@Sam Reed and @Li")).toEqual({ notified: null, notNotified: "Li has muted this and was not told." });
    expect(words("@Zo, @Av")).toEqual({ notified: null, notNotified: "@Zo and @Av name no one on the team." });
    const log = Array.from({ length: 43 }, (_, index) => `@line${index}`).join(" ");
    expect(words(log).notNotified).toBe("@line0, @line1, @line2 and 40 more name no one on the team.");
    expect(words("@Sam Reed")).toEqual({ notified: null, notNotified: null });
  });

  test.each([
    ["The password is Blue-42horse.", "password"],
    ["Password: hunter", "password"],
    ["login dana, pwd=letmein", "password"],
    ["the password for the printer is k9!tz", "password"],
    ["My passcode was 'a1b2c3'", "password"],
    ["Card 4111 1111 1111 1111, please", "card"],
    ["4111-1111-1111-1111", "card"],
    ["I forgot my password.", null],
    ["Please send a password reset to Dana", null],
    ["The password is wrong again", null],
    ["password reset link T-1042", null],
    ["Change the password before Friday", null],
    ["The serial number is 4111 1111 1111 1112", null],
    ["Call 0000 0000 0000 0000", null],
    ["Invoice 20261118-000123", null],
  ] as const)("%s: %s", (text, secret) => {
    expect(secretIn(text)).toBe(secret);
  });

  test.each([
    ["spaces", " "],
    ["dots", "."],
  ])("a text of nothing but %s behind the word is looked through once, not once for each of them", (_, character) => {
    // Looked through again for each character, it would take minutes.
    const text = `password${character.repeat(150_000)}\nis all`;
    expect(secretIn(text)).toBe(null);
    expect(secretIn(`${text}. Password: hunter2`)).toBe("password");
  });

  test.each([
    ["/", { start: 0, query: "" }],
    ["/remote", { start: 0, query: "remote" }],
    ["Hello Dana,\n/password re", { start: 12, query: "password re" }],
    ["Hello /re", null],
    ["see /etc/hosts", null],
    ["/ not a name", null],
    [`/${"x".repeat(41)}`, null],
    ["/re\n", null],
    ["", null],
  ])("the caret at the end of %j asks for a saved reply: %j", (text, asked) => {
    expect(askedAt(text, text.length)).toEqual(asked);
  });

  test("only what stands before the caret counts", () => {
    expect(askedAt("/remote session", 4)).toEqual({ start: 0, query: "rem" });
  });

  test("a reply is found by the words of its name, in any case and order", () => {
    const replies = ["Password reset", "Remote session", "Reset done (yours)"].map((label, value) => ({
      value: String(value),
      label,
    }));
    expect(repliesFor(replies, "RESET pass").map(({ label }) => label)).toEqual(["Password reset"]);
    expect(repliesFor(replies, "")).toHaveLength(3);
    expect(repliesFor(replies, "etc/hosts")).toEqual([]);
  });
});
