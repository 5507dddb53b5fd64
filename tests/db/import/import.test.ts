import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { imports, importWords } from "~/db/schema/imports";
import { contacts, organizations, otherAddresses } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { needsDates } from "~/features/import/mapping.server";
import { readProgress } from "~/features/import/queries.server";
import { dateOf } from "~/features/import/understand-row";
import { findChanged } from "~/features/import/undo.server";
import { continueImports, workOn } from "~/features/import/work.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { organizationTexts } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import { endQuietTickets } from "~/jobs/ticket-jobs.server";
import { days, minutes } from "~/lib/time";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";
import { makeContact } from "../../support/contacts";
import { derive } from "../../support/context";
import { allTables, dryRun, importOf, movedTo, outcomesOf, uploaded } from "../../support/imports";
import { mailIn } from "../../support/inbound-mail";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { makeTicket, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let ctx: (typeof world)["base"];
let files = 0;
let here: string;

beforeEach(async () => {
  world = await ticketWorld();
  ctx = world.base;
  files += 1;
  // Organizations are found by their names.
  here = `Larkspur ${files}`;
  await organizationCalled(here, world.here.id);
});

const TICKETS = "Number;Subject;Description;Organization;Requester email;Requester name;Status;Created at;Closed at";
const file = (...lines: string[]) => ({ kind: "tickets" as const, content: [TICKETS, ...lines].join("\r\n") });
/** Numbers are used once in the whole file of tests: what was imported stays imported. */
const old = (number: number) => `${files}-${String(number).padStart(6, "0")}`;

const imported = () =>
  ctx.db
    .select()
    .from(tickets)
    .where(sql`old_number LIKE ${`${files}-%`}`)
    .orderBy(tickets.old_number);
const ticketOf = async (number: number) => (await imported()).find(({ old_number }) => old_number === old(number));
/** Reads all tables once tickets are measured. */
async function measured() {
  while ((await measureTickets(ctx)).more);
  return allTables(ctx);
}
const reasonsOf = async ({ id }: { id: string }) => (await outcomesOf(ctx, id)).map(([, , reason]) => reason);
const resultsOf = async ({ id }: { id: string }) => (await outcomesOf(ctx, id)).map(([, ...result]) => result);
/** Makes the dry run and the run. */
const brought = async (...given: [Parameters<typeof dryRun>[1], Parameters<typeof dryRun>[2]?]) =>
  movedTo(ctx, (await dryRun(ctx, ...given)).id, "running");
const organizationCalled = (name: string, id: string) =>
  ctx.db
    .update(organizations)
    .set(organizationTexts({ name, description: "" }))
    .where(eq(organizations.id, id));

test("a file becomes tickets, a later one adds only what is new, and the undo leaves what was there before", async () => {
  await makeTicket(ctx, { organizationId: world.here.id, createdBy: world.dana });
  const before = await measured();

  const lines = [
    `${old(1)};Scanner sends blank pages;All of them.;${here};lead@scan.example;Lea Dent;New;2024-11-23 09:15;`,
    `${old(2)};Second screen;"It flickers,\nand hums.";${here};lead@scan.example;Lea Dent;Resolved;2024-11-20 10:00;2024-11-21 12:30`,
    `${old(3)};Of no one;;${here};;;Closed;2024-11-19 10:00;2024-11-19`,
  ];
  const checked = await dryRun(ctx, file(...lines));
  expect([checked.state, checked.questions, checked.problem]).toEqual(["checked", [], null]);
  expect(await outcomesOf(ctx, checked.id)).toEqual([
    [1, "add", ""],
    [2, "add", ""],
    [3, "noted", "Added without a requester"],
  ]);
  expect(await allTables(ctx)).toEqual(before);

  const dry = await outcomesOf(ctx, checked.id);
  const done = await movedTo(ctx, checked.id, "running");
  expect([done.state, done.added]).toEqual(["done", 3]);
  expect(await outcomesOf(ctx, checked.id)).toEqual(dry);
  const added = (await imported()).sort((one, other) => one.number - other.number);
  // In the order in which they were opened.
  expect(added.map(({ old_number, status, due_at }) => [old_number, status, due_at])).toEqual([
    [old(3), "closed", null],
    [old(2), "closed", null],
    [old(1), "open", null],
  ]);
  expect(added[2]?.search_text).toContain(`t-${added[2]?.number} ${old(1)}\n`);
  expect(new Set(added.slice(1).map(({ contact_id }) => contact_id)).size).toBe(1);
  expect((await ctx.db.select().from(contacts).where(eq(contacts.email, "lead@scan.example"))).length).toBe(1);
  expect(await ctx.db.$count(outbox)).toBe(before.outbox?.length);
  while ((await measureTickets(ctx)).more);

  const again = await dryRun(ctx, file(...lines, `${old(4)};New one;;${here};lead@scan.example;;New;2024-12-01;`));
  expect(await outcomesOf(ctx, again.id)).toEqual([
    [1, "exists", "Was imported before"],
    [2, "exists", "Was imported before"],
    [3, "exists", "Was imported before"],
    [4, "add", ""],
  ]);
  expect((await movedTo(ctx, again.id, "running")).added).toBe(1);

  for (const { id } of [again, checked]) {
    const undone = await movedTo(ctx, id, "undoing");
    expect([undone.state, undone.removed, undone.kept]).toEqual(["undone", undone.added, 0]);
  }
  expect(await measured()).toEqual(before);
});

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

test("files of every habit are read alike: separator, encoding, mark, line ends, a line of Excel's own", async () => {
  const rows = ["Name;Description", 'Käse & Co;"two\r\nlines; one cell"', "Zweite;", "", "Dritte;x"];
  const facts = {
    rows: 3,
    columns: [
      { name: "Name", filled: 3 },
      { name: "Description", filled: 2 },
    ],
  };
  for (const [content, encoding, delimiter] of [
    [rows.join("\r\n"), "utf-8", ";"],
    [`\ufeff${rows.join("\n")}\n`, "utf-8", ";"],
    [`sep=;\r\n${rows.join("\r")}`, "utf-8", ";"],
    [`${rows.slice(0, 2).join("\r\n")}\n${rows.slice(2).join("\r")}\r\n`, "utf-8", ";"],
    [rows.join("\r\n").replaceAll(";", "\t").replace("lines\t", "lines;"), "utf-8", "\t"],
    [utf16(rows.join("\r\n")), "utf-16le", ";"],
    [utf16(rows.join("\r\n")).swap16(), "utf-16be", ";"],
    [Buffer.from(rows.join("\r\n"), "latin1"), "windows-1252", ";"],
  ] as const) {
    const order = await uploaded(ctx, { kind: "organizations", content });
    expect(order.facts).toMatchObject({ ...facts, encoding, delimiter });
    expect(order.facts?.columns[0]?.first).toBe("Käse & Co");
    expect(order.facts?.columns[1]?.first).toBe("two\nlines; one cell");
  }
});

test("each row of a bad file has an outcome that says why, and the rest goes on", async () => {
  const { here: mine, there, dana, ivy, avery } = world;
  for (const { id } of [mine, there]) await makeContact(ctx, id, { email: `two${files}@x.example` });
  const order = await dryRun(
    ctx,
    file(
      `${old(1)};One;;${here};a@one.example;;New;2024-01-01;`,
      `${old(1)};One again;;${here};a@one.example;;New;2024-01-01;`,
      `${old(2)};=HYPERLINK("http://x");;${here};a@one.example;;New;;`,
      `${old(3)};Of two;;;two${files}@x.example;;New;;`,
      `${old(4)};Of no one;;;;;New;;`,
      `${old(5)};Elsewhere;;Unknown & Sons;b@one.example;;New;;`,
      `${old(6)};Of a member;;${here};${dana.email};;New;;`,
      `${old(7)};Of a stranger;;${here};${ivy.email};;New;;`,
      `${old(8)};Of a colleague;;${here};${avery.email};;New;;`,
      `${old(9)};Of a word;;${here};reception;;New;;`,
      `${old(10)};Of a machine;;${here};no-reply@one.example;;New;;`,
      `${old(11)};Bad date;;${here};;;New;31/31/2024;`,
      `;No number;;${here};;;New;;`,
      `${old(12)};Long;"${"x".repeat(100_001)}";${here};;;New;;`,
      `${old(13)};More cells;;${here};a@one.example;;New;;;;surplus`,
      `${old(14)};From later;;${here};a@one.example;;New;2031-01-01;`,
    ),
  );
  const reasons = await outcomesOf(ctx, order.id);
  expect(reasons.map(([, outcome]) => outcome).join(" ")).toBe(
    "add refused noted refused refused refused add add noted noted noted refused refused refused noted noted",
  );
  expect(reasons.map(([, , reason]) => reason)).toEqual([
    "",
    "The same as row 1, which counts",
    "Begins like a formula: kept as text, never run",
    "Its requester belongs to several organizations, and it names none",
    "It names no organization, and its requester belongs to none",
    "The organization “Unknown & Sons” is not here: make it, or choose one",
    "",
    "",
    "Its requester is one of your team: added without a requester",
    "“reception” has no address: added without a requester, the name is kept",
    "The address answers by itself: added without a requester",
    "“31/31/2024” is no date that can be read (opened)",
    "It has no number",
    "“Description” is longer than 100,000 characters",
    expect.stringMatching(/^The row has 11 cells and the file 9 columns/),
    "Its dates are in the future: taken as now",
  ]);
  const done = await movedTo(ctx, order.id, "running");
  expect([done.state, done.added]).toEqual(["done", 9]);
  expect(await outcomesOf(ctx, order.id)).toEqual(reasons);
  const ofMember = await ticketOf(6);
  expect(ofMember).toMatchObject({ created_by: dana.id, contact_id: null, viewers: `~${dana.id}.` });
});

test("messages come with our NDJSON, and what is internal there is internal here", async () => {
  const { sam, dana } = world;
  const ticket = {
    ...{ old_number: old(1), subject: "Router", organization: here, requester_email: dana.email, status: "open" },
    opened: "2024-05-01T08:00:00Z",
    messages: [
      { text: "It is down.", email: dana.email, at: "2024-05-01T08:01:00Z" },
      { text: "Looking.", email: sam.email, at: "2024-05-01T08:05:00Z" },
      { text: "Their fault.", author: "J. Vale", side: "staff", internal: true, at: "2024-05-01T08:06:00Z" },
      { text: " " },
    ],
  };
  const content = `${JSON.stringify(ticket)}\n{broken\n${JSON.stringify({ ...ticket, old_number: old(2), messages: [] })}`;
  const order = await dryRun(ctx, { kind: "tickets", content });
  expect(await reasonsOf(order)).toEqual(["", "The line is no JSON object", ""]);
  const done = await movedTo(ctx, order.id, "running");
  expect([done.added, done.messages]).toEqual([2, 3]);
  const written =
    await ctx.db.all(sql`SELECT m.author_name AS author, m.side, m.is_internal AS internal, m.user_id AS user
    FROM ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id WHERE t.old_number = ${old(1)} ORDER BY m.created_at`);
  expect(written).toEqual([
    { author: dana.fullName, side: "client", internal: 0, user: dana.id },
    { author: sam.fullName, side: "staff", internal: 0, user: sam.id },
    { author: "J. Vale", side: "staff", internal: 1, user: null },
  ]);
});

test("an undo leaves what was changed since, and says so; its numbers are not given again", async () => {
  const { sam, staff } = world;
  const lines = [1, 2, 3].map(
    (number) => `${old(number)};Ticket ${number};;${here};new${files}@one.example;;New;2024-01-0${number};`,
  );
  const order = await dryRun(ctx, file(...lines));
  await movedTo(ctx, order.id, "running");
  const second = await ticketOf(2);
  valueOf(await staff(sam).note(second?.id ?? "", "Called them."));
  const last = await ctx.db.get<{ value: number }>(sql`SELECT value FROM counters WHERE name = 'ticket'`);
  const undone = await movedTo(ctx, order.id, "undoing");
  expect([undone.state, undone.removed, undone.kept]).toEqual(["undone", 2, 1]);
  expect((await imported()).map(({ id }) => id)).toEqual([second?.id]);
  expect(await ctx.db.$count(contacts, eq(contacts.email, `new${files}@one.example`))).toBe(1);
  expect(await ctx.db.get(sql`SELECT value FROM counters WHERE name = 'ticket'`)).toEqual(last);
});

test("cut off at any point it goes on where it was, and two runs at once do nothing twice", async () => {
  const lines = Array.from(
    { length: 250 },
    (_, index) =>
      `${old(index)};Ticket ${index};;${here};p${index % 40}@cut${files}.example;;${index % 2 ? "New" : "Closed"};2024-01-01 00:${String(index % 60).padStart(2, "0")};`,
  );
  const before = await measured();
  const order = await dryRun(ctx, file(...lines));
  let writes = 0;
  // Of each three batches the first is not sent, and of the second the answer is lost.
  const dying = {
    ...ctx,
    db: {
      ...ctx.db,
      batch: (async (statements: Parameters<typeof ctx.db.batch>[0]) => {
        writes += 1;
        if (writes % 3 === 1) throw new Error("cut off before");
        const done = await ctx.db.batch(statements);
        if (writes % 3 === 2) throw new Error("cut off behind");
        return done;
      }) as unknown as typeof ctx.db.batch,
    },
  };
  for (const state of ["running", "undoing"] as const) {
    await ctx.db.update(imports).set({ state }).where(eq(imports.id, order.id));
    for (let tries = 0; tries < 60; tries += 1) {
      await Promise.allSettled([workOn(dying, order.id), workOn(dying, order.id)]);
      const now = await importOf(ctx, order.id);
      // Never half a part: what is there is what is remembered.
      expect((await imported()).length).toBe(state === "running" ? now.added : now.added - now.removed);
      if (now.state === "done" || now.state === "undone") break;
    }
    const { state: reached, added, removed } = await importOf(ctx, order.id);
    expect([reached, added, removed]).toEqual(state === "running" ? ["done", 250, 0] : ["undone", 250, 250]);
  }
  expect(await measured()).toEqual(before);
});

test("a mail with an old number goes to its ticket if its sender is on it, and to no one else's", async () => {
  const lead = `lead${files}@one.example`;
  await brought(file(`${old(1)};Backup red;;${here};${lead};;New;2024-01-01;`));
  const ticket = await ticketOf(1);
  const theirs = await mailIn(ctx, { from: lead, subject: `Re: [Ticket#${old(1)}] Backup red` });
  expect(theirs).toMatchObject({ ticket_id: ticket?.id, effect: "replied" });
  const other = await mailIn(ctx, { from: world.ivy.email, subject: `Re: #${old(1)} Backup red` });
  expect(other.effect).toBe("opened");
  expect(other.ticket_id).not.toBe(ticket?.id);
});

test("a note that says in any way that it is internal never becomes public", async () => {
  const said = [true, 1, "1", "TRUE", "yes", "maybe", { a: 1 }, false, 0, "false", "No", "0", "", null];
  const ticket = { ...{ subject: "Router", organization: here, status: "open" }, opened: "2024-05-01T08:00:00Z" };
  const messages = said.map((internal, index) => ({
    text: `${index}`,
    internal,
    at: `2024-05-01T08:${10 + index}:00Z`,
  }));
  const lines = [
    { ...ticket, old_number: old(1), messages },
    { ...ticket, old_number: old(2), messages: [{ text: "Plain" }] },
  ];
  const order = await dryRun(ctx, { kind: "tickets", content: lines.map((each) => JSON.stringify(each)).join("\n") });
  expect(await reasonsOf(order)).toEqual([
    "A message says neither yes nor no to internal: kept internal. Added without a requester",
    "Added without a requester",
  ]);
  await movedTo(ctx, order.id, "running");
  const written = await ctx.db.all<{ internal: number }>(sql`SELECT m.is_internal AS internal
    FROM ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id
    WHERE t.old_number LIKE ${`${files}-%`} ORDER BY t.old_number, m.created_at`);
  expect(written.map(({ internal }) => internal).join("")).toBe(`${"1".repeat(7)}${"0".repeat(7)}0`);
});

test("an import whose part cannot be done stops after three tries, and the next goes on", async () => {
  const order = await dryRun(ctx, file(`${old(1)};One;;${here};;;New;2024-01-01;`));
  const next = await dryRun(ctx, file(`${old(2)};Two;;${here};;;New;2024-01-01;`));
  for (const { id } of [order, next])
    await ctx.db.update(imports).set({ state: "running", started_at: 1 }).where(eq(imports.id, id));
  await ctx.db.update(imports).set({ created_at: 1, mapping_json: "null" }).where(eq(imports.id, order.id));
  for (let tries = 1; tries <= 3; tries += 1) {
    expect((await importOf(ctx, next.id)).added).toBe(0);
    await expect(continueImports(ctx)).rejects.toThrow();
  }
  const stopped = await importOf(ctx, order.id);
  expect([stopped.state, stopped.problem]).toEqual(["failed", expect.stringMatching(/^The work stopped/)]);
  await continueImports(ctx);
  expect((await importOf(ctx, next.id)).added).toBe(1);
  expect((await movedTo(ctx, order.id, "undoing")).state).toBe("undone");
});

test("a row with a long cell is refused, and nothing of its length is looked up or stored", async () => {
  const rows = [120_000, 90_000].map((length) => `${"x".repeat(length)};a${length}@long.example;A`);
  const content = ["organization;email;name", ...rows, `${here};b@long.example;B`].join("\n");
  const order = await dryRun(ctx, { kind: "people", content });
  expect((await outcomesOf(ctx, order.id)).map(([, outcome]) => outcome)).toEqual(["refused", "refused", "add"]);
  const [longest] = await ctx.db.all<{ length: number }>(
    sql`SELECT max(length(key) + length(label) + length(reason)) AS length FROM import_rows WHERE import_id = ${order.id}`,
  );
  expect(longest?.length).toBeLessThan(1_000);
});

test("the organization chosen for a file comes before those its requesters belong to", async () => {
  const { there, ivy } = world;
  const content = `Number;Subject;Requester email;Status\n${old(1)};Theirs;${ivy.email};New`;
  for (const [number, organizationId] of [world.here.id, there.id].entries()) {
    await brought({ kind: "tickets", content: content.replace(old(1), old(number)) }, { organizationId });
    const added = await ticketOf(number);
    expect(added?.organization_id).toBe(organizationId);
  }
});

test("a colleague who has left before the run is assigned nothing", async () => {
  const { sam, avery } = world;
  const content = `Number;Subject;Organization;Status;Assignee\n${old(1)};One;${here};New;S\n${old(2)};Two;${here};New;A`;
  const words = { status: {}, priority: {}, assignee: { S: sam.id, A: avery.id } };
  const order = await dryRun(ctx, { kind: "tickets", content }, { words });
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.id));
  await movedTo(ctx, order.id, "running");
  expect((await imported()).map(({ assigned_to }) => assigned_to)).toEqual([null, avery.id]);
  expect((await outcomesOf(ctx, order.id))[0]?.[2]).toContain("Unassigned: its colleague is not active");
});

