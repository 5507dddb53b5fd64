import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { TERMS_VERSION } from "~/content/legal";
import { countSubmissions } from "~/features/submissions/queries.server";
import { days, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as frame } from "~/routes/_admin";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { action as change, loader as list } from "~/routes/_admin.admin.submissions._index";
import { loader as record } from "~/routes/_admin.admin.submissions.$submissionId";
import { bulk } from "../support/admin-area";
import { testContext, WEDNESDAY } from "../support/context";
import { args, get } from "../support/requests";
import { as, makePerson } from "../support/world";

/** The newest request of the filled tables; the others came before it. */
const NEWEST = WEDNESDAY - minutes(1);
const SMALL = 4_000;
const LARGE = 16_000;

/** Fills the tables back in time to a number of rows, a quarter of an hour apart; triggers make of them what they make. */
async function fill(ctx: Ctx, userId: string, [from, to]: [number, number]) {
  const rows = sql`WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`;
  await ctx.db.run(sql`
    INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status,
      consent_at, consent_terms_version, ip_hash, search_text, name_key, submitted_on, owner_id, held_reason)
    ${rows} SELECT printf('sub_%06d', i), ${NEWEST} - i * 900000, ${NEWEST}, 10000 + i, 'Ada', 'Becker',
      'ada@scale.example', CASE i % 3 WHEN 0 THEN 'new' WHEN 1 THEN 'contacted' ELSE 'resolved' END,
      1, ${TERMS_VERSION}, 'x',
      CASE WHEN i = 150 THEN 'zelda quirke wu' ELSE 'ada becker ada@scale.example' END,
      printf('ada %05d', i * 7919 % 20011), date((${NEWEST} - i * 900000) / 1000, 'unixepoch'),
      iif(i % 4 = 0, ${userId}, NULL), iif(i % 20 = 7, 'content', NULL) FROM n`);
  await ctx.db.run(sql`
    INSERT INTO audit_events(at, actor_id, actor_role, action, subject_type, subject_id, subject_label)
    ${rows} SELECT ${NEWEST} - i * 10000, ${userId}, 'admin', 'submission.received', 'submission',
      printf('sub_%06d', i), 'Ada Becker' FROM n`);
  await ctx.db.run(sql`
    INSERT INTO live_events(audience, type, subject_type, subject_id, label, actor_id, at)
    ${rows} SELECT 'staff', 'new_submission', 'submission', printf('sub_%06d', i), 'Ada Becker', NULL, ${NEWEST} - i FROM n`);
}

type Loader = typeof list | typeof dashboard | typeof activity | typeof record;

const LIST_QUERIES = [
  "",
  "size=50",
  "sort=oldest",
  "sort=name",
  "sort=name_desc",
  "sort=status",
  "sort=status_desc",
  `after=${NEWEST - minutes(15) * 1_000}.sub_000500`,
  "status=contacted",
  "filter=recent",
  "from=2026-10-30&to=2026-11-10",
  "status=new&from=2026-10-30&to=2026-11-10",
  "q=becker",
  "q=quirke",
  "q=nobody+at+all",
  `q=${"x".repeat(200)}`,
  "q=becker&status=new",
  "q=becker&status=new&from=2026-10-30&to=2026-11-10",
  "q=a",
  "q=wu",
  "q=qz",
  "q=%25",
  "q=%F0%9F%9A%80",
  "q=a&status=new",
  "q=wu&view=mine",
  "q=a&from=2026-10-30&to=2026-11-10",
  "view=held",
  "view=held&q=becker",
  "view=held&q=qz",
  "view=mine",
  "view=mine&q=becker",
  "view=follow_up",
  "view=follow_up&q=becker",
];

const PAGES: [string, Loader][] = [
  ...LIST_QUERIES.map((query): [string, Loader] => [`/admin/submissions?${query}`, list]),
  ["/admin", dashboard],
  ["/admin/activity", activity],
  ["/admin/activity?before=900", activity],
  ["/admin/activity?type=submission", activity],
  ["/admin/activity?q=becker", activity],
  ["/admin/activity?q=nobody+at+all", activity],
  ["/admin/submissions/sub_000150", record],
];

/** The page with the frame of the office around it, as one request reads them. */
async function costs(ctx: Ctx): Promise<Map<string, { trips: number; rows: number }>> {
  const measured = new Map<string, { trips: number; rows: number }>();
  for (const [path, loader] of PAGES) {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await Promise.all([
      frame(args(ctx, get(path), {})),
      loader(args(ctx, get(path), { submissionId: path.split("/")[3] ?? "" })),
    ]);
    measured.set(path, { trips: ctx.cost.trips, rows: ctx.cost.rowsRead });
  }
  return measured;
}

test("a page costs the same with four thousand requests as with sixteen thousand, within its budget, in one round trip", async () => {
  const world = testContext();
  const person = await makePerson(world, { role: "admin" });
  const ctx = as(world, person);
  await fill(ctx, person.id, [0, SMALL]);
  const small = await costs(ctx);
  await fill(ctx, person.id, [SMALL, LARGE]);
  const large = await costs(ctx);
  const { all, held } = await countSubmissions(ctx.db);
  expect(all + held).toBe(LARGE);
  for (const [path, { trips, rows }] of large) {
    // The identity, which the worker reads, is the second trip.
    expect(trips, path).toBe(1);
    expect(rows, path).toBeLessThanOrEqual(Math.ceil((small.get(path)?.rows ?? 0) * 1.1));
    // Of the four hundred of a page the identity takes a handful.
    expect(rows, path).toBeLessThanOrEqual(390);
  }
});

test("a bulk change of five hundred reads a few rows for each, however many requests there are", async () => {
  const world = testContext();
  const person = await makePerson(world, { role: "admin" });
  const ctx = as(world, person);
  const fields = (status: string) => ({
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-status",
    scope: "all",
    query: "status=resolved",
    status,
    drawn_at: String(ctx.now() + days(365)),
  });
  Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
  await change(args(ctx, bulk("/admin/submissions", fields("contacted"), []), {}));
  // Which they are, the change, and what became of it.
  expect(ctx.cost.trips).toBe(3);
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(500 * 36);
});
