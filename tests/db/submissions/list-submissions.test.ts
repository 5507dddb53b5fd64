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
  await makeSubmission(ctx, { heldReason: "content" });
});

test("pages follow each other without a gap or a repetition, and back again", async () => {
  const first = await page();
  const second = await page(`after=${first.next}`);
  const third = await page(`after=${second.next}`);
  const names = [...first.rows, ...second.rows, ...third.rows].map((row) => row.name);
  expect(names).toHaveLength(60);
  expect(new Set(names).size).toBe(60);
  expect(third.next).toBeNull();
  expect((await page(`before=${second.previous}`)).rows).toEqual(first.rows);
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