test("a row that is refused does not stand for a later one", async () => {
  const order = await dryRun(
    ctx,
    file(
      `${old(1)};One;;Unknown & Sons;;;New;2024-01-01;`,
      `${old(1)};One;;${here};a@one.example;;New;2024-01-01;`,
      `${old(1)};One;;${here};a@one.example;;New;2024-01-01;`,
    ),
  );
  expect((await resultsOf(order)).slice(1)).toEqual([
    ["add", ""],
    ["refused", "The same as row 2, which counts"],
  ]);
});

test("of rows with one old number the newest counts, wherever in the file it stands, and the undo leaves what was before", async () => {
  const before = await measured();
  const row = (number: number, subject: string, created: string, closed = "") =>
    `${old(number)};${subject};;${here};a@one.example;;${closed ? "Closed" : "New"};${created};${closed}`;
  const elsewhere = (line: string) => line.replace(here, "Unknown & Sons");
  // The parts of a dry run have 500 rows.
  const filler = Array.from({ length: 520 }, (_, index) => elsewhere(row(100 + index, "Filler", "2024-01-01")));
  const order = await dryRun(
    ctx,
    file(
      row(1, "Older", "2024-01-01"),
      row(1, "Newer", "2024-01-01", "2024-02-01"),
      row(2, "Older", "2024-01-01"),
      row(3, "Newest", "2024-01-01", "2024-03-01"),
      row(4, "Valid", "2024-01-01"),
      elsewhere(row(4, "Newer", "2024-01-01", "2024-02-01")),
      ...filler,
      row(2, "Newer", "2024-01-02"),
      row(3, "Older", "2024-01-01"),
      row(2, "Newest", "2024-01-03"),
      row(2, "As new", "2024-01-03"),
    ),
  );
  const newer = (number: number) => ["refused", `The same as row ${number}, which is newer and counts`];
  const outcomes = await resultsOf(order);
  expect([...outcomes.slice(0, 6), ...outcomes.slice(526)]).toEqual([
    newer(2),
    ["add", ""],
    newer(529),
    ["add", ""],
    ["add", ""],
    ["refused", expect.stringContaining("Unknown & Sons")],
    newer(529),
    newer(4),
    ["add", ""],
    ["refused", "The same as row 529, which counts"],
  ]);
  expect(await movedTo(ctx, order.id, "running")).toMatchObject({ state: "done", added: 4 });
  expect((await imported()).map(({ title }) => title)).toEqual(["Newer", "Newest", "Newest", "Valid"]);

  // What came before takes nothing from a later row with more messages.
  const messages = (...texts: string[]) =>
    JSON.stringify({
      ...{ old_number: old(1), subject: "Newer", organization: here, opened: "2024-01-01" },
      messages: texts.map((text, index) => ({ text, at: `2024-04-0${index + 1}` })),
    });
  const content = [messages(), messages("One"), messages("One", "Two")].join("\n");
  const later = await dryRun(ctx, { kind: "tickets", content });
  expect(await resultsOf(later)).toEqual([
    newer(3),
    newer(3),
    ["noted", "Was imported before: 2 new messages are added to it"],
  ]);
  expect(await movedTo(ctx, later.id, "running")).toMatchObject({ state: "done", added: 0, messages: 2 });
  for (const { id } of [later, order]) expect(await movedTo(ctx, id, "undoing")).toMatchObject({ kept: 0 });
  expect(await measured()).toEqual(before);
});

