import { eq, inArray } from "drizzle-orm";
import { expect, test } from "vitest";
import { tickets } from "~/db/schema/tickets";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import type { TicketStatus } from "~/features/tickets/model";
import { hours, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exportFile } from "~/routes/_admin.admin.exports.$file";
import { action, loader } from "~/routes/_admin.admin.tickets._index";
import { bulk, flash, staffMember } from "../support/admin-area";
import { testContext } from "../support/context";
import { as, makePerson } from "../support/factories";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { args, get } from "../support/requests";
import { historyOf, makeTicket, ticketRow, ticketWorld } from "../support/tickets";

const LIST = "/admin/tickets";

async function listOfStaff() {
  const world = await ticketWorld();
  const { ctx, actor } = world.staff(world.sam);
  const open = (options: Partial<Parameters<typeof makeTicket>[1]> = {}) =>
    makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, ...options });
  const post = (fields: Record<string, string>, rows: readonly string[] = []) =>
    action(args(ctx, bulk(LIST, { form_token: issueFormToken(ctx, "ticket-list"), ...fields }, rows), {}));
  const read = async (query: string) => {
    const { list } = await (await loader(args(ctx, get(`${LIST}?${query}`), {}))).json();
    if (!list) throw new Error("The list could not be read");
    return list;
  };
  const numbers = async (query: string) => (await read(query)).page.rows.map(({ number }) => number);
  return { ...world, ctx, actor, open, post, read, numbers };
}

/** Builds the form of the rows as a page of two rows posts it, whose second row was saved. */
const rowForm = (ctx: Parameters<typeof issueFormToken>[0], intent: string, name: string, [id, value]: string[]) => {
  const body = new URLSearchParams({ form_token: issueFormToken(ctx, "ticket-list"), intent, save: `1.${id}` });
  body.append("return_to", `${LIST}?status=open`);
  for (const chosen of ["closed", value ?? ""]) body.append(name, chosen);
  return new Request(`http://localhost:8787${LIST}`, { method: "POST", body });
};

test("the selects of a row assign its ticket and move it, and lead back to the row", async () => {
  const { ctx, base, open, avery, sam } = await listOfStaff();
  const { id } = await open();
  const assigned = await action(args(ctx, rowForm(ctx, "assign", "assignee_id", [id, avery.id]), {}));
  expect(assigned.headers.get("Location")).toBe(`${LIST}?status=open#${id}`);
  expect(flash(base)).toBe("Success: Ticket assigned successfully");
  await action(args(ctx, rowForm(ctx, "status", "status", [id, "in_progress"]), {}));
  expect(flash(base)).toBe("Success: Ticket status updated successfully");
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, status: "in_progress" });
  await action(args(ctx, rowForm(ctx, "assign", "assignee_id", [id, "none"]), {}));
  expect(flash(base)).toBe("Success: Ticket unassigned successfully");
  expect(await historyOf(base, id)).toEqual([
    ["assignee", null, "Avery Quinn", sam.fullName],
    ["status", "open", "in_progress", sam.fullName],
    ["assignee", "Avery Quinn", null, sam.fullName],
  ]);
});

test("a row that was like that already says that nothing changed; a form that arrives twice says what it did", async () => {
  const { ctx, base, open, avery } = await listOfStaff();
  const { id } = await open();
  const form = rowForm(ctx, "assign", "assignee_id", [id, avery.id]);
  const twice = new Request(form.url, { method: "POST", body: new URLSearchParams(await form.text()) });
  const again = new Request(form.url, { method: "POST", body: new URLSearchParams(await twice.clone().text()) });
  for (const sent of [twice, again]) {
    await action(args(ctx, sent, {}));
    expect(flash(base)).toBe("Success: Ticket assigned successfully");
  }
  await action(args(ctx, rowForm(ctx, "status", "status", [id, "open"]), {}));
  expect(flash(base)).toBe("Nothing changed: The ticket was like that already.");
  base.cookiesSet.length = 0;
  await action(args(ctx, rowForm(ctx, "assign", "assignee_id", [id, avery.id]), {}));
  expect(flash(base)).toBe("Nothing changed: The ticket was like that already.");
  expect(await ticketRow(base, id)).toMatchObject({ assigned_to: avery.id, status: "open", version: 2 });
});

