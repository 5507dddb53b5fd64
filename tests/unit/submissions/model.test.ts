import { expect, test } from "vitest";
import type { Actor } from "~/access/model";
import { submissionList, submissionListHeading } from "~/features/submissions/list/definition";
import { criteriaOf } from "~/features/submissions/list/definition.server";
import { attributionOf, type Delivery, ordinal, responseRate, sentAttribution } from "~/features/submissions/model";
import { shownEntry } from "~/features/submissions/record/read-record.server";
import { replyDue, replyDueAt, targetTime } from "~/features/submissions/reply-target";
import { shorterPath } from "~/features/workspace/load-list.server";
import { calendarOf } from "~/lib/calendar";
import { hours } from "~/lib/time";
import { areDatesReversed } from "~/lists/criteria";

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
    { zone: ZONE, delay: "" },
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
  const shown = shownEntry(reply, { zone: ZONE, delay: " until 18:00: today’s 10 mails are sent" });
  return shown.kind === "message" ? shown.mail : null;
};

test.each<[Delivery, string, string]>([
  [{ nextAt: null, status: "pending", at: null, reason: null }, "waiting", "Queued"],
  [
    { nextAt: null, status: "delayed", at: null, reason: null },
    "waiting",
    "Delayed until 18:00: today’s 10 mails are sent",
  ],
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

const read = (query: string) => submissionList.readFilter(new URLSearchParams(query));

const ME: Actor = { userId: "usr_1", role: "moderator", membership: null };

const viewer = { zone: "America/Chicago", now: Date.parse("2026-11-18T15:00:00Z"), actor: ME };

test.each([
  ["", "All Submissions"],
  ["filter=recent", "Recent Submissions (Last 7 Days)"],
  ["status=new", "New Submissions"],
  ["status=contacted", "Contacted Submissions"],
  ["status=resolved", "Resolved Submissions"],
  ["status=in_progress", "All Submissions"],
])("the list at %j is called %s", (query, heading) => {
  expect(submissionListHeading(read(query))).toBe(heading);
});

test.each([
  "from=2026-02-30",
  "from=yesterday",
  "status=x",
  "view=x",
  "owner=usr_1",
  "sort=x",
  "q=%20",
  "filter=old",
])("%j filters nothing", (query) => {
  expect(submissionList.isFiltered(read(query))).toBe(false);
  expect(submissionList.query(read(query))).toBe("");
});

test("an address that was read is written the same way again", () => {
  const query = "view=held&status=new&owner=none&q=a%25b&from=2026-11-01&to=2026-11-30&sort=oldest";
  expect(submissionList.query(read(query))).toBe(query);
});

test.each(["name", "name_desc", "status", "status_desc", "oldest"])("the order %s is kept in the address", (sort) => {
  expect(submissionList.query(read(`sort=${sort}`))).toBe(`sort=${sort}`);
});

test("the heading of a column says how it is sorted and leads to the other direction", () => {
  expect(submissionList.sortLink(read(""), "name", {})).toEqual({ to: "/admin/submissions?sort=name", order: "none" });
  expect(submissionList.sortLink(read("sort=name"), "name", {})).toEqual({
    to: "/admin/submissions?sort=name_desc",
    order: "ascending",
  });
  expect(submissionList.sortLink(read("sort=name_desc"), "name", {})?.order).toBe("descending");
  expect(submissionList.sortLink(read("sort=status"), "submitted", {})).toEqual({
    to: "/admin/submissions",
    order: "none",
  });
  expect(submissionList.sortLink(read(""), "submitted", { size: "50" })).toEqual({
    to: "/admin/submissions?sort=oldest&size=50",
    order: "descending",
  });
});

test("the heading of a column is no link where the list has no such order", () => {
  expect(submissionList.sortLink(read("status=new"), "name", {})).toBeUndefined();
  expect(submissionList.sortLink(read("q=ada"), "status", {})).toBeUndefined();
  expect(submissionList.sortLink(read("q=ada"), "submitted", {})?.to).toBe("/admin/submissions?q=ada&sort=oldest");
});

test("dates chosen by hand take the place of the last seven days", () => {
  expect(read("filter=recent&from=2026-11-01").recent).toBe(false);
});

test("the view of what is mine has one owner, whatever else the address says", () => {
  expect(submissionList.query(read("view=mine&owner=none"))).toBe("view=mine");
});

test("a search is cut after two hundred characters, and no character is cut in two", () => {
  expect([...read(`q=${"🚀".repeat(300)}`).q]).toHaveLength(200);
});

test("the last seven days are today and the six days before it, whole, in the site's zone", () => {
  const criteria = criteriaOf(read("filter=recent"), viewer);
  expect(new Date(criteria.from ?? 0).toISOString()).toBe("2026-11-12T06:00:00.000Z");
  expect(new Date(criteria.until ?? 0).toISOString()).toBe("2026-11-19T06:00:00.000Z");
  expect(criteria.days).toEqual({ from: "2026-11-12", to: "2026-11-18" });
});

test("a day on which the clocks change is as long as it is", () => {
  const { from, until } = criteriaOf(read("from=2026-11-01&to=2026-11-01"), viewer);
  expect(((until ?? 0) - (from ?? 0)) / 3_600_000).toBe(25);
});

test("a start after the end is told apart from an empty list", () => {
  expect(areDatesReversed(read("from=2026-11-02&to=2026-11-01"))).toBe(true);
  expect(areDatesReversed(read("from=2026-11-01&to=2026-11-01"))).toBe(false);
});

test.each([
  [1, "1st"],
  [2, "2nd"],
  [3, "3rd"],
  [4, "4th"],
  [11, "11th"],
  [13, "13th"],
  [22, "22nd"],
])("%d is written %s", (place, words) => {
  expect(ordinal(place)).toBe(words);
});

test("the response rate counts everything that is not new, and is nothing while nothing has come", () => {
  expect(responseRate({ all: 0, new: 0 })).toBeNull();
  expect(responseRate({ all: 3, new: 1 })).toBe(67);
});

test("each filter that is set is named, with the address of the list without just this one", () => {
  const chips = submissionList.chips(read("view=mine&status=new&q=dental&from=2026-11-10&to=2026-11-20&sort=oldest"));
  expect(chips).toEqual([
    { label: "New", to: "/admin/submissions?view=mine&q=dental&from=2026-11-10&to=2026-11-20&sort=oldest" },
    { label: "“dental”", to: "/admin/submissions?view=mine&status=new&from=2026-11-10&to=2026-11-20&sort=oldest" },
    { label: "Nov 10–20, 2026", to: "/admin/submissions?view=mine&status=new&q=dental&sort=oldest" },
  ]);
  expect(submissionList.chips(read("filter=recent"), { size: "50" })).toEqual([
    { label: "Last 7 days", to: "/admin/submissions?size=50" },
  ]);
  expect(submissionList.chips(read("view=held"))).toEqual([]);
  expect(submissionList.chips(read("status=new&owner=none"))).toEqual([
    { label: "New", to: "/admin/submissions?owner=none" },
    { label: "No owner", to: "/admin/submissions?status=new" },
  ]);
  expect(submissionList.chips(read("owner=me"))).toEqual([{ label: "Owner: me", to: "/admin/submissions" }]);
});

test.each([
  ["from=2026-11-10", "from Nov 10, 2026"],
  ["to=2026-11-10", "until Nov 10, 2026"],
  ["from=2026-11-10&to=2026-11-10", "Nov 10, 2026"],
  ["from=2026-11-30&to=2026-12-02", "Nov 30 – Dec 2, 2026"],
  ["from=2025-12-30&to=2026-01-02", "Dec 30, 2025 – Jan 2, 2026"],
])("the days of %j are named %s", (query, label) => {
  expect(submissionList.chips(read(query)).map((chip) => chip.label)).toEqual([label]);
});

test("parameters that say nothing are left out of an address, and all others stay", () => {
  const shorter = (query: string) => shorterPath(submissionList, new URLSearchParams(query));
  expect(shorter("q=&status=&sort=newest&from=&to=")).toBe("/admin/submissions");
  expect(shorter("q=a%25b&status=&size=50&sort=newest&after=1.sub_1")).toBe(
    "/admin/submissions?q=a%25b&size=50&after=1.sub_1",
  );
  expect(shorter("q=a&export=ready")).toBeNull();
  expect(shorter("")).toBeNull();
});