test("a long cell among the words of a column leaves the meaning of the others", async () => {
  const long = "z".repeat(61);
  const order = await dryRun(
    ctx,
    file(
      `${old(1)};One;;${here};a@one.example;;${long};2024-01-01;`,
      `${old(2)};Two;;${here};a@one.example;;Resolved;2024-01-01;`,
    ),
  );
  expect(await reasonsOf(order)).toEqual([expect.stringMatching(/^“z+…?” has no meaning here \(status\)/), ""]);
  await movedTo(ctx, order.id, "running");
  const second = await ticketOf(2);
  expect(second?.status).toBe("closed");
});

test("a file that could not be read is deleted after a week, too", async () => {
  const order = await uploaded(ctx, { kind: "tickets", content: " " });
  expect([order.state, order.file_json]).toEqual(["failed", null]);
  await ctx.db.update(imports).set({ created_at: 1 }).where(eq(imports.id, order.id));
  while ((await continueImports(ctx)).count > 0);
  expect((await importOf(ctx, order.id)).file_key).toBe("");
  expect(await ctx.files.get(order.file_key)).toBeNull();
});

test("what the columns of a file held goes with the file, whether its import was run or stopped before", async () => {
  const content = `Number;Subject;Organization;Status;Assignee\n${old(1)};Red light;${here};Parked;Quentin A.\n${old(2)};Other;Quentin & Sons;Parked;`;
  const words = { status: { Parked: "open" }, priority: {}, assignee: { "Quentin A.": "" } };
  for (const states of [["undoing"], ["running", "undoing"], ["running"]] as const) {
    const { id } = await dryRun(ctx, { kind: "tickets", content }, { words });
    const held = async () => {
      const { file_json, mapping_json, facts } = await importOf(ctx, id);
      expect(facts?.rows).toBe(2);
      return [`${file_json}${mapping_json}`].filter((text) => /quentin|parked|red light/i.test(text)).length;
    };
    expect(await held()).toBe(1);
    for (const state of states) {
      const { file_key } = await movedTo(ctx, id, state);
      expect([file_key, await held()]).toEqual(["", 0]);
    }
    expect((await outcomesOf(ctx, id)).map(([, outcome]) => outcome)).toEqual(["noted", "refused"]);
  }
});

