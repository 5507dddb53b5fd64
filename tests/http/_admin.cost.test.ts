import { expect, test } from "vitest";
import { days } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import * as layoutRoute from "~/routes/_admin";
import * as dashboardRoute from "~/routes/_admin.admin._index";
import * as listRoute from "~/routes/_admin.admin.submissions._index";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import { type TestContext, testContext } from "../support/context";
import { as, makePerson } from "../support/factories";
import { fillActivity, fillLiveEvents, fillSubmissions, fillTickets } from "../support/filled-lists";
import { pageAt } from "../support/page";
import { costOf } from "../support/requests";

const LIST = "/admin/submissions";
const layout = pageAt("/admin", layoutRoute);
const list = pageAt(LIST, listRoute);

const SMALL = 1_000;
const LARGE = 3_000;

const PAGES = [
  ["/admin", pageAt("/admin", dashboardRoute)],
  ["/admin/submissions/sub_000150", pageAt("/admin/submissions/:submissionId", recordRoute)],
] as const;

async function fill(ctx: Ctx, userId: string, range: [number, number]) {
  await fillSubmissions(ctx, userId, range);
  await fillTickets(ctx, userId, range);
  await fillActivity(ctx, userId, range);
  await fillLiveEvents(ctx, range);
}

/** Loads the page with the layout of the admin area around it, as one request does. */
async function costs(ctx: TestContext): Promise<Map<string, { trips: number; rows: number }>> {
  const measured = new Map<string, { trips: number; rows: number }>();
  for (const [path, page] of PAGES)
    measured.set(path, await costOf(ctx, () => Promise.all([layout.open(ctx, path), page.open(ctx, path)])));
  return measured;
}

test("dashboard and record cost the same with a thousand submissions as with three thousand, within its budget, in one round trip", async () => {
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
  await fillSubmissions(ctx, person.id, [LARGE, LARGE + 1_600]);
  const all = { scope: "all", query: "status=resolved", read_at: String(ctx.now() + days(365)) };
  const fields = { intent: "bulk-status", status: "contacted", ...all };
  const { trips, rows } = await costOf(ctx, () => list.send(ctx, LIST, "submission-list", fields));
  // Which they are, what they are called, the change, and what became of it.
  expect(trips).toBe(4);
  expect(rows).toBeLessThanOrEqual(500 * 38);
});
