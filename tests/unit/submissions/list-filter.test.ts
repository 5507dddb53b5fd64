import { expect, test } from "vitest";
import type { Actor } from "~/access/model";
import { submissionList, submissionListHeading } from "~/features/submissions/list/definition";
import { criteriaOf } from "~/features/submissions/list/definition.server";
import { ordinal, responseRate } from "~/features/submissions/model";
import { shorterPath } from "~/features/workspace/load-list.server";
import { areDatesReversed } from "~/lists/criteria";

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