test("the dates of messages are read as the file's, and what of them is not taken is said", async () => {
  const row = (messages: unknown, number = 1) =>
    JSON.stringify({
      ...{ old_number: old(number), subject: "Router", organization: here, opened: "2024-05-01", messages },
      requester_email: world.dana.email,
    });
  const unclear = await uploaded(ctx, {
    kind: "tickets",
    content: row([{ text: "Down.", at: "03/05/2024 08:01" }]),
  });
  if (!unclear.facts || !unclear.mapping) throw new Error("Not read");
  expect(needsDates(unclear.facts, unclear.mapping)).toBe(true);
  const many = Array.from({ length: 502 }, (_, index) => ({ text: `m${index}`, at: "03/05/2024 08:01" }));
  const content = [
    row([{ text: "Down.", at: "03/05/2024 08:01" }, { text: "Never.", at: "whenever" }, "Odd"]),
    row(many, 2),
    row({ text: "One" }, 3),
    row([{ text: "x".repeat(100_001) }, { text: "Before.", at: "2024-04-01" }], 4),
  ].join("\n");
  const order = await dryRun(ctx, { kind: "tickets", content }, { dates: "dmy" });
  expect(await resultsOf(order)).toEqual([
    [
      "noted",
      "Of its messages, what is no object is left out. A message has no date that can be read: it stands where the ticket was opened",
    ],
    ["noted", "It has more than 500 messages: 2 messages behind them are left out"],
    ["noted", "Its messages are no list: left out"],
    [
      "noted",
      "A message is shortened to 100,000 characters. A message is older than its ticket: it stands where the ticket was opened",
    ],
  ]);
  await movedTo(ctx, order.id, "running");
  const [first] = await ctx.db.all<{ at: number }>(sql`SELECT m.created_at AS at FROM ticket_messages m
    JOIN support_tickets t ON t.id = m.ticket_id WHERE t.old_number = ${old(1)} AND m.message = 'Down.'`);
  const { timeZone } = await getSettings(ctx.db);
  expect(first?.at).toBe(dateOf("2024-05-03 08:01", { order: null, zone: timeZone }));
});

