import { eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { tickets } from "~/db/schema/tickets";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import type { TicketStatus } from "~/features/tickets/model";
import { days, hours, minutes } from "~/lib/time";
import { pageRequest } from "~/lists/paging.server";
import { issueFormToken } from "~/platform/form-token.server";
import * as exports from "~/routes/_admin.admin.exports.$file";
import * as route from "~/routes/_admin.admin.tickets._index";
import { flash, staffMember } from "../support/admin-area";
import { testContext } from "../support/context";
import { as, makePerson } from "../support/factories";
import { dryRun, movedTo } from "../support/imports";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { pageAt } from "../support/page";
import { costOf, type Fields } from "../support/requests";
import { historyOf, makeTicket, ticketRow, ticketWorld } from "../support/tickets";

const LIST = "/admin/tickets";

const list = pageAt(LIST, route);
const csv = pageAt("/admin/exports/:file", exports);

async function listOfStaff() {
  const world = await ticketWorld();
  const { ctx, actor } = world.staff(world.sam);
  const open = (options: Partial<Parameters<typeof makeTicket>[1]> = {}) =>
    makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, ...options });
  const post = (fields: Fields, by = ctx) => list.send(by, LIST, "ticket-list", fields);
  /** Sends the form of the rows as a page of two rows posts it, whose second row was saved. */
  const saveRow = (intent: string, name: string, id: string, value: string, more: Fields = {}) =>
    post({ intent, save: `1.${id}`, return_to: `${LIST}?status=open`, [name]: ["closed", value], ...more });
  const read = async (query: string) => {
    const { list: found } = await list.read(ctx, `${LIST}?${query}`);
    if (!found) throw new Error("The list could not be read");
    return found;
  };
  const numbers = async (query: string) => (await read(query)).page.rows.map(({ number }) => number);
  return { ...world, ctx, actor, open, post, saveRow, read, numbers };
}

test("the selects of a row assign its ticket and move it, and lead back to the row", async () => {
  const { base, open, saveRow, avery, sam } = await listOfStaff();
  const { id } = await open();
  const assigned = await saveRow("assign", "assignee_id", id, avery.id);
  expect(assigned.headers.get("Location")).toBe(`${LIST}?status=open#${id}`);
  expect(flash(base)).toBe("Success: Ticket assigned successfully");
  await saveRow("status", "status", id, "in_progress");
  expect(flash(base)).toBe("Success: Ticket status updated successfully");
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, status: "in_progress" });
  await saveRow("assign", "assignee_id", id, "none");
  expect(flash(base)).toBe("Success: Ticket unassigned successfully");
  expect(await historyOf(base, id)).toEqual([
    ["assignee", null, "Avery Quinn", sam.fullName],
    ["status", "open", "in_progress", sam.fullName],
    ["assignee", "Avery Quinn", null, sam.fullName],
  ]);
});

test("a row that was like that already says that nothing changed; a form that arrives twice says what it did", async () => {
  const { ctx, base, open, saveRow, avery } = await listOfStaff();
  const { id } = await open();
  const form_token = issueFormToken(ctx, "ticket-list");
  for (let count = 0; count < 2; count += 1) {
    await saveRow("assign", "assignee_id", id, avery.id, { form_token });
    expect(flash(base)).toBe("Success: Ticket assigned successfully");
  }
  await saveRow("status", "status", id, "open");
  expect(flash(base)).toBe("Nothing changed: The ticket was like that already.");
  base.cookiesSet.length = 0;
  await saveRow("assign", "assignee_id", id, avery.id);
  expect(flash(base)).toBe("Nothing changed: The ticket was like that already.");
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, status: "open", version: 2 });
});

test("a row whose ticket is to be resolved leads to the form that asks what was done", async () => {
  const { base, open, saveRow } = await listOfStaff();
  const { id } = await open();
  const answer = await saveRow("status", "status", id, "resolved");
  expect(answer.headers.get("Location")).toBe(`${LIST}/${id}#what_was_done`);
  expect(await ticketRow(base, id)).toMatchObject({ status: "open", version: 1 });
});

