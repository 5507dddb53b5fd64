import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { effectiveBrand } from "~/features/settings/queries.server";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { readTicket } from "~/features/tickets/record/read-ticket.server";
import { makeTicket, partsOf, ticketWorld } from "../../support/tickets";

test("what has happened to a long ticket stands between the messages of its page, and on no other page", async () => {
  const { base, here, dana, sam, staff } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana, at: 100 });
  // Sixty messages, of which the newest fifty are one page; after each of them the priority changes twice.
  const numbers = sql`WITH RECURSIVE c(n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM c WHERE n < 160)`;
  await base.db.run(sql`${numbers}
    INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, message, number, created_at, updated_at)
    SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', 'Message ' || n, 800000 + n, n * 10, n FROM c`);
  await base.db.run(sql`${numbers}
    INSERT INTO ticket_events(id, organization_id, ticket_id, kind, from_value, to_value, actor_name, actor_side, at)
    SELECT 'tev_' || n || value, ${here.id}, ${id}, 'priority', 'low', 'high', 'Sam Lee', 'staff', n * 10 + value
    FROM c, json_each('[1, 2]')`);
  const { ctx, actor } = staff(sam);
  const page = async (before: string | null) =>
    (
      await readTicket(ctx, actor, {
        ref: id,
        params: new URLSearchParams(before ? { before } : {}),
        staffRead: Promise.resolve([]),
      })
    )?.thread ?? [];
  const numbersOf = (entries: Awaited<ReturnType<typeof page>>, kind: "message" | "event") =>
    entries.filter((entry) => entry.kind === kind).map((entry) => entry.id);
  const earlier = await page("msg_111");
  expect(numbersOf(earlier, "message")).toEqual([
    id,
    ...Array.from({ length: 10 }, (_, index) => `msg_${101 + index}`),
  ]);
  expect(numbersOf(earlier, "event")).toEqual(
    Array.from({ length: 10 }, (_, index) => [`tev_${101 + index}1`, `tev_${101 + index}2`]).flat(),
  );
  const newest = await page(null);
  expect([numbersOf(newest, "message")[0], numbersOf(newest, "event").at(-1)]).toEqual(["msg_111", "tev_1602"]);
});

test("what was done stands on one page of a long ticket, also between two, and by which it is resolved on the newest", async () => {
  const { base, here, dana, sam, staff, client } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana, at: 100 });
  const numbers = (last: number) =>
    sql`WITH RECURSIVE c(n) AS (SELECT 401 UNION ALL SELECT n + 1 FROM c WHERE n < ${last})`;
  await base.db.run(sql`${numbers(460)}
    INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, message, number, created_at, updated_at)
    SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', 'Message ' || n, 800000 + n, n * 10000, n FROM c`);
  // The newest page begins with msg_411: one resolution stands just before it, and the current one among the earlier.
  const happened = async (event: string, to: string, at: number, reason: string | null) =>
    base.db.run(sql`INSERT INTO ticket_events(id, organization_id, ticket_id, kind, to_value, reason, actor_name, actor_side, at)
      VALUES (${event}, ${here.id}, ${id}, 'status', ${to}, ${reason}, 'Sam Lee', 'staff', ${at})`);
  await happened("tev_between", "resolved", 4_105_000, "Replaced the drum.");
  await happened("tev_again", "open", 4_115_000, null);
  const [forStaff, forClient] = [staff(sam), client(dana)];
  const solutions = async (before: string | null) => {
    const { thread = [] } =
      (await readTicket(forStaff.ctx, forStaff.actor, {
        ref: id,
        params: new URLSearchParams(before ? { before } : {}),
        staffRead: Promise.resolve([]),
      })) ?? {};
    const page = await readClientTicket(forClient.ctx, forClient.actor, { ref: id, before });
    return [
      thread.flatMap((entry) => (entry.kind === "solution" ? [entry.text] : [])),
      page && partsOf(page).solutions.map(({ text, by, reopened }) => [text, by, reopened?.by]),
    ];
  };
  const between = [["Replaced the drum."], [["Replaced the drum.", "Sam", "Sam"]]];
  expect([await solutions(null), await solutions("msg_411")]).toEqual([[[], []], between]);

  await base.db.run(sql`UPDATE support_tickets SET status = 'resolved', resolution = 'Cleaned the rollers.',
    resolved_at = 4005000 WHERE id = ${id}`);
  await base.db.run(sql`${numbers(460)}
    INSERT INTO ticket_events(id, organization_id, ticket_id, kind, from_value, to_value, actor_name, actor_side, at)
    SELECT 'tev_' || n, ${here.id}, ${id}, 'priority', 'low', 'high', 'Sam Lee', 'staff', n * 10000 + 1 FROM c`);
  const provider = (await effectiveBrand(forClient.ctx)).name;
  expect(await solutions(null)).toEqual([["Cleaned the rollers."], [["Cleaned the rollers.", provider, undefined]]]);
  expect(await solutions("msg_411")).toEqual(between);
});

test("only the page with the latest message of a long ticket leads to it", async () => {
  const { base, here, dana, sam, staff, client } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  await base.db.run(sql`WITH RECURSIVE c(n) AS (SELECT 301 UNION ALL SELECT n + 1 FROM c WHERE n < 370)
    INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, message, number, created_at, updated_at)
    SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', 'Message ' || n, 800000 + n, n, n FROM c`);
  const [forStaff, forClient] = [staff(sam), client(dana)];
  const latest = async (before: string | null) => [
    (
      await readTicket(forStaff.ctx, forStaff.actor, {
        ref: id,
        params: new URLSearchParams(before ? { before } : {}),
        staffRead: Promise.resolve([]),
      })
    )?.latest,
    (await readClientTicket(forClient.ctx, forClient.actor, { ref: id, before }))?.latest,
  ];
  expect([await latest(null), await latest("msg_321")]).toEqual([
    ["msg_370", "msg_370"],
    [null, null],
  ]);
});