test("a later file adds the new messages of tickets that came before, once, and its undo takes just those away", async () => {
  const { dana, sam } = world;
  const ticket = (...texts: string[]) => ({
    kind: "tickets" as const,
    content: JSON.stringify({
      ...{ old_number: old(1), subject: "Router", organization: here, requester_email: dana.email, status: "closed" },
      opened: "2024-05-01T08:00:00Z",
      messages: texts.map((text, index) => ({
        ...{ text, email: index % 2 ? sam.email : dana.email, internal: index === 2 },
        at: `2024-05-01T09:0${index}:00Z`,
      })),
    }),
  });
  const first = await dryRun(ctx, ticket("Down."));
  await movedTo(ctx, first.id, "running");
  const before = await measured();
  const later = await dryRun(ctx, ticket("Down.", "Looking.", "Their fault.", "Fixed."));
  expect(await outcomesOf(ctx, later.id)).toEqual([
    [1, "noted", "Was imported before: 3 new messages are added to it"],
  ]);
  const done = await movedTo(ctx, later.id, "running");
  expect([done.added, done.messages]).toEqual([0, 3]);
  const texts = await ctx.db.all<{ message: string; internal: number }>(sql`
    SELECT m.message, m.is_internal AS internal FROM ticket_messages m
    JOIN support_tickets t ON t.id = m.ticket_id WHERE t.old_number = ${old(1)} ORDER BY m.created_at`);
  expect(texts.map(({ message, internal }) => [message, internal])).toEqual([
    ["Down.", 0],
    ["Looking.", 0],
    ["Their fault.", 1],
    ["Fixed.", 0],
  ]);
  const again = await dryRun(ctx, ticket("Down.", "Looking.", "Their fault.", "Fixed."));
  expect(await outcomesOf(ctx, again.id)).toEqual([[1, "exists", "Was imported before"]]);
  const undone = await movedTo(ctx, later.id, "undoing");
  expect([undone.state, undone.kept]).toEqual(["undone", 0]);
  expect(await measured()).toEqual(before);
  // The first import is as whole as it was, and can be undone.
  expect(await movedTo(ctx, first.id, "undoing")).toMatchObject({ removed: 1, kept: 0 });
});

test("an organization that is here is found by the old id that a file gives it, and two of one id are seen far apart", async () => {
  const lines = Array.from({ length: 600 }, (_, index) => `Org ${files} ${index},${files}-o${index}`);
  const content = ["Name,Id", `${here},${files}-here`, ...lines, `Another ${files},${files}-o3`].join("\n");
  const order = await dryRun(ctx, { kind: "organizations", content });
  const outcomes = await outcomesOf(ctx, order.id);
  expect(outcomes[0]?.slice(1)).toEqual(["exists", "An organization of this name is here"]);
  expect(outcomes.at(-1)?.slice(1)).toEqual(["refused", "The same as row 5, which counts"]);
  expect(await movedTo(ctx, order.id, "running")).toMatchObject({ state: "done", added: 600 });
  const people = await dryRun(ctx, {
    kind: "people",
    content: `Name,Email,Organization\nKim,kim${files}@b.example,${files}-here\n`,
  });
  expect(await outcomesOf(ctx, people.id)).toEqual([[1, "add", ""]]);
  await ctx.db.delete(imports).where(eq(imports.id, people.id));
  const undone = await movedTo(ctx, order.id, "undoing");
  expect([undone.removed, undone.kept]).toEqual([600, 0]);
  expect(await ctx.db.$count(organizations, eq(organizations.id, world.here.id))).toBe(1);
});

