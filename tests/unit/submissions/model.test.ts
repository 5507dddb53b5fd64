import { expect, test } from "vitest";
import { attributionOf, type Delivery, sentAttribution } from "~/features/submissions/model";
import { shownEntry } from "~/features/submissions/record/read-record.server";
import { replyDue, replyDueAt, targetTime } from "~/features/submissions/reply-target";
import { calendarOf } from "~/lib/calendar";
import { hours } from "~/lib/time";

const form = new URL("https://wrenfield.example/contact");
const withQuery = (query: string) => new URL(`https://wrenfield.example/contact?${query}`);

test("what a campaign's link says counts, on the form itself and on the page it led to first", () => {
  const said = { source: "newsletter", campaign: "spring" };
  expect(attributionOf(withQuery("utm_source=newsletter&utm_campaign=spring"), "https://www.bing.com/")).toEqual(said);
  expect(attributionOf(form, "https://wrenfield.example/pricing?utm_source=newsletter&utm_campaign=spring")).toEqual(
    said,
  );
});

test("without a campaign it is the foreign site or the page of ours", () => {
  expect(attributionOf(form, "https://www.bing.com/search?q=secret")).toEqual({
    source: "www.bing.com",
    campaign: null,
  });
  expect(attributionOf(form, "https://wrenfield.example/services/managed-it?x=1")).toEqual({
    source: "/services/managed-it",
    campaign: null,
  });
});

test("a foreign site cannot name a campaign, and nonsense names nothing", () => {
  const nothing = { source: null, campaign: null };
  expect(attributionOf(form, "https://evil.example/?utm_campaign=ours")).toEqual({
    source: "evil.example",
    campaign: null,
  });
  expect(attributionOf(form, "")).toEqual(nothing);
  expect(attributionOf(form, "android-app://com.example/")).toEqual(nothing);
  expect(attributionOf(form, "https://wrenfield.example/contact?sent=1")).toEqual(nothing);
});

test("what the form brings back is cut and cleaned, never rejected", () => {
  expect(sentAttribution({ source: "a\u0000b\n", campaign: "x".repeat(500) })).toEqual({
    source: "a b",
    campaign: "x".repeat(100),
  });
});

const ZONE = "America/Chicago";
const at = Date.parse("2026-11-20T14:01:00-06:00");

const assigned = (change: { owner?: string | null; followUpOn?: string | null }) =>
  shownEntry(
    {
      kind: "assignment",
      id: "sas_1",
      actor: "Avery Quinn",
      at,
      owner: change.owner ?? null,
      followUpOn: change.followUpOn ?? null,
      ownerChanged: "owner" in change,
      followUpChanged: "followUpOn" in change,
    },
    ZONE,
  );

test.each([
  [{ owner: "Avery Quinn" }, "Avery Quinn took this"],
  [{ owner: "Jordan Vale" }, "Avery Quinn assigned it to Jordan Vale"],
  [{ owner: null }, "Avery Quinn removed the owner"],
  [{ followUpOn: "2026-11-24" }, "Avery Quinn set the follow-up to Nov 24"],
  [{ followUpOn: null }, "Avery Quinn removed the follow-up"],
  [{ owner: "Jordan Vale", followUpOn: "2026-11-24" }, "Avery Quinn assigned it to Jordan Vale, to follow up Nov 24"],
])("history says what was different, and nothing that was not: %j", (change, words) => {
  expect(assigned(change)).toMatchObject({ kind: "event", words });
});

const delivered = (delivery: Delivery) => {
  const who = { actorId: "usr_1", actor: "Avery Quinn" };
  const reply = { kind: "reply" as const, id: "srp_1", ...who, at, message: "Monday works.", delivery };
  const shown = shownEntry(reply, ZONE);
  return shown.kind === "message" ? shown.mail : null;
};

