import { expect, test } from "vitest";
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
