import { beforeAll, expect, test } from "vitest";
import { listSubmissions } from "~/features/submissions/list/list-queries.server";
import { countSubmissions } from "~/features/submissions/queries.server";
import { formatKey, pageRequest } from "~/lib/paging";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/world";

const ctx = testContext();
const page = (query = "") => pageRequest(new URLSearchParams(query));

beforeAll(async () => {
  for (let place = 0; place < 60; place += 1) {
    ctx.clock.advance(minutes(1));
    await makeSubmission(ctx, { status: place % 3 === 0 ? "contacted" : "new", firstName: `Visitor${place}` });
  }
  await makeSubmission(ctx, { heldReason: "content" });
});

test("pages follow each other without a gap or a repetition, and back again", async () => {
  const first = await listSubmissions(ctx.db, page());
  const second = await listSubmissions(ctx.db, page(`after=${first.older}`));
  const third = await listSubmissions(ctx.db, page(`after=${second.older}`));
  const names = [...first.rows, ...second.rows, ...third.rows].map((row) => row.name);
  expect(names).toHaveLength(60);
  expect(new Set(names).size).toBe(60);
  expect(third.older).toBeNull();
  expect((await listSubmissions(ctx.db, page(`before=${second.newer}`))).rows).toEqual(first.rows);
});

test("two requests of the same millisecond are both shown across a page border", async () => {
  const at = ctx.now() + minutes(5);
  const twins = [await makeSubmission(ctx, { at }), await makeSubmission(ctx, { at })].map(({ id }) => id).sort();
  const [older, newer] = twins;
  const rest = await listSubmissions(ctx.db, page(`after=${formatKey({ at, id: newer ?? "" })}`));
  expect(rest.rows[0]?.id).toBe(older);
});

test("held requests are in no list and in no count but their own", async () => {
  const { rows } = await listSubmissions(ctx.db, page("size=100"));
  const counts = await countSubmissions(ctx.db);
  expect(rows).toHaveLength(counts.all);
  expect(counts.held).toBe(1);
});

test("a filter shows only its status and costs no more than its page", async () => {
  ctx.cost.rowsRead = 0;
  const { rows } = await listSubmissions(ctx.db, page(), { status: "contacted" });
  expect(new Set(rows.map((row) => row.status))).toEqual(new Set(["contacted"]));
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(2 * 26);
});
