import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { clientTicketRows } from "~/features/tickets/client-list/definition.server";
import { days, minutes } from "~/lib/time";
import { pageRequest } from "~/lists/paging.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exportFile } from "~/routes/_admin.admin.exports.$file";
import { action, loader } from "~/routes/_admin.admin.tickets._index";
import { bulk } from "../support/admin-area";
import { as } from "../support/factories";
import { dryRun, movedTo } from "../support/imports";
import { args, get } from "../support/requests";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";

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

test("whole days of the site's zone limit the tickets to those opened on them, with every other filter, in the file and in bulk", async () => {
  const { base, here, there, ctx, open, post, read, numbers, avery } = await listOfStaff();
  const at = (time: string) => ({ at: Date.parse(time) });
  // Chicago: the day begins at six in the morning of Greenwich.
  const before = await open(at("2026-11-10T05:59:59Z"));
  const first = await open({ ...at("2026-11-10T06:00:00Z"), assignedTo: avery.id });
  const closed = await open({ ...at("2026-11-11T12:00:00Z"), status: "closed", title: "Quokka" });
  const last = await open({ ...at("2026-11-12T05:59:59Z"), priority: "urgent", title: "Quokka" });
  const after = await open(at("2026-11-12T06:00:00Z"));
  const range = "from=2026-11-10&to=2026-11-11";
  expect(await numbers(range)).toEqual([last, closed, first].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&sort=oldest`)).toEqual([first, closed, last].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&status=closed`)).toEqual([`T-${closed.number}`]);
  expect(await numbers(`${range}&priority=urgent`)).toEqual([`T-${last.number}`]);
  expect(await numbers(`${range}&assignee=${avery.id}`)).toEqual([`T-${first.number}`]);
  expect(await numbers(`${range}&q=quokka`)).toEqual([last, closed].map(({ number }) => `T-${number}`));
  expect(await numbers(`${range}&sort=due`)).toEqual(await numbers(range));
  expect(await numbers(`${range}&status=active`)).toEqual([last, first].map(({ number }) => `T-${number}`));
  expect(await numbers("to=2026-11-09")).toEqual([`T-${before.number}`]);
  expect(await numbers("from=2026-11-12")).toEqual([`T-${after.number}`]);
  expect(await numbers("from=2027-01-01")).toEqual([]);
  expect((await read(range)).total).toEqual({ count: 3, more: false });
  expect((await read(`${range}&organization=${here.id}`)).total.count).toBe(3);
  expect((await read(`${range}&organization=${there.id}`)).total.count).toBe(0);
  const backwards = await loader(args(ctx, get(`${LIST}?from=2026-11-12&to=2026-11-10`), {}));
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
  const file = await exportFile(
    args(as(base, avery), get(`/admin/exports/tickets.csv?${range}`), { file: "tickets.csv" }),
  );
  expect((await file.text()).match(/T-\d+/g)).toEqual([last, closed, first].map(({ number }) => `T-${number}`));
});

test("tickets of a few days, whatever else they are limited to, are found by as many rows however many there are", async () => {
  const { base, here, dana, open, read } = await listOfStaff();
  const now = base.now();
  await open({ at: now - days(40) });
  const cost = async (query: string) => {
    const before = base.cost.rowsRead;
    await read(query);
    return base.cost.rowsRead - before;
  };
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
  const few = await Promise.all(queries.map(cost));
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
  const asked = args(as(base, avery), get(`/admin/exports/tickets.csv?${range}`), { file: "tickets.csv" });
  expect((await (await exportFile(asked)).text()).match(/T-\d+/g)).toEqual(days10);
  // An address from before the order had places of its own opens a page all the same.
  expect(await numbers(`${of}&sort=newest&after=${own.number}`)).toEqual(newest.slice(0, 25));
  expect(await numbers(`${of}&sort=newest&before=${own.number}`)).toHaveLength(25);

  const { rows } = await clientTicketRows
    .read(base.db, {
      filter: clientTicketList.readFilter(new URLSearchParams()),
      page: pageRequest(new URLSearchParams()),
      viewer: { actor: client(dana, here, "owner").actor, zone: "UTC", now: base.now() },
    })
    .then(({ page }) => page);
  expect(rows.map(({ number }) => `T-${number}`)).toEqual(newest.slice(0, 25));
});