test("whom staff have refused does not come back by a file, gets no mail of its tickets, and the row says what to do", async () => {
  const email = `refused${files}@nearby.example`;
  await makeContact(ctx, world.here.id, { email, full_name: "Nell", refused_at: 2 });
  const people = await dryRun(ctx, { kind: "people", content: `Name,Email,Organization\nNell,${email},${here}\n` });
  expect(await outcomesOf(ctx, people.id)).toEqual([
    [
      1,
      "refused",
      expect.stringMatching(/^A colleague has said .+ To take them back, open a ticket for their address$/),
    ],
  ]);
  const work = await dryRun(
    ctx,
    file(`${old(1)};Hers;;${here};${email};Nell;New;;`, `${old(2)};No one's;;;${email};;New;;`),
  );
  expect(await resultsOf(work)).toEqual([
    ["noted", "A colleague has said that its requester is not one of this organization: added without a requester"],
    ["refused", "It names no organization, and its requester belongs to none"],
  ]);
  await movedTo(ctx, work.id, "running");
  const ticket = await ticketOf(1);
  expect(ticket).toMatchObject({ contact_id: null, creator_name: "Nell" });
  expect(await ctx.db.$count(ticketCopies, eq(ticketCopies.ticket_id, ticket?.id ?? ""))).toBe(0);
});

test("a part of a long file costs what the first one did, and each says how far it is", async () => {
  const lines = Array.from({ length: 900 }, (_, index) => `Long ${files} ${index},${files}-l${index}`);
  const order = await uploaded(ctx, { kind: "organizations", content: ["Name,Id", ...lines].join("\n") });
  const onePart = derive(ctx, { budget: { isUsedUp: () => true } });
  const parts = async (state: "checking" | "running" | "undoing") => {
    await ctx.db.update(imports).set({ state, position: 0 }).where(eq(imports.id, order.id));
    const costs: number[] = [];
    const progress: string[] = [];
    for (;;) {
      const before = ctx.cost.rowsRead;
      await workOn(onePart, order.id);
      costs.push(ctx.cost.rowsRead - before);
      const now = await importOf(ctx, order.id);
      if (now.state !== state) return { costs, progress };
      const { done, toDo } = await readProgress(ctx.db, now);
      progress.push(`${done} of ${toDo}`);
    }
  };
  const checked = await parts("checking");
  expect(checked.costs[2]).toBeLessThan(1.2 * (checked.costs[1] ?? 0));
  const hundreds = Array.from({ length: 9 }, (_, index) => `${100 * (index + 1)} of 900`);
  const run = await parts("running");
  // The first part forgets the file.
  expect(run.progress).toEqual(["0 of 900", ...hundreds]);
  expect(Math.max(...run.costs)).toBeLessThan(20_000);
  const undone = await parts("undoing");
  expect(undone.progress).toEqual(hundreds);
  expect(Math.max(...undone.costs)).toBeLessThan(20_000);
});

test("an undo leaves no word in the search indexes, and what goes later leaves their pages at once as before", async () => {
  const found = async () => {
    const [row] = await ctx.db.all<{ pages: number }>(
      sql`SELECT count(*) AS pages FROM message_search_data WHERE instr(block, CAST('qzxylophone' AS BLOB)) > 0`,
    );
    return row?.pages;
  };
  const content = JSON.stringify({
    ...{ old_number: old(1), subject: "Music", organization: here, requester_email: "kim@scan.example" },
    messages: [{ text: "The qzxylophone is out of tune.", side: "client" }],
  });
  const { id } = await dryRun(ctx, { kind: "tickets", content });
  await movedTo(ctx, id, "running");
  expect(await found()).toBe(1);
  await ctx.db.update(imports).set({ state: "undoing" }).where(eq(imports.id, id));
  const isOneLeft = async () =>
    (await ctx.db.all(sql`SELECT 1 FROM imported_records WHERE import_id = ${id}`)).length > 0;
  while (await isOneLeft()) await continueImports(derive(ctx, { budget: { isUsedUp: () => true } }));
  // One that is cut off at its end is not done.
  const cutOff = interruptedBeforeCommit(ctx, () => Promise.reject(new Error("gone")));
  await expect(continueImports(cutOff)).rejects.toThrow();
  expect(await found()).toBe(0);
  await movedTo(ctx, id, "undoing");
  const settings = await ctx.db.all(sql`SELECT v FROM ticket_search_config WHERE k = 'secure-delete'
    UNION ALL SELECT v FROM message_search_config WHERE k = 'secure-delete'`);
  expect(settings).toEqual([{ v: 1 }, { v: 1 }]);
});

test("an encoding is judged by the whole file, and UTF-16 without its mark by more than its first letters", async () => {
  const filler = `Org ${files},${"plain text ".repeat(100)}\n`.repeat(2_000);
  expect(filler.length).toBeGreaterThan(2 * 1024 * 1024);
  const late = new Uint8Array(Buffer.from(`Name,Description\n${filler}Caf\xe9 ${files},\x80 5\n`, "latin1"));
  const read = await uploaded(ctx, { kind: "organizations", content: late });
  for (let parts = 1; parts > 0; ) parts = await workOn(ctx, read.id);
  const order = await importOf(ctx, read.id);
  expect([order.facts?.encoding, order.rows]).toEqual(["windows-1252", 2_001]);
  const utf8 = await uploaded(ctx, { kind: "organizations", content: `Name,Description\n${filler}Café ${files},€\n` });
  for (let parts = 1; parts > 0; ) parts = await workOn(ctx, utf8.id);
  expect((await importOf(ctx, utf8.id)).facts?.encoding).toBe("utf-8");
  const wide = Buffer.from(`Имя,Описание\nПолярная звезда ${files},Север\n`, "utf16le");
  for (const bytes of [wide, Buffer.from(wide).swap16()]) {
    const found = await uploaded(ctx, { kind: "organizations", content: new Uint8Array(bytes) });
    expect(found.facts?.columns.map(({ name, first }) => [name, first])).toEqual([
      ["Имя", `Полярная звезда ${files}`],
      ["Описание", "Север"],
    ]);
  }
});

test("what waits for the client comes without a time since when, so that no one is reminded", async () => {
  const words = { status: { Waiting: "waiting_for_customer" as const }, priority: {}, assignee: {} };
  await brought(file(`${old(1)};Backup red;;${here};w${files}@one.example;;Waiting;2024-01-01;`), { words });
  ctx.clock.advance(days(60));
  await endQuietTickets(ctx);
  const ticket = await ticketOf(1);
  expect(ticket).toMatchObject({ status: "waiting_for_customer", waiting_since: null, reminded_at: null });
});

