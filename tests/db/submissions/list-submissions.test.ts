import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { countSubmissions } from "~/features/submissions/queries.server";
import { minutes } from "~/lib/time";
import { formatCursor } from "~/lists/paging.server";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { readSubmissions } from "../../support/submission-list";

const ctx = testContext();
const page = async (query = "") => (await readSubmissions(ctx.db, query)).page;

beforeAll(async () => {
  for (let place = 0; place < 60; place += 1) {
    ctx.clock.advance(minutes(1));
    await makeSubmission(ctx, { status: place % 3 === 0 ? "contacted" : "new", firstName: `Visitor${place}` });
  }
  await makeSubmission(ctx, { moderationReason: "content" });
});

test("two submissions of the same millisecond are both shown across a page border", async () => {
  const at = ctx.now() + minutes(5);
  const twins = [await makeSubmission(ctx, { at }), await makeSubmission(ctx, { at })].map(({ id }) => id).sort();
  const [older, newer] = twins;
  const rest = await page(`after=${formatCursor([at, newer ?? ""])}`);
  expect(rest.rows[0]?.id).toBe(older);
});

test("held submissions are in no list and in no count but their own", async () => {
  const { rows } = await page("size=100");
  const counts = await countSubmissions(ctx.db);
  expect(rows).toHaveLength(counts.all);
  expect(counts.held).toBe(1);
});

test("a filter shows only its status and costs no more than its page", async () => {
  ctx.cost.rowsRead = 0;
  const { rows } = await page("status=contacted");
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(["contacted"]));
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(2 * 26);
});

test("where no row is left before or after a page, the first page is shown with a way on", async () => {
  const query = "status=new&size=25";
  const first = await page(query);
  const second = await page(`${query}&after=${first.next}`);
  const gone = JSON.stringify(first.rows.map(({ id }) => id));
  await ctx.db.run(
    sql`UPDATE contact_submissions SET status = 'resolved' WHERE id IN (SELECT value FROM json_each(${gone}))`,
  );
  const back = await page(`${query}&before=${second.previous}`);
  expect(back).toMatchObject({ rows: second.rows, previous: null, next: second.next });
  const last = second.rows.at(-1);
  expect((await page(`${query}&after=${formatCursor([0, last?.id ?? ""])}`)).rows).toEqual(second.rows);
});
