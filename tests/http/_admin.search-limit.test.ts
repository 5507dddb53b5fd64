import { expect, test } from "vitest";
import { minutes } from "~/lib/time";
import * as activityRoute from "~/routes/_admin.admin.activity";
import * as submissionsRoute from "~/routes/_admin.admin.submissions._index";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { pageAt } from "../support/page";

const activity = pageAt("/admin/activity", activityRoute);
const submissions = pageAt("/admin/submissions", submissionsRoute);

async function searchOften(ctx: TestContext, count: number) {
  const searches = Array.from({ length: count }, (_, index) => activity.open(ctx, `/admin/activity?q=name${index}`));
  return (await Promise.all(searches)).filter(({ status }) => status === 200).length;
}

test.each([
  ["/admin/submissions", submissions],
  ["/admin/activity", activity],
])("of many searches at once 120 in a minute are answered; the next one, on %s, gets 429 and keeps what was typed", async (path, page) => {
  const { ctx } = await staffMember();
  expect(await searchOften(ctx, 140)).toBe(120);
  const response = await page.open(ctx, `${path}?q=Castillo`);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(response.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect(await response.json()).toMatchObject({ filter: { q: "Castillo" }, list: null });
});

test("the list without a search still opens, other people search, and the next minute everybody does", async () => {
  const { ctx } = await staffMember();
  const statusOf = async (query: string, by = ctx) => (await submissions.open(by, `/admin/submissions${query}`)).status;
  await searchOften(ctx, 121);
  expect([await statusOf(""), await statusOf("?status=new")]).toEqual([200, 200]);
  expect(await statusOf("?q=Castillo", (await staffMember()).ctx)).toBe(200);
  ctx.clock.advance(minutes(1));
  expect(await statusOf("?q=Castillo")).toBe(200);
});

test("two searches a minute never reach the limit, though they are more than it in an hour and a bit", async () => {
  const { ctx } = await staffMember();
  for (let minute = 0; minute < 61; minute += 1) {
    expect(await searchOften(ctx, 2)).toBe(2);
    ctx.clock.advance(minutes(1));
  }
});
