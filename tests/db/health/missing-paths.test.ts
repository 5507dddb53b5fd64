import { beforeEach, expect, test } from "vitest";
import { missingPaths } from "~/db/schema/site";
import { countMissingPath, isMissingPage, listMissingPaths } from "~/features/health/missing-paths.server";
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

test.each([
  ["/team/jo@larkspur.example", "/team/..."],
  ["/team/jo%40larkspur.example/edit", "/team/.../edit"],
  [`/verify/${"a".repeat(64)}`, "/verify/..."],
  ["/old?token=secret#part", "/old"],
])("of %s nothing is stored that could name a person or open something", async (asked, stored) => {
  await ask(asked);
  expect(await listMissingPaths(ctx)).toMatchObject([{ path: stored, hits: 1 }]);
});

test("a long path is cut at two hundred characters", async () => {
  await ask(`/${"part/".repeat(60)}`);
  expect((await listMissingPaths(ctx))[0]?.path).toHaveLength(200);
});

test("addresses are counted by path and day, the most requested of the newest day first", async () => {
  await Promise.all([ask("/pricing-old"), ask("/pricing-old"), ask("/team")]);
  ctx.clock.advance(days(1));
  await ask("/team");
  const listed = await listMissingPaths(ctx);
  expect(listed.map(({ path, hits }) => [path, hits])).toEqual([
    ["/team", 1],
    ["/pricing-old", 2],
    ["/team", 1],
  ]);
  expect(new Set(listed.map(({ day }) => day)).size).toBe(2);
});

test("after five hundred paths in a day the others are counted together, and known ones go on", async () => {
  for (let path = 0; path < 500; path += 1) await ask(`/robot-${path}`);
  await ask("/one-more");
  await ask("/and-another");
  await ask("/robot-7");
  const rows = await ctx.db.select().from(missingPaths);
  expect(rows).toHaveLength(501);
  expect(rows.find(({ path }) => path === "")).toMatchObject({ hits: 2 });
  expect(rows.find(({ path }) => path === "/robot-7")).toMatchObject({ hits: 2 });
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
  expect(await listMissingPaths(ctx)).toHaveLength(2);
  ctx.clock.advance(days(2));
  expect((await listMissingPaths(ctx)).map(({ path }) => path)).toEqual(["/newer"]);
  await purgeExpired(ctx);
  expect((await ctx.db.select().from(missingPaths)).map(({ path }) => path)).toEqual(["/newer"]);
});
