import { expect, test } from "vitest";
import { memberList, teamList } from "~/features/members/definition";
import { joinedColumn } from "~/features/members/member-columns";
import { fileContent } from "~/lists/model";
import { formatCursor, pageOf, pageRequest } from "~/lists/paging.server";

const row = (at: number) => ({ cursor: [at, `sub_${at}`] });
const request = (query: string) => pageRequest(new URLSearchParams(query));

test("the first page has a next page only when there are more rows", () => {
  const full = pageOf(
    request(""),
    Array.from({ length: 26 }, (_, place) => row(100 - place)),
  );
  expect(full.rows).toHaveLength(25);
  expect(full.previous).toBeNull();
  expect(full.next).toBe("76.sub_76");
  expect(pageOf(request(""), [row(2), row(1)])).toEqual({ rows: [row(2), row(1)], previous: null, next: null });
});

test("a page read backwards from a row comes out in the order of the list", () => {
  const page = pageOf(request(`before=${formatCursor(row(5).cursor)}`), [row(6), row(7)]);
  expect(page.rows).toEqual([row(7), row(6)]);
  expect(page).toMatchObject({ previous: null, next: "6.sub_6" });
});

test.each([
  "after=x",
  "after=1.'; drop table",
  "after=1e9.sub_1",
  "after=99999999999999999.sub_1",
  "size=1000",
  "size=-5",
])("a made-up address (%s) shows the first page", (query) =>
  expect(request(query)).toEqual({ size: 25, after: null, before: null }));

test.each([
  "ada becker",
  "zoë 李 🚀",
  "",
  "\u{10FFFF}",
])("a position after the text %j is written into an address and read back", (at) => {
  const cursor = [at, "sub_1"];
  const address = formatCursor(cursor);
  expect(address).toMatch(/^~[A-Za-z0-9_-]*\.sub_1$/);
  expect(request(`after=${address}`).after).toEqual(cursor);
});

test.each([
  "after=~%C3.sub_1",
  "after=~_w.sub_1",
  "after=~a.sub_1",
  "after=~YQ",
])("a malformed text (%s) shows the first page", (query) => expect(request(query).after).toBeNull());

test.each([
  [[900], "900"],
  [[1_763_700_000_000, "sub_1"], "1763700000000.sub_1"],
  [[2, 1_763_700_000_000, "sub_1"], "2.1763700000000.sub_1"],
])("the cursor %j is %s in an address, whatever it is made of", (cursor, address) => {
  expect(formatCursor(cursor)).toBe(address);
  expect(request(`before=${address}`).before).toEqual(cursor);
});

const SUBMISSIONS = { one: "submission", many: "submissions" };

test("a file that is ready says how many rows it has: those that were ticked, or all that match", () => {
  const content = (file: string, count: number, more: false | "certainly" = false) =>
    fileContent(`/admin/submissions.csv${file}`, { count, more }, SUBMISSIONS);
  expect(content("", 1204)).toBe("1,204 submissions");
  expect(content("?status=new", 1)).toBe("1 submission");
  expect(content("?q=ada", 150, "certainly")).toBe("more than 150 submissions");
  expect(content("?ids=sub_1%2Csub_2", 1204)).toBe("2 submissions");
  expect(fileContent("/admin/submissions.csv", undefined, SUBMISSIONS)).toBe("submissions");
});

test("members are in the order in which they were added, which the choice says; the date they joined orders nothing", () => {
  expect(joinedColumn("UTC")).not.toHaveProperty("sort");
  for (const { sortLabels } of [memberList, teamList])
    expect(sortLabels).toEqual({ newest: "Added last", oldest: "Added first" });
});