test("whoever began an import that took long is mailed once that it is done; of a short one nobody is, and no one else", async () => {
  await ctx.db.delete(outbox);
  const { avery } = world;
  for (const [number, wait] of [
    [1, minutes(1)],
    [2, minutes(3)],
  ] as const) {
    const order = await dryRun(ctx, file(`${old(number)};Backup;;${here};l${files}@one.example;;New;2024-01-01;`));
    const begun = { created_by: avery.id, started_at: ctx.now() };
    await ctx.db.update(imports).set(begun).where(eq(imports.id, order.id));
    ctx.clock.advance(wait);
    await movedTo(ctx, order.id, "running");
    const mails = (await ctx.db.select().from(outbox)).map(({ kind, to_hash }) => [kind, to_hash]);
    expect(mails).toEqual(number === 1 ? [] : [["import-done", recipientHash(ctx, avery.email)]]);
  }
});

test("twenty kills at random, in dry run, run and undo, leave never two truths and never half a row", async () => {
  const random = seededRandom(28);
  const lines = Array.from({ length: 600 }, (_, index) =>
    JSON.stringify({
      ...{ old_number: old(index), subject: `Ticket ${index}`, organization: here, opened: "2024-01-01T00:00:00Z" },
      ...{ requester_email: `k${index % 30}@kill${files}.example`, status: index % 2 ? "open" : "closed" },
      messages: [{ text: `First ${index}` }, { text: `Second ${index}`, internal: true }],
    }),
  );
  const before = await measured();
  const { id, facts } = await uploaded(ctx, { kind: "tickets", content: lines.join("\n") });
  expect(facts?.rows).toBe(600);
  let kills = 0;
  let left = 0;
  const next = () => {
    left = random.between(0, 19);
  };
  next();
  /** Before a statement is sent, or after it was done and before its answer came. */
  const dying = <Call extends (...values: never[]) => Promise<unknown>>(call: Call): Call =>
    (async (...values: never[]) => {
      left -= 1;
      const isBefore = random.next() < 0.5;
      if (left < 0) kills += 1;
      if (left < 0 && isBefore) throw new Error("killed");
      const answer = await call(...values);
      if (left < 0) throw new Error("killed");
      return answer;
    }) as Call;
  const mortal = {
    ...ctx,
    db: { ...ctx.db, batch: dying(ctx.db.batch.bind(ctx.db)), all: dying(ctx.db.all.bind(ctx.db)) },
    files: { ...ctx.files, getRange: dying(ctx.files.getRange.bind(ctx.files)) },
  } as unknown as typeof ctx;
  const counted = async () => {
    const [row] = await ctx.db.all<Record<string, number>>(sql`
      SELECT count(*) AS tickets, count(DISTINCT t.old_number) AS numbers, count(r.target_id) AS remembered,
        coalesce(sum((SELECT count(*) FROM ticket_messages m WHERE m.ticket_id = t.id)), 0) AS messages,
        coalesce(sum((SELECT count(*) FROM ticket_events e WHERE e.ticket_id = t.id)), 0) AS events,
        coalesce(sum((SELECT count(*) FROM ticket_copies c WHERE c.ticket_id = t.id)), 0) AS copies
      FROM support_tickets t LEFT JOIN imported_records r ON r.target_id = t.id
      WHERE t.old_number LIKE ${`${files}-%`}`);
    return row;
  };
  const whole = (count: number) => ({
    ...{ tickets: count, numbers: count, remembered: count, events: count, copies: count, messages: 2 * count },
  });
  const ends = { checking: "checked", running: "done", undoing: "undone" } as const;
  for (const state of ["checking", "running", "undoing"] as const) {
    const start = state === "checking" ? { position: 0, rows: 0 } : {};
    await ctx.db
      .update(imports)
      .set({ state, ...start })
      .where(eq(imports.id, id));
    for (let tries = 0; tries < 200; tries += 1) {
      await workOn(mortal, id).catch(next);
      const now = await importOf(ctx, id);
      expect(await counted()).toEqual(whole(now.added - now.removed));
      expect((await outcomesOf(ctx, id)).length).toBe(state === "checking" ? now.rows : 600);
      if (now.state === ends[state]) break;
    }
    expect(await importOf(ctx, id)).toMatchObject({ state: ends[state] });
  }
  expect(kills).toBeGreaterThanOrEqual(20);
  expect(await measured()).toEqual(before);
});

test("somebody whom a file of people named stays with their organization when their only ticket moves", async () => {
  const email = `ina${files}@larkspur.example`;
  await brought({ kind: "people", content: `Name;Email;Organization\nIna Fox;${email};${here}\n` });
  await brought(file(`${old(1)};Scanner;It jams.;${here};${email};Ina Fox;New;2024-01-01 10:00;`));
  const ticket = await ticketOf(1);
  valueOf(await world.staff(world.sam).moveTo(ticket?.id ?? "", world.there.id));
  const rows = await ctx.db.select().from(contacts).where(eq(contacts.email, email));
  expect(rows.map((row) => row.organization_id).sort()).toEqual([world.here.id, world.there.id].sort());
});

test("a row with a further address of somebody known is theirs, and makes nobody of it", async () => {
  const { dana, sam, there, ivy } = world;
  const email = `kim${files}@larkspur.example`;
  const contactId = await makeContact(ctx, world.here.id, { email });
  const [hers, kims, ivys] = ["dana", "kim", "ivy"].map((name) => `${name}${files}@home.example`);
  const added = { added_by: sam.id, added_at: 0 };
  for (const [address, whose] of [
    [hers, { user_id: dana.id }],
    [kims, { contact_id: contactId }],
    [ivys, { user_id: ivy.id }],
  ] as const)
    await ctx.db.insert(otherAddresses).values({ email: address ?? "", ...whose, ...added });
  const people = await dryRun(ctx, {
    kind: "people",
    content: ["Name,Email,Organization", ...[hers, kims].map((address) => `A,${address},${here}`)].join("\n"),
  });
  expect(await outcomesOf(ctx, people.id)).toEqual([
    [1, "exists", "The address has an account in this organization"],
    [2, "exists", "The address is known in this organization"],
  ]);
  const lines = [hers, kims, ivys].map(
    (each, index) => `${old(index)};Jam;;${index === 2 ? "" : here};${each};A;New;;`,
  );
  await brought(file(...lines));
  const opened = await imported();
  expect(opened.map((row) => [row.created_by, row.contact_id, row.organization_id])).toEqual([
    [dana.id, null, world.here.id],
    [null, contactId, world.here.id],
    [ivy.id, null, there.id],
  ]);
  expect(await ctx.db.$count(contacts, sql`email LIKE '%@home.example'`)).toBe(0);
  expect(await ctx.db.$count(ticketCopies, eq(ticketCopies.email, email))).toBe(1);
});

