import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { ACTIVITY_TYPES } from "~/features/audit/model";
import { countActivity } from "~/features/audit/queries.server";
import { eraseAuditLabels, recordAudit } from "~/features/audit/record-audit.server";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { bulkChangeStatus, releaseSubmission, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { submissionSubject } from "~/features/submissions/subject";
import { userSubject } from "~/features/users/model";
import { days, hours } from "~/lib/time";
import { readFeed } from "../../support/activity";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { selectSubmissions } from "../../support/submission-list";

const many = { type: "submission" as const, id: null, label: null };

async function happened() {
  const base = testContext();
  const person = await makePerson(base, { role: "moderator", fullName: "Jördis Vale" });
  const ctx = as(base, person);
  const submission = await makeSubmission(base, { firstName: "Priya" });
  const about = { subject: submissionSubject({ id: submission.id, name: "Priya Raman" }) };
  await commit(ctx.db, [
    recordAudit(base, "submission.received", about),
    recordAudit(ctx, "submission.status_changed", { ...about, meta: { from: "new", to: "contacted" } }),
    recordAudit(ctx, "note.added", { ...about, meta: { note: "note_1" } }),
    recordAudit(ctx, "session.started", { subject: userSubject({ userId: person.id, fullName: person.fullName }) }),
  ]);
  return { ctx, person, submission };
}

test("the feed tells newest first who did what to whom", async () => {
  const { ctx, person, submission } = await happened();
  const { entries } = await readFeed(ctx.db);
  expect(entries.slice(0, 4)).toMatchObject([
    { type: "security", sentence: "Jördis Vale signed in", details: "", email: person.email, href: null },
    {
      type: "note",
      sentence: "Jördis Vale added an internal note",
      details: "Priya Raman",
      href: `/admin/submissions/${submission.id}`,
    },
    { type: "status_change", details: "Priya Raman: new to contacted" },
    { type: "submission", sentence: "Priya Raman sent a request", email: null, details: "" },
  ]);
});

test.each([
  ["type=status_change", ["status_change"]],
  ["type=submission", ["submission"]],
  ["type=ticket", []],
  ["type=nonsense", ["security", "note", "status_change", "submission"]],
])("%s shows %j", async (query, types) => {
  const { ctx } = await happened();
  const { entries } = await readFeed(ctx.db, query);
  expect([...new Set(entries.slice(0, 4).map(({ type }) => type))]).toEqual(types);
});

test.each([
  "jordis",
  "JÖRDIS VALE",
  "added an internal note",
  "Jördis Vale changed the status",
  "new to contacted",
  "priya",
])("a search for %j finds the line", async (q) => {
  const { ctx } = await happened();
  expect((await readFeed(ctx.db, `${new URLSearchParams({ q })}`)).entries.length).toBeGreaterThan(0);
  for (const other of ["%25", "%25%25%25", "priya+raman+x"]) {
    expect((await readFeed(ctx.db, `q=${other}`)).entries, other).toEqual([]);
  }
});

test("pages lead back to the beginning of the record without a gap, searching or not", async () => {
  const { ctx } = await happened();
  const statements = Array.from({ length: 130 }, () => recordAudit(ctx, "submission.exported", { subject: many }));
  await commit(ctx.db, statements);
  const all = await countActivity(ctx.db, ctx.now());
  for (const query of ["", "q=vale", "q=vale&type=submission", "size=100", "type=submission"]) {
    const seen: number[] = [];
    let page = await readFeed(ctx.db, query);
    const first = page;
    for (;;) {
      expect(page.entries.length).toBeLessThanOrEqual(query === "size=100" ? 100 : 25);
      expect(page.scanned).toBeNull();
      seen.push(...page.entries.map(({ id }) => id));
      if (!page.next) break;
      const next = await readFeed(ctx.db, `${query}&after=${page.next}`);
      expect((await readFeed(ctx.db, `${query}&before=${next.previous}`)).entries).toEqual(page.entries);
      page = next;
    }
    expect(seen).toEqual(seen.toSorted((left, right) => right - left));
    expect(new Set(seen).size).toBe(seen.length);
    if (query === "" || query === "size=100") expect(first.total).toBe(all.all.toLocaleString("en-US"));
    else expect(first.total).toBe("more than 50");
    if (!query.includes("type")) expect(seen.length).toBe(query === "q=vale" ? all.people : all.all);
  }
});

test("the last hour is counted by the clock, up to a hundred, and then as at least so many", async () => {
  const { ctx } = await happened();
  const statements = Array.from({ length: 120 }, () => recordAudit(ctx, "note.added", { subject: many }));
  await commit(ctx.db, statements);
  const before = await countActivity(ctx.db, ctx.now());
  expect(before.lastHour).toEqual({ count: 100, more: true });
  ctx.clock.advance(hours(1) + 1);
  const after = await countActivity(ctx.db, ctx.now());
  expect(after).toEqual({ ...before, lastHour: { count: 0, more: false } });
});

test("a search finds the one line at the beginning of a long record at once", async () => {
  const { ctx, submission } = await happened();
  const subject = submissionSubject({ id: submission.id, name: "Priya Raman" });
  const about = { subject, meta: { reason: "needle_in_hay" } };
  const hay = Array.from({ length: 300 }, () => recordAudit(ctx, "note.added", { subject: many }));
  await commit(ctx.db, [recordAudit(ctx, "submission.released", about), ...hay]);
  Object.assign(ctx.cost, { rowsRead: 0 });
  const { entries, scanned, total } = await readFeed(ctx.db, "q=needle+in+hay&type=submission");
  expect(entries.map(({ details }) => details)).toEqual(["Priya Raman: needle in hay"]);
  expect({ scanned, total }).toEqual({ scanned: null, total: "1" });
  expect(ctx.cost.rowsRead).toBeLessThanOrEqual(20);
});

test("one or two letters find what has them, within a type too", async () => {
  const { ctx, submission } = await happened();
  const subject = submissionSubject({ id: submission.id, name: "Xq Ng" });
  await commit(ctx.db, [recordAudit(ctx, "submission.released", { subject })]);
  for (const q of ["xq", "XQ", "xq&type=submission"]) {
    const { entries, total } = await readFeed(ctx.db, `q=${q}`);
    expect([entries.map(({ details }) => details), total], q).toEqual([["Xq Ng"], "1"]);
  }
  expect(await readFeed(ctx.db, "q=xq&type=ticket")).toMatchObject({ entries: [], total: "0", next: null });
});

test("no two types begin with the same three letters, by which the search tells them apart", () => {
  expect(new Set(ACTIVITY_TYPES.map((type) => type.slice(0, 3))).size).toBe(ACTIVITY_TYPES.length);
});

describe("the index of the search", () => {
  const matches = (ctx: TestContext, term: string) =>
    ctx.db.all(sql`SELECT rowid FROM audit_search WHERE audit_search MATCH ${`"${term}"`}`);

  async function pagesWith(ctx: TestContext, letters: string): Promise<number> {
    const rows = await ctx.db.all<{ pages: number }>(
      sql`SELECT count(*) AS pages FROM audit_search_data WHERE instr(block, CAST(${letters} AS BLOB)) > 0`,
    );
    return rows[0]?.pages ?? -1;
  }

  test("forgets a name with the subject that is deleted, and keeps the rest of the line", async () => {
    const { ctx, submission } = await happened();
    const named = { id: submission.id, name: "Quillon Zabriskie" };
    await commit(ctx.db, [recordAudit(ctx, "submission.replied", { subject: submissionSubject(named) })]);
    expect(await matches(ctx, "zabriskie")).toHaveLength(1);
    expect(await pagesWith(ctx, "zab")).toBeGreaterThan(0);
    await commit(ctx.db, [eraseAuditLabels(ctx.db, "submission", sql`SELECT ${submission.id}`)]);
    expect(await matches(ctx, "zabriskie")).toEqual([]);
    expect((await readFeed(ctx.db, "q=zabriskie")).entries).toEqual([]);
    expect((await readFeed(ctx.db, "q=replied")).entries).toMatchObject([{ details: "", href: null }]);
    // Nor do its pages hold the letters any more.
    expect(await pagesWith(ctx, "zab")).toBe(0);
  });

  test("forgets what is older than 400 days when it is deleted", async () => {
    const { ctx } = await happened();
    ctx.clock.set(Date.now() - days(401));
    await commit(ctx.db, [recordAudit(ctx, "note.added", { subject: many, meta: { reason: "xylophone" } })]);
    expect(await matches(ctx, "xylophone")).toHaveLength(1);
    await ctx.db.run(sql`DELETE FROM audit_events WHERE at < ${Date.now() - days(400)}`);
    expect(await matches(ctx, "xylophone")).toEqual([]);
    // An index that disagrees with its table is found out here.
    await ctx.db.run(sql`INSERT INTO audit_search(audit_search, rank) VALUES ('integrity-check', 1)`);
  });
});

const firstName = "Maximiliane Alexandra Friederike Charlotte";
const lastName = "von und zu Schwarzburg-Weißenhöfer";

async function longNamed(moderationReason?: "content") {
  const base = testContext();
  const person = await makePerson(base, { role: "admin", fullName: "Jördis Vale" });
  const { id } = await makeSubmission(base, { firstName, lastName, moderationReason });
  const form = { submissionId: id, selection: selectSubmissions([{ id, version: 1 }]), nonce: crypto.randomUUID() };
  return { ctx: as(base, person), actor: signedInAs(person, base.now()), form };
}

type Given = Awaited<ReturnType<typeof longNamed>>;

test.each<[string, "content" | undefined, (given: Given) => Promise<unknown>]>([
  ["moved", undefined, ({ ctx, actor, form }) => changeSubmissionStatus(ctx, actor, { ...form, status: "resolved" })],
  [
    "moved with others",
    undefined,
    ({ ctx, actor, form }) => bulkChangeStatus(ctx, actor, { ...form, status: "contacted" }),
  ],
  ["released", "content", ({ ctx, actor, form }) => releaseSubmission(ctx, actor, form)],
  ["released with others", "content", ({ ctx, actor, form }) => releaseSubmissions(ctx, actor, form)],
])("a submission that was %s is found by the end of a name of over sixty letters", async (_, moderationReason, change) => {
  const given = await longNamed(moderationReason);
  await change(given);
  const { entries } = await readFeed(given.ctx.db, "q=weissenhofer");
  const found = entries.filter(({ href }) => href === `/admin/submissions/${given.form.submissionId}`);
  expect(found).toHaveLength(1);
  expect(found[0]?.details).toContain(`${firstName} ${lastName}: `);
});
