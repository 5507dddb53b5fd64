import { expect, test } from "vitest";
import { minutes } from "~/lib/time";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { loader as submissions } from "~/routes/_admin.admin.submissions._index";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { args, get } from "../support/requests";

type Loaded = { filter: { q: string }; list?: object | null };

const LISTS = [
  ["/admin/submissions", submissions],
  ["/admin/activity", activity],
] as const;

async function open(ctx: TestContext, loader: typeof submissions | typeof activity, path: string) {
  const response = (await loader(args(ctx, get(path), {}))) as Response;
  const data = (await response.json()) as Loaded;
  return { response, data, rows: data.list ?? null };
}

async function searchOften(ctx: TestContext, count: number) {
  const searches = Array.from({ length: count }, (_, index) => open(ctx, activity, `/admin/activity?q=name${index}`));
  return (await Promise.all(searches)).map(({ response }) => response.status);
}

test.each(
  LISTS,
)("the hundred and twenty-first search in a minute on %s gets 429 and keeps what was typed", async (path, loader) => {
  const { ctx } = await staffMember();
  const statuses = await searchOften(ctx, 120);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  const { response, data, rows } = await open(ctx, loader, `${path}?q=Castillo`);
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(Number(response.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
  expect(data).toMatchObject({ filter: { q: "Castillo" } });
  expect(rows).toBeNull();
});

test("of many searches at once no more are answered than the limit says", async () => {
  const { ctx } = await staffMember();
  const statuses = await searchOften(ctx, 140);
  expect(statuses.filter((status) => status === 200)).toHaveLength(120);
});

test("the list without a search still opens, other people search, and the next minute everybody does", async () => {
  const { ctx } = await staffMember();
  await searchOften(ctx, 121);
  expect((await open(ctx, submissions, "/admin/submissions")).response.status).toBe(200);
  expect((await open(ctx, submissions, "/admin/submissions?status=new")).response.status).toBe(200);
  const { ctx: other } = await staffMember();
  expect((await open(other, submissions, "/admin/submissions?q=Castillo")).response.status).toBe(200);
  ctx.clock.advance(minutes(1));
  expect((await open(ctx, submissions, "/admin/submissions?q=Castillo")).response.status).toBe(200);
});

test("two searches a minute never reach the limit, though they are more than it in an hour and a bit", async () => {
  const { ctx } = await staffMember();
  for (let minute = 0; minute < 65; minute += 1) {
    expect((await searchOften(ctx, 2)).every((status) => status === 200)).toBe(true);
    ctx.clock.advance(minutes(1));
  }
});