test.each<[Delivery, string, string]>([
  [{ nextAt: null, status: "pending", at: null, reason: null }, "waiting", "Queued"],
  [{ nextAt: null, status: "sending", at: null, reason: null }, "waiting", "Sending"],
  [{ nextAt: null, status: "sent", at, reason: null }, "sent", "Sent 14:01"],
  [
    { nextAt: null, status: "sent", at: Date.parse("2026-11-21T09:00:00-06:00"), reason: null },
    "sent",
    "Sent Nov 21, 09:00",
  ],
  [{ nextAt: null, status: "sent", at: null, reason: null }, "sent", "Sent"],
  [{ nextAt: null, status: "delivered", at, reason: null }, "sent", "Sent 14:01, delivered"],
  [
    { nextAt: null, status: "bounced", at, reason: "not_reachable" },
    "failed",
    "Not delivered: it came back: the mailbox is full or cannot be reached",
  ],
  [
    { nextAt: at, status: "held", at: null, reason: "address_held" },
    "failed",
    "Address bounces, held until Nov 20, 14:01",
  ],
  [{ nextAt: null, status: "dead", at: null, reason: null }, "failed", "Not delivered"],
  [{ nextAt: null, status: "uncertain", at: null, reason: null }, "failed", "Uncertain: it may not have been sent"],
])("a reply whose mail is %j never claims more than is known", (delivery, state, words) => {
  expect(delivered(delivery)).toEqual({ state, words });
});

const zone = "America/Chicago";
const calendar = calendarOf({ zone, openingHours: { workingDays: [1, 2, 3, 4, 5], opens: 8, closes: 18 } });
const promised = (at: string) => targetTime(zone, replyDueAt(calendar, Date.parse(at)));

test.each([
  [
    "during the day, until the same time of the next",
    "2026-11-17T14:05:00-06:00",
    "Wednesday, November 18, 2:05 PM CST",
  ],
  ["before opening, until closing time", "2026-11-17T06:30:00-06:00", "Tuesday, November 17, 6:00 PM CST"],
  ["at the minute of opening, until closing time", "2026-11-17T08:00:00-06:00", "Tuesday, November 17, 6:00 PM CST"],
  [
    "after closing, until closing time of the next day",
    "2026-11-17T21:00:00-06:00",
    "Wednesday, November 18, 6:00 PM CST",
  ],
  [
    "at closing time, until closing time of the next day",
    "2026-11-17T18:00:00-06:00",
    "Wednesday, November 18, 6:00 PM CST",
  ],
  ["on Friday afternoon, until Monday afternoon", "2026-11-20T17:00:00-06:00", "Monday, November 23, 5:00 PM CST"],
  ["on Friday night, until Monday evening", "2026-11-20T23:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on Saturday, until Monday evening", "2026-11-21T12:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on Sunday, until Monday evening", "2026-11-22T12:00:00-06:00", "Monday, November 23, 6:00 PM CST"],
  ["on the last day of the year, into the next", "2026-12-31T10:00:00-06:00", "Friday, January 1, 10:00 AM CST"],
  ["before the clocks go forward, at the same local time", "2026-03-06T15:00:00-06:00", "Monday, March 9, 3:00 PM CDT"],
  ["before the clocks go back, at the same local time", "2026-10-30T15:00:00-05:00", "Monday, November 2, 3:00 PM CST"],
])("what comes %s", (_, at, until) => {
  expect(promised(at)).toBe(until);
});

test("a promise is told rounded down to the minute, in the site's time wherever the visitor is", () => {
  expect(promised("2026-11-17T14:05:59.999-06:00")).toBe("Wednesday, November 18, 2:05 PM CST");
  expect(promised("2026-11-18T05:05:00+09:00")).toBe("Wednesday, November 18, 2:05 PM CST");
});

const dueAt = Date.parse("2026-11-20T20:00:00Z");
const facts = { zone, dueAt, isNew: true, answeredAt: null };

test("the promise of an unanswered submission runs until it is due, and is late afterwards", () => {
  expect(replyDue({ ...facts, now: dueAt - 1 })).toMatchObject({ state: "today", dueAt });
  expect(replyDue({ ...facts, now: dueAt + 1 })).toMatchObject({ state: "late", dueAt });
});

test("the first answer decides whether the promise was kept, whatever came later", () => {
  const now = dueAt + hours(100);
  expect(replyDue({ ...facts, now, answeredAt: dueAt })).toMatchObject({ state: "kept" });
  expect(replyDue({ ...facts, now, answeredAt: dueAt + 1 })).toMatchObject({ state: "missed" });
});

test("what counted as answered when it came was promised nothing", () => {
  expect(replyDue({ ...facts, now: dueAt, isNew: false })).toBeNull();
});