test.each([
  ["assign", "assignee_id", "usr_nobody"],
  ["assign", "assignee_id", "me"],
  ["status", "status", "archived"],
])("%s of a row changes nothing by %s=%s, nor does a client become an assignee", async (intent, name, value) => {
  const { base, open, saveRow, dana } = await listOfStaff();
  const { id } = await open();
  for (const chosen of [value, name === "assignee_id" ? dana.id : value]) {
    expect((await saveRow(intent, name, id, chosen)).status).toBe(400);
  }
  expect(await ticketRow(base, id)).toMatchObject({ status: "open", assigned_to: null, version: 1 });
});

test("several tickets are assigned at once; one that somebody changed meanwhile is skipped, one that was so stays", async () => {
  const { base, open, post, avery } = await listOfStaff();
  const [first, changed, already] = [await open(), await open(), await open({ assignedTo: avery.id })];
  await base.db.update(tickets).set({ version: 2 }).where(eq(tickets.id, changed.id));
  const row = [first, changed, already].map(({ id }) => `${id}.1`);
  const answer = await post({ intent: "bulk-assign", scope: "selected", assignee_id: avery.id, row });
  expect(answer.status).toBe(303);
  expect(flash(base)).toBe(
    "Tickets assigned: Changed 1 ticket. 1 needed no change. 1 skipped: changed since you opened the list.",
  );
  expect(await ticketRow(base, first.id)).toMatchObject({ assigned_to: avery.id, version: 2 });
  expect(await ticketRow(base, changed.id)).toMatchObject({ assigned_to: null });
});

test("of two who take the same row at once one has it, and the other hears that it was skipped", async () => {
  const { base, ctx, open, post, staff, avery } = await listOfStaff();
  const { id } = await open();
  const take = (by: typeof ctx) => post({ intent: "bulk-take", scope: "selected", row: `${id}.1` }, by);
  const second = await take(interruptedBeforeCommit(ctx, () => take(staff(avery).ctx)));
  expect(second.status).toBe(400);
  expect(await second.json()).toMatchObject({ rejection: expect.stringContaining("changed since") });
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, version: 2 });
  expect(await historyOf(base, id)).toEqual([["assignee", null, "Avery Quinn", "Avery Quinn"]]);
});

test("all that match a filter are moved at once, each with its history, and the same form twice moves them once", async () => {
  const { ctx, base, open, post } = await listOfStaff();
  const opened = [await open({ priority: "urgent" }), await open({ priority: "urgent" })];
  const other = await open();
  const fields = {
    form_token: issueFormToken(ctx, "ticket-list"),
    intent: "bulk-status",
    scope: "all",
    query: "priority=urgent&status=open",
    read_at: String(base.now() + minutes(1)),
    status: "waiting_for_customer",
  };
  await Promise.all([post(fields), post(fields)]);
  for (const { id } of opened) {
    expect(await ticketRow(base, id)).toMatchObject({ status: "waiting_for_customer", version: 2 });
    expect(await historyOf(base, id)).toEqual([["status", "open", "waiting_for_customer", "Sam Lee"]]);
  }
  expect(await ticketRow(base, other.id)).toMatchObject({ status: "open" });
});

test("no tickets are resolved together, because nobody says what was done", async () => {
  const { base, open, post } = await listOfStaff();
  const { id } = await open();
  const answer = await post({ intent: "bulk-status", scope: "selected", status: "resolved", row: `${id}.1` });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ rejection: expect.stringContaining("one by one"), rows: [`${id}.1`] });
  expect(await ticketRow(base, id)).toMatchObject({ status: "open" });
});

