import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { activityList } from "~/features/audit/activity/definition";
import { activityRows, readActivity, visibleTypes } from "~/features/audit/activity/definition.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { submissionSubject } from "~/features/submissions/subject";
import { userSubject } from "~/features/users/model";
import { pageRequest } from "~/lists/paging.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, type Person } from "../../support/factories";

let ctx: TestContext;
let admin: Person;
let technician: Person;

beforeEach(async () => {
  const base = testContext();
  admin = await makePerson(base, { role: "admin" });
  technician = await makePerson(base, { role: "moderator" });
  ctx = as(base, admin);
  const about = { subject: submissionSubject({ id: "sub_1", name: "Priya Raman" }) };
  await commit(ctx.db, [
    recordAudit(ctx, "note.added", about),
    ...Array.from({ length: 200 }, () =>
      recordAudit(ctx, "session.started", { subject: userSubject({ userId: admin.id, fullName: "Zelda Quirke" }) }),
    ),
    recordAudit(ctx, "submission.replied", about),
  ]);
});

const actorOf = (person: Person) =>
  ({ userId: person.id, role: person === admin ? "admin" : "moderator", membership: null }) as const;

/** Reads the activity at an address as somebody sees it. */
async function seenBy(person: Person, query = "") {
  const params = new URLSearchParams(query);
  const viewer = { actor: actorOf(person), zone: "UTC", now: ctx.now() };
  const request = { filter: activityList.readFilter(params), page: pageRequest(params), viewer };
  const { page, total, counts } = await readActivity(ctx, request);
  const filters = visibleTypes(viewer.actor);
  return { types: page.rows.map(({ type }) => type), total: total.count, counts, filters, page, request };
}

/** Reads all lines of the file somebody would get. */
async function fileOf(person: Person, query: string) {
  const viewer = { actor: actorOf(person), zone: "UTC", now: ctx.now() };
  const lines = activityRows.csvExport.lines(ctx.db, { params: new URLSearchParams(query), viewer });
  const types: unknown[] = [];
  for await (const chunk of lines) types.push(...chunk.map((cells) => cells[2]));
  return types;
}

test("an administrator sees security events, a technician the newest others without a gap", async () => {
  expect((await seenBy(admin)).types).toContain("security");
  expect((await seenBy(technician, "size=25")).types.slice(0, 2)).toEqual(["submission", "note"]);
});

test.each([
  "",
  "q=zelda",
  "type=security",
  "type=security&q=zelda",
  "type=security&q=signed",
])("a technician's list at ?%s has no security event, nor does its count or its file, nor a saved view of it", async (query) => {
  const { types, total } = await seenBy(technician, query);
  expect(types).not.toContain("security");
  if (query) expect({ types, total }).toEqual({ types: [], total: 0 });
  expect(await fileOf(technician, query)).not.toContain("Security");
  expect((await seenBy(admin, query)).types).toContain("security");
});

test("events that are named by their ids do not come into a technician's file", async () => {
  const ids = (await seenBy(admin, "type=security")).page.rows.map(({ id }) => id).slice(0, 3);
  expect(await fileOf(admin, `ids=${ids.join(",")}`)).toHaveLength(3);
  expect(await fileOf(technician, `ids=${ids.join(",")}`)).toEqual([]);
});

test("what a technician reads is what is shown, however many security events lie between", async () => {
  const { request } = await seenBy(technician);
  Object.assign(ctx.cost, { rowsRead: 0 });
  const { page } = await activityRows.read(ctx.db, request);
  expect(page.scanned).toBeNull();
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(page.rows.length * 2 + 20);
});

test("the figures of a technician leave security events out, and the filter does not offer them", async () => {
  const [own, all] = [await seenBy(technician), await seenBy(admin)];
  const security = await ctx.db.get<{ all: number; people: number }>(
    sql`SELECT count(*) AS "all", count(actor_id) AS people FROM audit_events WHERE activity_type = 'security'`,
  );
  expect(own.counts.all).toBe(all.counts.all - security.all);
  expect(own.counts.people).toBe(all.counts.people - security.people);
  expect(own.total).toBe(own.counts.all);
  expect(own.counts.lastHour.more).toBe(false);
  expect(own.filters).not.toContain("security");
  expect(all.filters).toContain("security");
});