test("an organization that was there before an import is not among what has changed since", async () => {
  await ctx.db.update(organizations).set({ version: 5 }).where(eq(organizations.id, world.here.id));
  const order = await brought({ kind: "organizations", content: `Name;Old id\n${here};old-${files}\n` });
  expect(await findChanged(ctx, await importOf(ctx, order.id))).toEqual({ tickets: [], count: 0 });
});

test("an organization that is not here is made, another or left out as was answered, and goes with the undo", async () => {
  // Empty counts of tests before go with any undo.
  await ctx.db.run(
    sql`DELETE FROM ticket_counts WHERE open + in_progress + waiting_for_customer + resolved + closed = 0`,
  );
  const before = await measured();
  const name = (each: string) => `${each} ${files}`;
  const answers = { made: "make", other: world.here.id, gone: "leave", deleted: "org_deleted" };
  await ctx.db
    .insert(importWords)
    .values(
      Object.entries(answers).map(
        ([word, meaning]) => ({ source: "generic", field: "organization", word: name(word), meaning }) as const,
      ),
    );
  // In two batches of the run, and with a person in both organizations.
  const of = (number: number, organization: string) =>
    `${old(number)};Ticket;;${organization};lead${files}@one.example;;New;2024-01-01;`;
  const lines = Array.from({ length: 150 }, (_, index) => of(index, index % 2 ? name("MADE") : name("Other")));
  const order = await dryRun(
    ctx,
    file(...lines, of(150, name("Gone")), of(151, name("Unknown")), of(152, name("Deleted"))),
  );
  expect(order.mapping?.names).toEqual({
    unknown: [name("Unknown"), name("Deleted")],
    settled: [name("Other"), name("MADE"), name("Gone")],
  });
  expect((await outcomesOf(ctx, order.id)).slice(-3).map(([, , reason]) => reason)).toEqual([
    `The rows of “${name("Gone")}” are left out, as chosen`,
    `The organization “${name("Unknown")}” is not here: make it, or choose one`,
    `The organization “${name("Deleted")}” is not here: make it, or choose one`,
  ]);
  expect(await allTables(ctx)).toEqual(before);
  const madeWith = async () => (await outcomesOf(ctx, order.id)).filter(([, , reason]) => reason.includes("is made"));
  const first = [[2, "noted", `The organization “${name("MADE")}” is made with it`]];
  expect(await madeWith()).toEqual(first);

  expect(await movedTo(ctx, order.id, "running")).toMatchObject({ state: "done", added: 150 });
  expect(await madeWith()).toEqual(first);
  const made = await ctx.db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.name, name("MADE")));
  expect(made.length).toBe(1);
  const ticketsOf = (id = "") =>
    ctx.db.$count(tickets, sql`organization_id = ${id} AND old_number LIKE ${`${files}-%`}`);
  expect([await ticketsOf(made[0]?.id), await ticketsOf(world.here.id)]).toEqual([75, 75]);
  expect(await ctx.db.$count(contacts, eq(contacts.email, `lead${files}@one.example`))).toBe(2);
  expect(await findChanged(ctx, await importOf(ctx, order.id))).toEqual({ tickets: [], count: 0 });
  while ((await measureTickets(ctx)).more);

  expect(await movedTo(ctx, order.id, "undoing")).toMatchObject({ state: "undone", removed: 150, kept: 0 });
  expect(await measured()).toEqual(before);
  expect(await ctx.db.$count(importWords, sql`word LIKE ${`% ${files}`}`)).toBe(4);
});

test("of several organizations with a name the one that was chosen gets the rows, also once it is called otherwise", async () => {
  const name = `Twin ${files}`;
  for (const { id } of [world.here, world.there]) await organizationCalled(name, id);
  const words = (meaning: string) =>
    ({ source: "generic", field: "organization", word: name.toLowerCase(), meaning }) as const;
  const answered = async (number: number, meaning?: string) => {
    await ctx.db.delete(importWords).where(eq(importWords.word, name.toLowerCase()));
    if (meaning !== undefined) await ctx.db.insert(importWords).values(words(meaning));
    const order = await dryRun(ctx, file(`${old(number)};Whose;;${name.toUpperCase()};;;New;2024-01-01;`));
    const [row] = await outcomesOf(ctx, order.id);
    return [order, row?.[1], row?.[2]] as const;
  };
  const called = name.toUpperCase();
  // An answer from before there were two makes no third one.
  for (const meaning of [undefined, "make", "org_deleted"]) {
    const [order, ...outcome] = await answered(1, meaning);
    expect(outcome).toEqual(["refused", `Several organizations are called “${called}”: choose one`]);
    expect(order.mapping?.names).toEqual({ unknown: [called], settled: [] });
  }
  expect((await answered(1, "leave")).slice(1)).toEqual(["refused", `The rows of “${called}” are left out, as chosen`]);
  const [order] = await answered(1, world.there.id);
  expect(order.mapping?.names).toEqual({ unknown: [], settled: [called] });
  await movedTo(ctx, order.id, "running");
  // The other one alone has the name now.
  await organizationCalled(`Not ${name}`, world.there.id);
  await brought(file(`${old(2)};Whose;;${called};;;New;2024-01-01;`));
  const theirs = sql`organization_id = ${world.there.id} AND old_number LIKE ${`${files}-%`}`;
  expect(await ctx.db.$count(tickets, theirs)).toBe(2);
});