test("a search says where it was found: title, number, description or organization", async () => {
  const { open, read, here } = await listOfStaff();
  const place = async (query: string) => (await read(query)).page.rows.map(({ matched }) => matched);
  const { number } = await open({ title: "Zebra crossing", description: "Numbat on the keyboard" });
  expect(await place("q=zebra")).toEqual(["title"]);
  expect(await place(`q=t-${number}`)).toEqual(["number"]);
  expect(await place("q=numbat")).toEqual(["description"]);
  expect(await place(`q=larkspur&organization=${here.id}`)).toEqual(["organization"]);
  expect(await place(`organization=${here.id}`)).toEqual([undefined]);
});

test("what is due next comes first, late before today; what is resolved is due no more", async () => {
  const { base, open, read, numbers, here } = await listOfStaff();
  const mine = `organization=${here.id}`;
  const withDue = async (due: number | null, status: TicketStatus = "open") => {
    const ticket = await open({ status });
    await base.db.update(tickets).set({ due_at: due }).where(eq(tickets.id, ticket.id));
    return `T-${ticket.number}`;
  };
  const now = base.now();
  const [quiet, soon, late, tomorrow, over] = [
    await withDue(null),
    await withDue(now + hours(1)),
    await withDue(now - minutes(35)),
    await withDue(now + hours(30)),
    await withDue(null, "resolved"),
  ];
  expect(await numbers(`${mine}&sort=due`)).toEqual([late, soon, tomorrow, quiet]);
  expect(await numbers(`${mine}&due=late`)).toEqual([late]);
  expect(await numbers(`${mine}&due=today`)).toEqual([late, soon]);
  expect(await numbers(`${mine}&due=today&q=printer`)).toEqual([late, soon]);
  expect(await numbers(`${mine}&status=resolved&sort=due`)).toEqual([over]);
  const [first, second] = (await read(`${mine}&sort=due`)).page.rows;
  expect([first?.due, second?.due]).toEqual([
    { words: "late by 35\u00a0min", isLate: true, sla: expect.stringMatching(/^promised by \S/) },
    { words: "due in 1\u00a0h", isLate: false, sla: expect.stringMatching(/^by \d\d:\d\d$/) },
  ]);
});

test("where nothing is due, a row says when we answered, or since when we wait for the client", async () => {
  const { base, open, read, here } = await listOfStaff();
  const [at, mine] = [base.now(), `organization=${here.id}`];
  const withWords = async (status: TicketStatus, state: object) => {
    const { id } = await open({ status });
    const promise_json = JSON.stringify({ firstResponseOver: true, clientWaits: false, ...state });
    const set = { promise_json, due_at: null, last_message_at: at, waiting_since: at };
    await base.db.update(tickets).set(set).where(eq(tickets.id, id));
  };
  await withWords("in_progress", {});
  await withWords("in_progress", { clientWaits: true });
  await withWords("in_progress", { firstResponseOver: false });
  await withWords("waiting_for_customer", {});
  await withWords("resolved", {});
  const { rows } = (await read(`${mine}&sort=oldest`)).page;
  expect(rows.map(({ due }) => due)).toEqual([
    { words: expect.stringMatching(/^answered \d\d:\d\d$/), isLate: false },
    null,
    null,
    { words: "waiting on client", isLate: false, sla: expect.stringMatching(/^since \d\d:\d\d$/) },
    null,
  ]);
});

test("a row shows the resolution where that is promised sooner than a reply; the order goes by the reply", async () => {
  const { base, open, read, here } = await listOfStaff();
  const now = base.now();
  const withPromises = async (reply: number | null, resolution: number | null) => {
    const { id } = await open({});
    const promise_json = JSON.stringify({ resolution: { dueAt: resolution } });
    await base.db.update(tickets).set({ due_at: reply, promise_json }).where(eq(tickets.id, id));
  };
  await withPromises(now + hours(2), now + hours(1));
  await withPromises(now + hours(3), now + hours(30));
  await withPromises(now + hours(4), null);
  await withPromises(null, now - minutes(35));
  const { rows } = (await read(`organization=${here.id}&sort=due`)).page;
  expect(rows.map(({ due }) => due)).toMatchObject([
    { words: "resolution due in 1\u00a0h", isLate: false },
    { words: "due in 3\u00a0h", isLate: false },
    { words: "due in 4\u00a0h", isLate: false },
    { words: "resolution late by 35\u00a0min", isLate: true },
  ]);
});

