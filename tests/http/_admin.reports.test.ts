import { desc, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { purges, retentionRuns } from "~/db/schema/privacy";
import { submissionEvents } from "~/db/schema/submissions";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { readMetrics } from "~/features/analytics/queries.server";
import type { Report } from "~/features/reports/model";
import { csvLine } from "~/lib/csv";
import { hours } from "~/lib/time";
import { errorInLayout } from "~/platform/failure-pages.server";
import { takeFlash } from "~/platform/flash.server";
import * as exportRoute from "~/routes/_admin.admin.exports.$file";
import * as route from "~/routes/_admin.admin.reports";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { as, makePerson, makeSubmission } from "../support/factories";
import { pageAt } from "../support/page";
import { pdfText } from "../support/pdf-text";
import { costOf } from "../support/requests";
import { listSubmissions } from "../support/submission-list";

const page = pageAt("/admin/reports", route);
const file = pageAt("/admin/exports/:file", exportRoute);

const open = (ctx: TestContext, query = "") => page.open(ctx, `/admin/reports?${query}`);
const csvOf = (ctx: TestContext, query: string) => file.open(ctx, `/admin/exports/report.csv?${query}`);
const pdfOf = (ctx: TestContext, query: string) => file.open(ctx, `/admin/exports/report.pdf?${query}`);
/** Returns what a PDF file of a report says. */
const wordsOf = async (pdf: Awaited<ReturnType<typeof pdfOf>>) =>
  (await pdfText(new Uint8Array(await pdf.arrayBuffer()))).flat().join(" ").replaceAll("\u00a0", " ");

async function reportOf(ctx: TestContext, query: string): Promise<Report> {
  const { report } = await (await open(ctx, query)).json();
  if (!report) throw new Error("There is no report.");
  return report;
}

const card = ({ cards }: Report, label: string) => cards.find((each) => each.label === label);
const rowsOf = ({ tables }: Report, id: string) => tables.find((table) => table.id === id)?.rows;

/** Holds nine o'clock of a Wednesday in the site's zone, America/Chicago. */
const NINE = Date.parse("2026-11-11T15:00:00Z");
const WEEK = "from=2026-11-09&to=2026-11-15";

let base: TestContext;
let admin: TestContext;
let technician: TestContext;

async function answer(ctx: TestContext, submissionId: string, at: number) {
  const event = { submission_id: submissionId, from_status: "new", to_status: "contacted", actor_name: "Sam" };
  await ctx.db.insert(submissionEvents).values({ id: ctx.newId("sev"), ...event, at });
}

beforeAll(async () => {
  const staff = await staffMember();
  base = staff.base;
  admin = staff.ctx;
  technician = as(base, await makePerson(base, { role: "moderator", withPassword: true, withTotp: true }));
  const send = async (email: string, status: "new" | "contacted" | "resolved", at = NINE) => {
    const made = await makeSubmission(base, { email, status, at });
    const day = new Date(at - hours(6)).toISOString().slice(0, 10);
    await base.db.run(sql`UPDATE contact_submissions SET submitted_on = ${day} WHERE id = ${made.id}`);
    return made;
  };
  await send("one@oak.example", "new");
  await answer(base, (await send("two@oak.example", "contacted")).id, NINE + hours(1));
  // From Wednesday at nine to Thursday at ten: nine open hours and two more.
  await answer(base, (await send("three@oak.example", "resolved")).id, NINE + hours(25));
  await answer(base, (await send("four@ash.example", "resolved")).id, NINE + hours(3));
  await send("five@ash.example", "resolved");
  await makeSubmission(base, { email: "held@oak.example", at: NINE, moderationReason: "honeypot" });
  // Sunday at eleven in the evening, and the first minute after it.
  await send("late@elm.example", "new", Date.parse("2026-11-16T05:00:00Z"));
  await send("after@elm.example", "new", Date.parse("2026-11-16T06:00:00Z"));
});

describe("a report of submissions", () => {
  test("counts what was sent on its days where the company is, and nothing that is held", async () => {
    const report = await reportOf(admin, `type=submissions&${WEEK}`);
    expect(card(report, "Total Submissions")).toMatchObject({ value: "6", note: "Nov 9–15, 2026" });
    expect(report.byStatus.map(({ label, count }) => [label, count])).toEqual([
      ["New", 2],
      ["Contacted", 1],
      ["Resolved", 3],
    ]);
    expect(card(report, "Top Domain")).toMatchObject({ value: "oak.example", note: "3 of 6" });
    expect(card(report, "Resolution Rate")).toMatchObject({
      value: "50%",
      note: "3 of 6 sent in this period, resolved now",
      to: expect.stringContaining("status=resolved"),
    });
    expect(rowsOf(report, "days")).toEqual([
      ["Nov 11, 2026", "1", "1", "3", "5"],
      ["Nov 15, 2026", "1", "0", "0", "1"],
    ]);
  });

  test("without a resolved one its rate leads to all that it is of, not to an empty list", async () => {
    const rate = card(await reportOf(admin, "from=2026-11-16&to=2026-11-16"), "Resolution Rate");
    expect(rate).toMatchObject({ value: "0 of 1", to: expect.not.stringContaining("status") });
  });

  test("measures answers in open hours, and names how many there are", async () => {
    const report = await reportOf(admin, `type=submissions&${WEEK}`);
    expect(card(report, "Avg Response Time")).toMatchObject({
      value: "3\u00a0h",
      note: "Median of 3, in open hours; mean 5\u00a0h",
    });
  });

  test("is the same as page, as CSV and as PDF, under one name", async () => {
    const report = await reportOf(admin, `type=summary&${WEEK}`);
    const file = await csvOf(admin, `type=summary&${WEEK}`);
    expect(file.headers.get("Content-Disposition")).toBe('attachment; filename="summary-report-2026-11-18.csv"');
    const csv = await file.text();
    expect(csv).toMatch(/^"Status","Count"\r\n"New","2"\r\n"Contacted","1"\r\n"Resolved","3"\r\n\r\n/);
    for (const { label, value } of report.cards) expect(csv).toContain(`"${label}","${value}"`);
    for (const { title, rows } of report.tables.slice(1))
      for (const cells of [[title], ...rows]) expect(csv).toContain(csvLine(cells));
    const document = await pdfOf(admin, `type=summary&${WEEK}`);
    expect(document.headers.get("Content-Type")).toBe("application/pdf");
    expect(document.headers.get("Content-Disposition")).toBe('attachment; filename="summary-report-2026-11-18.pdf"');
    const lines = await wordsOf(document);
    for (const { value } of report.cards) expect(lines).toContain(value.replaceAll("\u00a0", " "));
    for (const row of ["statuses", "domains"].flatMap((id) => rowsOf(report, id) ?? []))
      expect(lines).toContain(row.join(" "));
    expect(lines).toContain("Page 1 of");
  });

  test("says of nothing that there is nothing", async () => {
    const report = await reportOf(admin, "type=submissions&from=2025-01-01&to=2025-12-31");
    expect(report.cards.map(({ value, note }) => [value, note])).toEqual([
      ["0", "No submissions yet"],
      ["—", "No responses in this period"],
      ["—", "No submissions yet"],
      ["—", "No submissions yet"],
    ]);
    expect(rowsOf(report, "days")).toEqual([]);
    expect((await pdfOf(admin, "type=submissions&from=2025-01-01&to=2025-12-31")).status).toBe(200);
  });
});

test("without dates it is the last 30 days up to now", async () => {
  expect((await reportOf(admin, "")).request).toEqual({ type: "summary", from: "2026-10-20", to: "2026-11-18" });
});

test.each([
  ["no end", "from=2026-11-01", { to: "Choose both dates" }],
  ["no dates", "from=&to=", { from: "Choose both dates", to: "Choose both dates" }],
  ["a day that there is not", "from=2026-02-30&to=2026-03-02", { from: "Choose both dates" }],
  ["the wrong order", "from=2026-11-10&to=2026-11-01", { from: "The start date is after the end date" }],
  ["the future", "from=2026-11-10&to=2026-11-19", { to: "Choose days up to today" }],
  ["more than a year", "from=2025-11-01&to=2026-11-02", { from: "Choose a year at most" }],
])("%s is explained with what was typed, and there is no file of it", async (_, query, errors) => {
  const response = await open(admin, query);
  expect(response.status).toBe(400);
  const { asked, report } = await response.json();
  const typed = new URLSearchParams(query);
  expect(asked).toEqual({ type: "summary", from: typed.get("from") ?? "", to: typed.get("to") ?? "", errors });
  expect(report).toBeNull();
  const file = await pdfOf(admin, query);
  expect([file.status, file.headers.get("Location")]).toEqual([303, `/admin/reports?${new URLSearchParams(query)}`]);
});

test("accounts are counted in the months of the site's zone, by their role of now, for technicians too", async () => {
  await base.db.run(sql`UPDATE users SET created_at = ${Date.parse("2026-06-15T12:00:00Z")}`);
  const late = await makePerson(base);
  await base.db.run(sql`UPDATE users SET created_at = ${Date.parse("2026-11-01T04:59:00Z")} WHERE id = ${late.id}`);
  const { id } = await makePerson(base, { role: "moderator" });
  await base.db.run(sql`UPDATE users SET created_at = ${Date.parse("2026-11-01T05:00:00Z")} WHERE id = ${id}`);
  const linesOf = async () =>
    (await (await csvOf(technician, "type=users&from=2026-10-01&to=2026-11-18")).text()).split("\r\n").slice(0, 5);
  const all = (await base.db.$count(users)).toLocaleString("en-US");
  expect(await linesOf()).toEqual([
    '"Month","New Users","Admins","Moderators","Regular Users"',
    '"2026-10","1","0","0","1"',
    '"2026-11","1","0","1","0"',
    expect.stringMatching(`^"All accounts","${all}",`),
    "",
  ]);
  await base.db.run(sql`UPDATE user_roles SET role = 'admin' WHERE user_id = ${id}`);
  expect((await linesOf())[2]).toBe('"2026-11","1","1","0","0"');
  await base.db.run(sql`DELETE FROM users WHERE id = ${id}`);
  expect((await linesOf())[2]).toBe('"2026-11","0","0","0","0"');
});

test("performance shows the figures of tickets that everything else shows", async () => {
  await measureTickets(base);
  const report = await reportOf(technician, `type=performance&${WEEK}`);
  const figures = await readMetrics(base.db, { from: "2026-11-09", to: "2026-11-15" });
  expect(rowsOf(report, "performance")?.at(-1)).toEqual(["All", String(figures.created), "—", "—", "—"]);
  const priorities = rowsOf(report, "performance")?.map(([priority]) => priority);
  expect(priorities).toEqual(["Urgent", "High", "Medium", "Low", "All"]);
});

test("the numbers of tickets lead to the rows behind them, those of a past day too", async () => {
  const { tables } = await reportOf(technician, `type=summary&${WEEK}`);
  const { rows = [], rowsTo = [] } = tables.find(({ id }) => id === "tickets") ?? {};
  const paths = new Map(rows.map(([name], index) => [name, rowsTo[index]]));
  expect(paths.get("Tickets created")).toBe("/admin/analytics/rows?of=created&from=2026-11-09&to=2026-11-15");
  expect(paths.get("Backlog")).toMatch(/of=open&from=2016-\d\d-\d\d&to=2026-11-15$/);
  // What is not a number leads nowhere.
  expect(paths.get("Promises kept")).toBeNull();
});

test("a report is one round trip, and a file is recorded with who took it", async () => {
  const fresh = await staffMember();
  const { trips } = await costOf(fresh.ctx, () => open(fresh.ctx, `type=summary&${WEEK}`));
  // The session is read before it.
  expect(trips).toBeLessThanOrEqual(2);
  await csvOf(fresh.ctx, `type=performance&${WEEK}`);
  const [event] = await base.db.select().from(auditEvents).orderBy(desc(auditEvents.id)).limit(1);
  expect(event).toMatchObject({
    action: "security.report_exported",
    actor_id: fresh.person.id,
    subject_type: "report",
  });
});

test("after ten files in an hour the page with its message stands in place of the next one, as 429", async () => {
  const ctx = as(base, await makePerson(base, { role: "moderator", withPassword: true, withTotp: true }));
  for (let file = 0; file < 10; file += 1) expect((await csvOf(ctx, WEEK)).status).toBe(200);
  const response = await csvOf(ctx, WEEK);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "3600"]);
  const page = await errorInLayout(ctx, { response }, async ({ url }, inside) =>
    Response.json({ url, flash: takeFlash(inside) }),
  );
  expect([page?.status, page?.headers.get("Retry-After")]).toEqual([429, "3600"]);
  const { url, flash } = (await page?.json()) as { url: string; flash: object };
  expect(new URL(url).pathname + new URL(url).search).toBe(`/admin/reports?${WEEK}`);
  expect(flash).toMatchObject({
    title: "Export Failed",
    message: "Failed to export data. Too many attempts. Try again in 60 minutes.",
  });
});

