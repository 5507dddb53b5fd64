import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test } from "vitest";
import { missingPaths } from "~/db/schema/site";
import { MissingPaths } from "~/features/health/health-report";
import { countMissingPath, isMissingPage, listMissingPaths } from "~/features/health/requests.server";
import { purgeExpired } from "~/jobs/purge-expired.server";
import { days } from "~/lib/time";
import { derive, type TestContext, testContext } from "../../support/context";

let ctx: TestContext;

beforeEach(async () => {
  ctx = testContext();
  await ctx.db.delete(missingPaths);
});

const at = (path: string) => derive(ctx, { request: { ...ctx.request, url: new URL(path, "http://localhost:8787") } });
const ask = (path: string) => countMissingPath(at(path));

/** Asks for many addresses within the seconds in which one write collects them. */
const askForMany = (count: number, from = 0) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(`/robot-${from + index}`)));

const listed = async () => (await listMissingPaths(ctx)).paths;
const storedPaths = async () =>
  (await ctx.db.select().from(missingPaths)).map(({ path }) => path).filter((path) => path !== "");

test.each([
  ["/team/jo@larkspur.example", "/team/..."],
  ["/team/jo%40larkspur.example/edit", "/team/.../edit"],
  [`/verify/${"a".repeat(64)}`, "/verify/..."],
  ["/old?token=secret#part", "/old"],
])("of %s nothing is stored that could name a person or open something", async (asked, stored) => {
  await ask(asked);
  expect(await listed()).toMatchObject([{ path: stored, hits: 1 }]);
});

test("a long path is cut at two hundred characters", async () => {
  await ask(`/${"part/".repeat(60)}`);
  expect((await listed())[0]?.path).toHaveLength(200);
});

test("addresses are counted by path and day, the most requested of the newest day first", async () => {
  await Promise.all([ask("/pricing-old"), ask("/pricing-old"), ask("/team")]);
  ctx.clock.advance(days(1));
  await ask("/team");
  const paths = await listed();
  expect(paths.map(({ path, hits }) => [path, hits])).toEqual([
    ["/team", 1],
    ["/pricing-old", 2],
    ["/team", 1],
  ]);
  expect(new Set(paths.map(({ day }) => day)).size).toBe(2);
});

test("after a thousand paths in a day the others are one number, and known ones go on", async () => {
  await askForMany(1_000);
  await Promise.all([ask("/one-more"), ask("/and-another"), ask("/robot-7")]);
  const rows = await ctx.db.select().from(missingPaths);
  expect(rows).toHaveLength(1_001);
  expect(rows.find(({ path }) => path === "/robot-7")).toMatchObject({ hits: 2 });
  const missing = await listMissingPaths(ctx);
  expect(missing.paths[0]).toMatchObject({ path: "/robot-7", hits: 2 });
  // All requests but those to the 25 addresses that are listed.
  expect(missing.otherRequests).toBe(1_003 - 26);
  expect(renderToStaticMarkup(createElement(MissingPaths, missing))).toContain("… and 977 requests to other addresses");
  ctx.clock.advance(days(1));
  await ask("/tomorrow");
  expect((await listed())[0]).toMatchObject({ path: "/tomorrow" });
});

test("where nothing is left out nothing is said of other addresses", async () => {
  await Promise.all([ask("/old-page"), ask("/old-page")]);
  const missing = await listMissingPaths(ctx);
  expect(missing).toMatchObject({ paths: [{ path: "/old-page", hits: 2 }], otherRequests: 0 });
  expect(renderToStaticMarkup(createElement(MissingPaths, missing))).not.toContain("other addresses");
});

test("a robot that asks for ever new addresses costs a row for every few seconds, once the day is full, and each request is counted", async () => {
  Object.assign(ctx.cost, { trips: 0, rowsWritten: 0 });
  // More than a day may have, in one write.
  await Promise.all([askForMany(1_200), ask("/robot-3")]);
  // The path and its place in the primary key; the same for the whole day.
  expect(ctx.cost).toMatchObject({ trips: 1, rowsWritten: 2_002 });
  for (let from = 2_000; from < 4_000; from += 1_000) await askForMany(1_000, from);
  expect(ctx.cost).toMatchObject({ trips: 3, rowsWritten: 2_002 + 2 });
  expect(await storedPaths()).toHaveLength(1_000);
  expect((await listMissingPaths(ctx)).otherRequests).toBe(3_201 - 26);
});

test.each([
  ["/nothing", 404, true],
  ["/nothing", 200, false],
  ["/admin/submissions/sub_1", 404, false],
  ["/client/tickets/1", 404, false],
  ["/nothing?_data=routes%2F_site.%24", 404, false],
])("%s with %d is counted: %s", (path, status, isCounted) => {
  expect(isMissingPage(at(path), status)).toBe(isCounted);
});

test("what is older than thirty days is not shown, and deleted", async () => {
  await ask("/old");
  ctx.clock.advance(days(29));
  await ask("/newer");
  expect(await listed()).toHaveLength(2);
  ctx.clock.advance(days(2));
  expect(await listMissingPaths(ctx)).toMatchObject({ paths: [{ path: "/newer" }], otherRequests: 0 });
  await purgeExpired(ctx);
  expect(await storedPaths()).toEqual(["/newer"]);
  expect(await ctx.db.select().from(missingPaths)).toHaveLength(2);
});
