import { expect, test } from "vitest";
import { commit, type Db } from "~/db/client.server";
import { type ActivityFilter, activityFilter } from "~/features/audit/activity";
import { ACTIVITY_PAGE, countActivity, listActivity as list } from "~/features/audit/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { submissionPath, submissionSubject } from "~/features/submissions/subject";
import { userSubject } from "~/features/users/subject";
import type { Subject } from "~/lib/subject";
import { hours } from "~/lib/time";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission } from "../../support/world";

const many = { type: "submission" as const, id: null, label: null };
const pathOf = ({ type, id }: Subject) => (type === "submission" ? submissionPath(id) : null);
const listActivity = (db: Db, ...[filter, before]: [ActivityFilter, number | null]) => list(db, filter, before, pathOf);
const filter = (query = "") => activityFilter(new URLSearchParams(query));

async function happened() {
  const world = testContext();
  const person = await makePerson(world, { role: "moderator", fullName: "Jördis Vale" });
  const ctx = as(world, person);
  const submission = await makeSubmission(world, { firstName: "Priya" });
  const about = { subject: submissionSubject({ id: submission.id, name: "Priya Raman" }) };
  await commit(ctx.db, [
    recordAudit(world, "submission.received", about),
    recordAudit(ctx, "submission.status_changed", { ...about, meta: { from: "new", to: "contacted" } }),
    recordAudit(ctx, "note.added", { ...about, meta: { note: "note_1" } }),
    recordAudit(ctx, "session.started", { subject: userSubject({ userId: person.id, fullName: person.fullName }) }),
  ]);
  return { ctx, person, submission };
}

test("the feed tells newest first who did what to whom", async () => {
  const { ctx, person, submission } = await happened();
  const { entries } = await listActivity(ctx.db, filter(), null);
  expect(entries.slice(0, 4)).toMatchObject([
    { type: "security", person: { name: "Jördis Vale", email: person.email }, href: null },
    { type: "note", action: "added a note", details: "Priya Raman", href: `/admin/submissions/${submission.id}` },
    { type: "status_change", details: "Priya Raman, new to contacted" },
    { type: "submission", person: null, details: "Priya Raman" },
  ]);
});

test.each([
  ["type=status_change", ["status_change"]],
  ["type=submission", ["submission"]],
  ["type=ticket", []],
  ["type=nonsense", ["security", "note", "status_change", "submission"]],
])("%s shows %j", async (query, types) => {
  const { ctx } = await happened();
  const { entries } = await listActivity(ctx.db, filter(query), null);
  expect([...new Set(entries.slice(0, 4).map(({ type }) => type))]).toEqual(types);
});

test.each([
  "jordis",
  "JÖRDIS VALE",
  "added a note",
  "new to contacted",
  "priya",
])("a search for %j finds the line", async (q) => {
  const { ctx } = await happened();
  expect((await listActivity(ctx.db, filter(`${new URLSearchParams({ q })}`), null)).entries.length).toBeGreaterThan(0);
  expect((await listActivity(ctx.db, filter("q=%25"), null)).entries).toEqual([]);
});

test("pages lead back to the beginning of the record without a gap, searching or not", async () => {
  const { ctx } = await happened();
  const statements = Array.from({ length: 620 }, () => recordAudit(ctx, "submission.exported", { subject: many }));
  await commit(ctx.db, statements);
  const all = await countActivity(ctx.db, ctx.now());
  for (const query of ["", "q=vale"]) {
    const seen = new Set<number>();
    let before: number | null = null;
    do {
      const page = await listActivity(ctx.db, filter(query), before);
      expect(page.entries.length).toBeLessThanOrEqual(ACTIVITY_PAGE);
      expect(page.looked === null || page.before !== null).toBe(true);
      for (const { id } of page.entries) seen.add(id);
      before = page.before;
    } while (before !== null);
    expect(seen.size).toBe(query === "" ? all.all : all.people);
  }
});

test("the last hour is counted by the clock", async () => {
  const { ctx } = await happened();
  const before = await countActivity(ctx.db, ctx.now());
  ctx.clock.advance(hours(1) + 1);
  const after = await countActivity(ctx.db, ctx.now());
  expect(before.lastHour.count).toBeGreaterThan(0);
  expect(after).toEqual({ ...before, lastHour: { count: 0, more: false } });
});

test("a search that has to stop says how far back it looked, and leads to the one line at the beginning", async () => {
  const { ctx, submission } = await happened();
  const subject = submissionSubject({ id: submission.id, name: "Priya Raman" });
  const about = { subject, meta: { reason: "needle_in_hay" } };
  const hay = Array.from({ length: 200 }, () => recordAudit(ctx, "note.added", { subject: many }));
  await commit(ctx.db, [recordAudit(ctx, "submission.released", about), ...hay]);
  const found: string[] = [];
  const stops: (number | null)[] = [];
  for (let before: number | null = null; ; ) {
    const page = await listActivity(ctx.db, filter("q=needle+in+hay"), before);
    found.push(...page.entries.map(({ details }) => details));
    if (found.length > 0 || page.before === null) break;
    stops.push(page.looked?.count ?? null);
    expect(page.looked?.backTo).toBe(ctx.now());
    before = page.before;
  }
  expect(found).toEqual(["Priya Raman, needle in hay"]);
  expect(stops).toEqual([75, 75]);
});

test("the last hour is counted up to a hundred, and then as at least so many", async () => {
  const { ctx } = await happened();
  await commit(
    ctx.db,
    Array.from({ length: 120 }, () => recordAudit(ctx, "note.added", { subject: many })),
  );
  expect((await countActivity(ctx.db, ctx.now())).lastHour).toEqual({ count: 100, more: true });
});
