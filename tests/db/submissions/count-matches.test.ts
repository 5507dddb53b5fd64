import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { contactSubmissions } from "~/db/schema/submissions";
import { submissionRows } from "~/features/submissions/list/definition.server";
import { countViews } from "~/features/submissions/list/read-list.server";
import { addDays, dayIn, days, startOfDay } from "~/lib/time";
import { countInWords } from "~/lists/model";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";
import { readSubmissions } from "../../support/submission-list";
import { submissionStaff } from "../../support/submissions";

beforeEach(() => testContext().db.delete(contactSubmissions));

const ZONE = "America/Chicago";

async function staffMember() {
  const avery = await submissionStaff();
  const { ctx } = avery;
  const viewer = { actor: avery.actor, zone: ZONE, now: ctx.now() };
  const counted = async (query: string) => countInWords((await readSubmissions(ctx.db, query, viewer)).total);
  const there = async (query: string) => {
    let rows = 0;
    const lines = submissionRows.csvExport.lines(ctx.db, { params: new URLSearchParams(query), viewer });
    for await (const chunk of lines) rows += chunk.length;
    return String(rows);
  };
  return { ...avery, counted, there };
}

test("days and a status are counted exactly, over months and years, whatever happens to the submissions", async () => {
  const { ctx, setStatus, remove, release, counted, there } = await staffMember();
  const today = dayIn(ZONE, ctx.now());
  const made: { id: string }[] = [];
  for (let back = 0; back < 800; back += 9) {
    // The first and the last moment of the day in the site's zone.
    const at = startOfDay(ZONE, addDays(today, -back)) + (back % 2 === 0 ? 0 : days(1) - 3_600_001);
    made.push(await makeSubmission(ctx, { at, status: back % 4 === 0 ? "new" : "resolved" }));
  }
  const held = await makeSubmission(ctx, { moderationReason: "content", at: ctx.now() - days(70) });
  const [moved, deleted] = [made[3]?.id ?? "", made[10]?.id ?? ""];
  await setStatus(moved, "contacted");
  await remove([{ id: deleted }]);
  const ranges = [
    "filter=recent",
    `to=${addDays(today, -1)}`,
    `from=${addDays(today, -40)}`,
    `from=${addDays(today, -40)}&to=${addDays(today, -20)}`,
    `from=${addDays(today, -75)}&to=${addDays(today, -65)}`,
    "from=2025-12-31&to=2026-01-01",
    "from=2025-01-31&to=2026-02-28",
    "from=2024-01-01&to=2026-12-31",
    "from=2027-01-01",
    "to=2020-01-01",
  ];
  const statuses = ["", "&status=new", "&status=contacted", "&status=resolved"];
  for (const range of ranges) {
    for (const status of statuses)
      expect(await counted(range + status), range + status).toBe(await there(range + status));
  }
  expect(await there("from=2024-01-01")).toBe(String(made.length - 1));
  await release(held.id);
  expect(await counted("from=2024-01-01")).toBe(String(made.length));
});

test("what is searched for is counted as far as counting is cheap, and the count says so", async () => {
  const { ctx, counted } = await staffMember();
  const insert = (from: number, to: number) =>
    ctx.db.run(`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
      INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
        consent_at, reply_due_at, consent_terms_version, ip_hash, search_text)
      SELECT 'sub_count' || i, i, 1, 700000 + i, 'A', 'B', 'a@b.example', 'new', 1, 1, 'x', 'x', 'countable xq' FROM n`);
  await insert(1, 50);
  expect(await counted("q=countable")).toBe("50");
  await insert(51, 51);
  expect(await counted("q=countable")).toBe("more than 50");
  expect(await counted("q=countable&status=new")).toBe("more than 50");
  expect(await counted("q=countable&size=50")).toBe("more than 50");
  expect(await counted("q=countable&size=100")).toBe("51");
  expect(await counted("q=xq")).toBe("51");
  expect(await counted("q=countable&status=resolved")).toBe("0");
});

const TODAY = "2026-11-18";

test("what is mine and what is to be followed up is counted as the views show it, up to the limit", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx, { role: "moderator" });
  const counts = () => countViews(ctx.db, { userId: person.id, today: TODAY });
  const add = async (fields: Partial<typeof contactSubmissions.$inferInsert>, options = {}) => {
    const { id } = await makeSubmission(ctx, options);
    await ctx.db.update(contactSubmissions).set(fields).where(eq(contactSubmissions.id, id));
  };
  expect(await counts()).toEqual({ mine: "0", follow_up: "0" });
  await add({ owner_id: person.id, follow_up_on: TODAY });
  await add({ owner_id: person.id, status: "resolved", follow_up_on: TODAY });
  await add({ follow_up_on: "2026-11-17" });
  await add({ follow_up_on: "2026-11-19" });
  await add({ owner_id: person.id, follow_up_on: TODAY }, { moderationReason: "content" });
  expect(await counts()).toEqual({ mine: "2", follow_up: "2" });
  for (let more = 0; more < 24; more++) await add({ owner_id: person.id });
  expect(await counts()).toEqual({ mine: "25+", follow_up: "2" });
});