test("the counters are those of all tickets, the number of rows that of the organization", async () => {
  const { open, read, here } = await listOfStaff();
  const before = (await read("")).counts;
  await open({ status: "waiting_for_customer" });
  await open({ status: "closed" });
  const { counts, total } = await read(`organization=${here.id}&sort=newest`);
  expect(counts.all - before.all).toBe(2);
  expect([counts.waiting_for_customer, counts.closed, counts.active]).toEqual([
    before.waiting_for_customer + 1,
    before.closed + 1,
    before.active + 1,
  ]);
  expect(total).toEqual({ count: 2, more: false });
});

test("the list opens on what is active; what is late, unassigned and one's own is counted, up to 25", async () => {
  const { base, open, read, numbers, here, actor } = await listOfStaff();
  const late = await open();
  await base.db
    .update(tickets)
    .set({ due_at: base.now() - hours(1) })
    .where(eq(tickets.id, late.id));
  const over = await open({ status: "resolved" });
  const shown = `organization=${here.id}`;
  expect(await numbers(shown)).toEqual([`T-${late.number}`]);
  expect(await numbers(`${shown}&sort=newest`)).toEqual([`T-${over.number}`, `T-${late.number}`]);
  const { views } = await read("");
  expect(views.late.count).toBeGreaterThan(0);
  expect(views.mine).toEqual({ count: 0, isMore: false });
  const own = await Promise.all(Array.from({ length: 26 }, () => open()));
  await base.db
    .update(tickets)
    .set({ assigned_to: actor.userId })
    .where(
      inArray(
        tickets.id,
        own.map(({ id }) => id),
      ),
    );
  expect((await read("")).views.mine).toEqual({ count: 25, isMore: true });
});

test("the file of tickets has the description and never an internal note, and technicians take none", async () => {
  const { ctx, base } = await staffMember();
  const world = await ticketWorld();
  const { id } = await makeTicket(world.base, {
    organizationId: world.here.id,
    createdBy: world.dana,
    description: "=cmd|' /C calc'!A0",
  });
  const { ctx: technician, actor } = world.staff(world.sam);
  const note = await addInternalNote(technician, actor, { ticketId: id, text: "They pay late", nonce: "n1" });
  expect(note.ok).toBe(true);
  const path = `/admin/exports/tickets.csv?organization=${world.here.id}`;
  const file = await (await csv.open(ctx, path)).text();
  expect(file).toContain("'=cmd|");
  expect(file).not.toContain("pay late");
  const visitor = as(testContext(), await makePerson(base, { role: "moderator" }));
  await expect(csv.open(visitor, path)).rejects.toMatchObject({ status: 403 });
});