test("a row whose ticket is to be resolved leads to the form that asks what was done", async () => {
  const { ctx, base, open } = await listOfStaff();
  const { id } = await open();
  const answer = await action(args(ctx, rowForm(ctx, "status", "status", [id, "resolved"]), {}));
  expect(answer.headers.get("Location")).toBe(`${LIST}/${id}#what_was_done`);
  expect(await ticketRow(base, id)).toMatchObject({ status: "open", version: 1 });
});

test.each([
  ["assign", "assignee_id", "usr_nobody"],
  ["assign", "assignee_id", "me"],
  ["status", "status", "archived"],
])("%s of a row changes nothing by %s=%s, nor does a client become an assignee", async (intent, name, value) => {
  const { ctx, base, open, dana } = await listOfStaff();
  const { id } = await open();
  for (const chosen of [value, name === "assignee_id" ? dana.id : value]) {
    const answer = await action(args(ctx, rowForm(ctx, intent, name, [id, chosen]), {}));
    expect(answer.status).toBe(400);
  }
  expect(await ticketRow(base, id)).toMatchObject({ status: "open", assigned_to: null, version: 1 });
});

test("several tickets are assigned at once; one that somebody changed meanwhile is skipped, one that was so stays", async () => {
  const { base, open, post, avery } = await listOfStaff();
  const [first, changed, already] = [await open(), await open(), await open({ assignedTo: avery.id })];
  await base.db.update(tickets).set({ version: 2 }).where(eq(tickets.id, changed.id));
  const rows = [first, changed, already].map(({ id }) => `${id}.1`);
  const answer = await post({ intent: "bulk-assign", scope: "selected", assignee_id: avery.id }, rows);
  expect(answer.status).toBe(303);
  expect(flash(base)).toBe(
    "Tickets assigned: Changed 1 ticket. 1 needed no change. 1 skipped: changed since you opened the list.",
  );
  expect(await ticketRow(base, first.id)).toMatchObject({ assigned_to: avery.id, version: 2 });
  expect(await ticketRow(base, changed.id)).toMatchObject({ assigned_to: null });
});

test("of two who take the same row at once one has it, and the other hears that it was skipped", async () => {
  const { base, ctx, open, staff, avery } = await listOfStaff();
  const { id } = await open();
  const take = (by: typeof ctx) => {
    const fields = { form_token: issueFormToken(by, "ticket-list"), intent: "bulk-take", scope: "selected" };
    return action(args(by, bulk(LIST, fields, [`${id}.1`]), {}));
  };
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
  const answer = await post({ intent: "bulk-status", scope: "selected", status: "resolved" }, [`${id}.1`]);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ rejection: expect.stringContaining("one by one"), rows: [`${id}.1`] });
  expect(await ticketRow(base, id)).toMatchObject({ status: "open" });
});

test("a search says where it was found: title, number, description or organization", async () => {
  const { open, read, here } = await listOfStaff();
  const place = async (query: string) => (await read(query)).page.rows.map(({ matched }) => matched);
  const { number } = await open({ title: "Zebra crossing", description: "Quokka on the keyboard" });
  expect(await place("q=zebra")).toEqual(["title"]);
  expect(await place(`q=t-${number}`)).toEqual(["number"]);
  expect(await place("q=quokka")).toEqual(["description"]);
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

test("the list opens on what is active; what is late, unassigned and one's own is counted, up to 50", async () => {
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
  const own = await Promise.all(Array.from({ length: 51 }, () => open()));
  await base.db
    .update(tickets)
    .set({ assigned_to: actor.userId })
    .where(
      inArray(
        tickets.id,
        own.map(({ id }) => id),
      ),
    );
  expect((await read("")).views.mine).toEqual({ count: 50, isMore: true });
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
  const file = await (await exportFile(args(ctx, get(path), { file: "tickets.csv" }))).text();
  expect(file).toContain("'=cmd|");
  expect(file).not.toContain("pay late");
  const visitor = as(testContext(), await makePerson(base, { role: "moderator" }));
  await expect(exportFile(args(visitor, get(path), { file: "tickets.csv" }))).rejects.toMatchObject({ status: 403 });
});
