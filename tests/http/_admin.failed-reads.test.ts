import { is, type SQL, StringChunk, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { loader as layout } from "~/routes/_admin";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { loader as activity } from "~/routes/_admin.admin.activity";
import { loader as members } from "~/routes/_admin.admin.members._index";
import { loader as notifications } from "~/routes/_admin.admin.notifications";
import { loader as organizations } from "~/routes/_admin.admin.organizations._index";
import { loader as security } from "~/routes/_admin.admin.security._index";
import { loader as list } from "~/routes/_admin.admin.submissions._index";
import { loader as submission } from "~/routes/_admin.admin.submissions.$submissionId";
import { loader as tickets } from "~/routes/_admin.admin.tickets._index";
import { loader as ticket } from "~/routes/_admin.admin.tickets.$ticket";
import { loader as users } from "~/routes/_admin.admin.users._index";
import { staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makeSubmission } from "../support/factories";
import { args, get } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

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

const page = async (ctx: TestContext, loader: typeof layout, path: string) =>
  (await loader(args(ctx, get(path), {}))).json() as Promise<Record<string, unknown>>;
const open = {
  layout: (ctx: TestContext) => page(ctx, layout, "/admin"),
  dashboard: (ctx: TestContext) => page(ctx, dashboard as never, "/admin"),
  list: (ctx: TestContext) => page(ctx, list as never, "/admin/submissions"),
  activity: (ctx: TestContext) => page(ctx, activity as never, "/admin/activity"),
  organizations: (ctx: TestContext) => page(ctx, organizations as never, "/admin/organizations"),
  tickets: (ctx: TestContext) => page(ctx, tickets as never, "/admin/tickets"),
  security: (ctx: TestContext) => page(ctx, security as never, "/admin/security"),
  users: (ctx: TestContext) => page(ctx, users as never, "/admin/users"),
  members: (ctx: TestContext) => page(ctx, members as never, "/admin/members"),
  notifications: (ctx: TestContext) => page(ctx, notifications as never, "/admin/notifications"),
};

test("a list whose rows cannot be read is still a page, with the rest of the admin area around it", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "contact_submissions", async () => {
    expect(await open.list(ctx)).toMatchObject({ list: null, views: [] });
    expect(await open.dashboard(ctx)).toMatchObject({ figures: { counts: expect.any(Object) } });
    expect(await open.layout(ctx)).toMatchObject({ live: { updates: expect.any(Array) } });
  });
  expect(await open.list(ctx)).toMatchObject({ list: { page: { rows: expect.any(Array) } } });
});

test("without the counts the navigation leads on, and dashboard, list and activity say what failed", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "totals", async () => {
    const { items } = await open.layout(ctx);
    expect(items).toContainEqual({ label: "Submissions", path: "/admin/submissions" });
    expect(await open.dashboard(ctx)).toMatchObject({ figures: null, status: { operational: expect.any(Boolean) } });
    expect(await open.list(ctx)).toMatchObject({ list: null });
    expect(await open.activity(ctx)).toMatchObject({ list: null });
  });
});

test("without settings the layout stands in the usual time zone", async () => {
  const { ctx } = await staffMember();
  await without(ctx, "settings", async () => {
    expect(await open.layout(ctx)).toMatchObject({ zone: DEFAULT_SETTINGS.timeZone });
    expect(await open.list(ctx)).toMatchObject({ list: null });
    expect(await open.dashboard(ctx)).toMatchObject({ figures: null });
  });
});

test.each([
  ["live_events", "layout", { live: null }],
  ["live_events", "notifications", { list: null }],
  ["saved_views", "list", { views: null, list: { page: expect.any(Object) } }],
  ["security_alerts", "security", { monitoring: null }],
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
  expect(await without(ctx, table, () => open[screen](ctx))).toMatchObject(shown);
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
  const { base, here, dana, sam, staff } = await ticketWorld();
  const { number } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { id } = await makeSubmission(base);
  const { ctx } = staff(sam);
  const open = async (on: TestContext) => [
    await (await ticket(args(on, get(`/admin/tickets/T-${number}`), { ticket: `T-${number}` }))).json(),
    await (await submission(args(on, get(`/admin/submissions/${id}`), { submissionId: id }))).json(),
  ];
  expect(await open(derive(ctx, { db: withoutStaff(ctx.db), log: () => undefined }))).toMatchObject([
    { ticket: { number }, staff: null },
    { submission: { id }, staff: null },
  ]);
  const some = expect.arrayContaining([expect.objectContaining({ name: sam.fullName })]);
  expect(await open(ctx)).toMatchObject([{ staff: some }, { staff: some }]);
});
