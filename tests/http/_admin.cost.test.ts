import { expect, test } from "vitest";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as layout } from "~/routes/_admin";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { action as change } from "~/routes/_admin.admin.submissions._index";
import { loader as record } from "~/routes/_admin.admin.submissions.$submissionId";
import { bulk } from "../support/admin-area";
import { testContext } from "../support/context";
import { as, makePerson } from "../support/factories";
import { fillActivity, fillLiveEvents, fillSubmissions, fillTickets } from "../support/filled-lists";
import { args, get } from "../support/requests";

const SMALL = 2_000;
const LARGE = 6_000;

type Loader = typeof dashboard | typeof record;

const PAGES: [string, Loader][] = [
  ["/admin", dashboard],
  ["/admin/submissions/sub_000150", record],
];

async function fill(ctx: Ctx, userId: string, range: [number, number]) {
  await fillSubmissions(ctx, userId, range);
  await fillTickets(ctx, userId, range);
  await fillActivity(ctx, userId, range);
  await fillLiveEvents(ctx, range);
}

/** Loads the page with the layout of the admin area around it, as one request does. */
async function costs(ctx: Ctx): Promise<Map<string, { trips: number; rows: number }>> {
  const measured = new Map<string, { trips: number; rows: number }>();
  for (const [path, loader] of PAGES) {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await Promise.all([
      layout(args(ctx, get(path), {})),
      loader(args(ctx, get(path), { submissionId: path.split("/")[3] ?? "" })),
    ]);
    measured.set(path, { trips: ctx.cost.trips, rows: ctx.cost.rowsRead });
  }
  return measured;
}

test("dashboard and record cost the same with two thousand submissions as with six thousand, within its budget, in one round trip", async () => {
  const base = testContext();
  const person = await makePerson(base, { role: "admin" });
  const ctx = as(base, person);
  await fill(ctx, person.id, [0, SMALL]);
  const small = await costs(ctx);
  await fill(ctx, person.id, [SMALL, LARGE]);
  const large = await costs(ctx);
  for (const [path, { trips, rows }] of large) {
    // The identity, which the worker reads, is the second trip.
    expect(trips, path).toBe(1);
    expect(rows, path).toBeLessThanOrEqual(Math.ceil((small.get(path)?.rows ?? 0) * 1.1));
    // Of the four hundred of a page the identity takes a handful.
    expect(rows, path).toBeLessThanOrEqual(390);
  }
});

test("a bulk change of five hundred reads a few rows for each, however many submissions there are", async () => {
  const base = testContext();
  const person = await makePerson(base, { role: "admin" });
  const ctx = as(base, person);
  await fillSubmissions(ctx, person.id, [LARGE, LARGE + SMALL]);
  const fields = {
    form_token: issueFormToken(ctx, "submission-list"),
    intent: "bulk-status",
    scope: "all",
    query: "status=resolved",
    status: "contacted",
    read_at: String(ctx.now() + days(365)),
  };
  Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
  await change(args(ctx, bulk("/admin/submissions", fields, []), {}));
  // Which they are, what they are called, the change, and what became of it.
  expect(ctx.cost.trips).toBe(4);
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(500 * 38);
});