test("whole days of the site's zone limit the tickets to those opened on them, with every other filter, in the file and in bulk", async () => {
  const { base, here, there, ctx, open, post, read, numbers, avery } = await listOfStaff();
  const at = (time: string) => ({ at: Date.parse(time) });
  // Chicago: the day begins at six in the morning of Greenwich.
  const before = await open(at("2026-11-10T05:59:59Z"));
  const first = await open({ ...at("2026-11-10T06:00:00Z"), assignedTo: avery.id });
  const closed = await open({ ...at("2026-11-11T12:00:00Z"), status: "closed", title: "Quokka" });
  const last = await open({ ...at("2026-11-12T05:59:59Z"), priority: "urgent", title: "Quokka" });
  const after = await open(at("2026-11-12T06:00:00Z"));
  const own = `organization=${here.id}`;
  const range = `from=2026-11-10&to=2026-11-11&${own}`;
  expect(await numbers(range)).toEqual([last, closed, first].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&sort=oldest`)).toEqual([first, closed, last].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&status=closed`)).toEqual([`T-${closed.number}`]);
  expect(await numbers(`${range}&priority=urgent`)).toEqual([`T-${last.number}`]);
  expect(await numbers(`${range}&assignee=${avery.id}`)).toEqual([`T-${first.number}`]);
  expect(await numbers(`${range}&q=quokka`)).toEqual([last, closed].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&sort=due`)).toEqual(await numbers(range));
  expect(await numbers(`${range}&status=active`)).toEqual([last, first].map(({ number }) => `T-${number}`));
  expect(await numbers(`to=2026-11-09&${own}`)).toEqual([`T-${before.number}`]);
  expect(await numbers(`from=2026-11-12&${own}`)).toEqual([`T-${after.number}`]);
  expect(await numbers(`from=2027-01-01&${own}`)).toEqual([]);
  expect((await read(range)).total).toEqual({ count: 3, more: false });
  expect((await read(`from=2026-11-10&to=2026-11-11&organization=${there.id}`)).total.count).toBe(0);
  const backwards = await list.open(ctx, `${LIST}?from=2026-11-12&to=2026-11-10`);
  expect(backwards.status).toBe(400);
  expect(await backwards.json()).toMatchObject({
    filter: { from: "2026-11-12", to: "2026-11-10" },
    list: { page: { rows: [] } },
  });
  await post({
    intent: "bulk-assign",
    scope: "all",
    query: range,
    read_at: String(base.now() + minutes(1)),
    assignee_id: avery.id,
  });
  for (const { id } of [first, closed, last])
    expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id });
  for (const { id } of [before, after]) expect(await ticketRow(base, id)).toMatchObject({ assigned_to: null });
  const file = await csv.open(as(base, avery), `/admin/exports/tickets.csv?${range}`);
  expect((await file.text()).match(/T-\d+/g)).toEqual([last, closed, first].map(({ number }) => `T-${number}`));
});

test("tickets of a few days, whatever else they are limited to, are found by as many rows however many there are", async () => {
  const { base, here, dana, open, read } = await listOfStaff();
  const now = base.now();
  await open({ at: now - days(40) });
  const cost = async (query: string) => (await costOf(base, () => read(query))).rows;
  const from = new Date(now - days(31)).toISOString().slice(0, 10);
  const to = new Date(now - days(30)).toISOString().slice(0, 10);
  const queries = [
    "",
    "&status=closed",
    "&status=active",
    "&priority=high",
    `&organization=${here.id}`,
    "&q=blinks",
  ].map((more) => `from=${from}&to=${to}${more}`);
  const few: number[] = [];
  for (const query of queries) few.push(await cost(query));
  await base.db.run(sql`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
    INSERT INTO support_tickets(id, number, organization_id, title, description, status, priority, created_by,
      creator_name, last_message_at, promise_json, viewers, search_text, created_at, updated_at)
    SELECT 'tkt_day' || n, 700000 + n, ${here.id}, 'Printer', 'It blinks.', CASE WHEN n % 2 THEN 'open' ELSE 'closed' END,
      CASE WHEN n % 3 THEN 'high' ELSE 'low' END, ${dana.id}, 'Dana', 1, '{}', '', 'printer' || char(10) || 'it blinks.',
      ${now - days(39)} + n * ${(days(39) / 3000) | 0}, 1 FROM c`);
  for (const [index, query] of queries.entries()) {
    const { page } = await read(query);
    expect(page.rows.length, query).toBeGreaterThan(20);
    expect(await cost(query), query).toBeLessThan((few[index] ?? 0) + 500);
  }
});

test("tickets that are imported into a desk in use stand, are found and are limited by when they were opened", async () => {
  const { base, here, avery, dana, open, read, numbers, client } = await listOfStaff();
  const own = await open({ at: Date.parse("2026-11-05T12:00:00Z"), title: "Quokka of ours" });
  const early = await open({ at: Date.parse("2024-02-10T12:00:00Z"), title: "Quokka of then" });
  const old = (index: number, opened: number) => ({
    ...{ old_number: `Q-${index}`, subject: "Quokka", description: "It blinks.", priority: "low", status: "open" },
    ...{ requester_email: "old@quokka.example", requester_name: "Old Quokka", opened: new Date(opened).toISOString() },
  });
  const lines = Array.from({ length: 60 }, (_, index) =>
    old(index, Date.parse("2024-02-01T12:00:00Z") + days(index % 30)),
  );
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await base.db.run(sql`UPDATE counters SET value = 600000 WHERE name = 'ticket'`);
  const { id } = await dryRun(base, { kind: "tickets", content }, { organizationId: here.id });
  expect(await movedTo(base, id, "running")).toMatchObject({ state: "done", added: 60 });
  const stored = await base.db.all<{ number: number; at: number }>(sql`SELECT number, created_at AS at
    FROM support_tickets WHERE organization_id = ${here.id} ORDER BY created_at, number`);
  const oldest = stored.map(({ number }) => `T-${number}`);
  const newest = oldest.toReversed();
  expect([oldest.length, newest[0], oldest.indexOf(`T-${early.number}`)]).toEqual([62, `T-${own.number}`, 18]);

  const pages = async (query: string) => {
    const found: string[] = [];
    for (let after = ""; ; ) {
      const { rows, previous, next } = (await read(query + after)).page;
      if (previous) expect(await numbers(`${query}&before=${previous}`)).toEqual(found.slice(-25));
      found.push(...rows.map(({ number }) => number));
      if (!next) return found;
      after = `&after=${next}`;
    }
  };
  const of = `organization=${here.id}`;
  for (const more of ["", "&status=active", "&q=quokka", "&q=qu"]) {
    expect(await pages(`${of}&sort=newest${more}`), more).toEqual(newest);
    expect(await pages(`${of}&sort=oldest${more}`), more).toEqual(oldest);
  }
  expect(await pages(`${of}&sort=due`)).toEqual(newest);

  const days10 = newest.slice(-21, -18);
  const range = `${of}&from=2024-02-10&to=2024-02-10`;
  expect(days10).toContain(`T-${early.number}`);
  for (const more of ["", "&status=active", "&q=quokka", "&q=qu"])
    expect(await numbers(range + more), more).toEqual(days10);
  expect(await numbers(`${range}&sort=oldest`)).toEqual(days10.toReversed());
  expect((await read(range)).total).toEqual({ count: 3, more: false });
  expect(await numbers(`${of}&from=2024-03-02`)).toEqual([`T-${own.number}`]);
  expect(await numbers(`${of}&to=2024-02-01`)).toEqual(oldest.slice(0, 2).toReversed());
  const taken = await csv.open(as(base, avery), `/admin/exports/tickets.csv?${range}`);
  expect((await taken.text()).match(/T-\d+/g)).toEqual(days10);
  // An address from before the order had places of its own opens a page all the same.
  expect(await numbers(`${of}&sort=newest&after=${own.number}`)).toEqual(newest.slice(0, 25));
  expect(await numbers(`${of}&sort=newest&before=${own.number}`)).toHaveLength(25);

  const { page } = await clientTicketRows.read(base.db, {
    filter: clientTicketList.readFilter(new URLSearchParams()),
    page: pageRequest(new URLSearchParams()),
    viewer: { actor: client(dana, here, "owner").actor, zone: "UTC", now: base.now() },
  });
  expect(page.rows.map(({ number }) => `T-${number}`)).toEqual(newest.slice(0, 25));
});
