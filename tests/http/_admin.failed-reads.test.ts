import { is, type SQL, StringChunk, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import * as layoutRoute from "~/routes/_admin";
import * as dashboardRoute from "~/routes/_admin.admin._index";
import * as activityRoute from "~/routes/_admin.admin.activity";
import * as membersRoute from "~/routes/_admin.admin.members._index";
import * as notificationsRoute from "~/routes/_admin.admin.notifications";
import * as organizationsRoute from "~/routes/_admin.admin.organizations._index";
import * as securityRoute from "~/routes/_admin.admin.security._index";
import * as sessionsRoute from "~/routes/_admin.admin.security.sessions";
import * as submissionsRoute from "~/routes/_admin.admin.submissions._index";
import * as recordRoute from "~/routes/_admin.admin.submissions.$submissionId";
import * as ticketsRoute from "~/routes/_admin.admin.tickets._index";
import * as usersRoute from "~/routes/_admin.admin.users._index";
import { staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makeSubmission } from "../support/factories";
import { pageAt } from "../support/page";
import { openedTicket } from "../support/ticket-forms";

/** Does the work while one table is not to be read. */
async function without<Value>(ctx: TestContext, table: string, work: () => Promise<Value>): Promise<Value> {
  const rename = (from: string, to: string) => ctx.db.run(sql.raw(`ALTER TABLE ${from} RENAME TO ${to}`));
  await rename(table, `${table}_away`);
  try {
    return await work();
  } finally {
    await rename(`${table}_away`, table);
  }
}

const PAGES = {
  layout: pageAt("/admin", layoutRoute),
  dashboard: pageAt("/admin", dashboardRoute),
  list: pageAt("/admin/submissions", submissionsRoute),
  activity: pageAt("/admin/activity", activityRoute),
  organizations: pageAt("/admin/organizations", organizationsRoute),
  tickets: pageAt("/admin/tickets", ticketsRoute),
  security: pageAt("/admin/security", securityRoute),
  sessions: pageAt("/admin/security/sessions", sessionsRoute),
  users: pageAt("/admin/users", usersRoute),
  members: pageAt("/admin/members", membersRoute),
  notifications: pageAt("/admin/notifications", notificationsRoute),
};
const open = (ctx: TestContext, screen: keyof typeof PAGES): Promise<object> => PAGES[screen].read(ctx);

test("a list whose rows cannot be read is still a page, with the rest of the admin area around it", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "contact_submissions", async () => {
    expect(await open(ctx, "list")).toMatchObject({ list: null, views: [] });
    expect(await open(ctx, "dashboard")).toMatchObject({ figures: { counts: expect.any(Object) } });
    expect(await open(ctx, "layout")).toMatchObject({ live: { updates: expect.any(Array) } });
  });
  expect(await open(ctx, "list")).toMatchObject({ list: { page: { rows: expect.any(Array) } } });
});

test("without the counts the navigation leads on, and dashboard, list and activity say what failed", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "totals", async () => {
    const { items } = await PAGES.layout.read(ctx);
    expect(items).toContainEqual({ label: "Submissions", path: "/admin/submissions" });
    expect(await open(ctx, "dashboard")).toMatchObject({ figures: null, status: { operational: expect.any(Boolean) } });
    expect(await open(ctx, "list")).toMatchObject({ list: null });
    expect(await open(ctx, "activity")).toMatchObject({ list: null });
  });
});

test("without settings the layout stands in the usual time zone", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "settings", async () => {
    expect(await open(ctx, "layout")).toMatchObject({ zone: DEFAULT_SETTINGS.timeZone });
    expect(await open(ctx, "list")).toMatchObject({ list: null });
    expect(await open(ctx, "dashboard")).toMatchObject({ figures: null });
  });
});

test.each([
  ["live_events", "layout", { live: null }],
  ["live_events", "notifications", { list: null }],
  ["saved_views", "list", { views: null, list: { page: expect.any(Object) } }],
  ["security_alerts", "security", { monitoring: null }],
  ["sessions", "sessions", { page: null }],
  ["audit_events", "activity", { list: null }],
  ["submission_counts", "dashboard", { figures: null }],
  ["totals", "organizations", { list: null }],
  ["totals", "users", { list: null }],
  ["totals", "members", { list: null }],
  ["organization_memberships", "members", { list: null }],
  ["organizations", "members", { list: null, organizations: { choices: [] } }],
  ["user_roles", "tickets", { list: { staff: null, page: { rows: expect.any(Array) } } }],
] as const)("without %s the %s says so, and nothing else is missing", async (table, screen, shown) => {
  const { ctx } = await staffMember();
  expect(await without(ctx, table, () => open(ctx, screen))).toMatchObject(shown);
});

/** Fails the one statement that lists the staff: others read their roles too. */
const withoutStaff = (db: TestContext["db"]) =>
  new Proxy(db, {
    get: (whole, key) => {
      if (key !== "all") return Reflect.get(whole, key);
      return (query: SQL) =>
        query.queryChunks.some((chunk) => is(chunk, StringChunk) && chunk.value.join("").includes("role <> 'user' AND"))
          ? Promise.reject(new Error("D1_ERROR: overloaded"))
          : whole.all(query);
    },
  });

test("without the staff a ticket and a submission are still shown, and nobody can be chosen for them", async () => {
  const { base, ctx, sam, ticket, read } = await openedTicket();
  const { number } = ticket;
  const { id } = await makeSubmission(base);
  const record = pageAt("/admin/submissions/:submissionId", recordRoute);
  const both = async (on: TestContext) => [await read(on), await record.read(on, `/admin/submissions/${id}`)];
  expect(await both(derive(ctx, { db: withoutStaff(ctx.db), log: () => undefined }))).toMatchObject([
    { ticket: { number }, staff: null },
    { submission: { id }, staff: null },
  ]);
  const some = expect.arrayContaining([expect.objectContaining({ name: sam.fullName })]);
  expect(await both(ctx)).toMatchObject([{ staff: some }, { staff: some }]);
});