test("a year of accounts costs the same however many there are", async () => {
  await base.db.run(sql`
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, status)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
    SELECT 'usr_many_' || i, ${Date.parse("2025-12-01T00:00:00Z")} + i * 3600000, 0, i || '@many.example', 'Ada Becker',
      'ada becker', 'active' FROM n`);
  const year = "type=users&from=2025-11-19&to=2026-11-18";
  expect((await costOf(technician, () => open(technician, year))).rows).toBeLessThan(2_500);
  const report = await reportOf(technician, year);
  const counts = rowsOf(report, "users")?.map(([, all]) => Number(all?.replace(",", "")));
  expect(counts?.slice(0, -1).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(8_000);
});

test("a report that cannot be read says so", async () => {
  await base.db.run(sql`ALTER TABLE submission_counts RENAME TO submission_counts_away`);
  try {
    expect(await (await open(admin, WEEK)).json()).toMatchObject({ asked: null, report: null });
  } finally {
    await base.db.run(sql`ALTER TABLE submission_counts_away RENAME TO submission_counts`);
  }
});

test("a domain leads to its submissions, not to those of another one that ends like it", async () => {
  const { ctx } = await staffMember();
  const at = Date.parse("2026-07-01T15:00:00Z");
  for (const email of ["one@gmail.example", "two@mail.example", "three@mail.example"])
    await makeSubmission(ctx, { email, at });
  const report = await reportOf(ctx, "type=submissions&from=2026-07-01&to=2026-07-01");
  const domain = card(report, "Top Domain");
  expect(domain).toMatchObject({ value: "mail.example", note: "2 of 3" });
  expect(report.domains[0]?.to).toBe(domain?.to);
  const rows = await listSubmissions(ctx.db, domain?.to?.split("?")[1]);
  expect(rows.map(({ email }) => email).sort()).toEqual(["three@mail.example", "two@mail.example"]);
});

test("fewer submissions than once counted are explained, on the page and in the file, by what was deleted since", async () => {
  const { ctx, base } = await staffMember();
  const query = `type=summary&${WEEK}`;
  const said = async () => (await reportOf(ctx, query)).deleted;
  expect(await said()).toBeNull();
  const at = (day: string) => Date.parse(`${day}T18:00:00Z`);
  const run = (day: string, submissions: number) => ({ day, submissions, started_at: at(day), retention_days: 60 });
  await base.db.insert(retentionRuns).values([run("2026-11-08", 5), run("2026-11-09", 2), run("2026-11-20", 7)]);
  const purge = (id: string, day: string) => ({ id, quiet_since: 0, requested_at: at(day), submissions: 3 });
  await base.db.insert(purges).values([purge("pur_early", "2026-11-08"), purge("pur_late", "2026-11-12")]);
  const words = "Retention and purges have deleted 12 submissions since Nov 9, 2026.";
  expect(await said()).toContain(words);
  expect(await wordsOf(await pdfOf(ctx, query))).toContain(words);
});
