import { desc } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { recordAudit } from "~/features/audit/record-audit.server";
import { submissionSubject } from "~/features/submissions/subject";
import { minutes } from "~/lib/time";
import * as route from "~/routes/_admin.admin.activity";
import * as exportRoute from "~/routes/_admin.admin.exports.$file";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSubmission } from "../support/factories";
import { pageAt } from "../support/page";
import { thrownBy } from "../support/requests";

const page = pageAt("/admin/activity", route);
const file = pageAt("/admin/exports/:file", exportRoute);

const open = (ctx: TestContext, query: string) => page.read(ctx, `/admin/activity?${query}`);
const take = (ctx: TestContext, query: string) => file.open(ctx, `/admin/exports/activity.csv?${query}`);

/** Creates a member of staff, a submission, and what happened to it. */
async function happened(events: number, name = '=Priya "Raman"') {
  const { ctx, base, person } = await staffMember();
  const { id } = await makeSubmission(ctx);
  const subject = submissionSubject({ id, name });
  const meta = { from: "new", to: "contacted" };
  const record = () => recordAudit(ctx, "submission.status_changed", { subject, meta });
  await commit(ctx.db, Array.from({ length: events }, record));
  return { ctx, base, person, path: `/admin/submissions/${id}` };
}

test.each([
  ["", 25],
  ["size=50", 50],
  ["size=100", 100],
  ["size=7", 25],
])("the activity at %j shows %i lines, of how many, each with its page", async (query, size) => {
  const { ctx, path } = await happened(120);
  const read = await open(ctx, query);
  expect(read.list?.page.rows).toHaveLength(size);
  expect(read.list?.total).toEqual({ count: read.list?.counts.all, more: false });
  expect(read.list?.page.rows[0]).toMatchObject({ href: path, details: '=Priya "Raman": new to contacted' });
});

test("a file holds exactly what the filter shows, harmless to a spreadsheet, and the record knows who took it", async () => {
  const { ctx, person } = await happened(3, '=Quinn "Q" Tabor');
  await commit(ctx.db, [
    recordAudit(ctx, "note.added", { subject: { type: "submission", id: null, label: "Other Quinn" } }),
  ]);
  const response = await take(ctx, "q=%3Dquinn&type=status_change");
  expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="activity-2026-11-18.csv"');
  const lines = (await response.text()).trimEnd().split("\r\n");
  expect(lines).toHaveLength(4);
  expect(lines[0]).toBe('"Time (UTC)","Time (site time)","Type","Action","Details","Person","Email"');
  expect(lines[1]).toMatch(
    /^"2026-11-18T15:00:00\.000Z","Nov 18, 2026, .+","Status change","changed the status of .+","'=Quinn ""Q"" Tabor: new to contacted"/,
  );
  expect(lines[1]).toContain(`"${person.fullName}","${person.email}"`);
  const [event] = await ctx.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1);
  expect(event).toMatchObject({
    action: "security.activity_exported",
    actor_id: person.id,
    activity_type: "security",
    subject_type: "activity",
    subject_id: null,
  });
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({ rows: 3, complete: true });
  expect((await open(ctx, "type=security")).list?.page.rows[0]).toMatchObject({
    sentence: `${person.fullName} exported the activity`,
    details: "3 rows",
  });
});

test("technicians take no file, and an old proof of identity is asked for again before it leaves", async () => {
  const { ctx, base } = await happened(1);
  const technician = as(base, await makePerson(base, { role: "moderator" }));
  expect((await thrownBy(take(technician, ""))).status).toBe(403);
  expect(await open(technician, "")).toMatchObject({ mayExport: false });
  expect(await open(ctx, "")).toMatchObject({ mayExport: true, file: null });
  base.clock.advance(minutes(11));
  const asked = await take(ctx, "type=note");
  const back = "/admin/activity?type=note&export=ready";
  expect(asked.headers.get("Location")).toBe(`/profile/confirm?redirectTo=${encodeURIComponent(back)}`);
  expect((await open(ctx, "type=note&export=ready")).file?.to).toBe("/admin/exports/activity.csv?type=note");
});
