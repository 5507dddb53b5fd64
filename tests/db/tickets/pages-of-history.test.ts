import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { readTicket } from "~/features/tickets/record/read-ticket.server";
import { makeTicket, ticketWorld } from "../../support/tickets";

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
  const page = async (before: string | null) => (await readTicket(ctx, actor, { ref: id, before }))?.thread ?? [];
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

test("only the page with the latest message of a long ticket leads to it", async () => {
  const { base, here, dana, sam, staff, client } = await ticketWorld();
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  await base.db.run(sql`WITH RECURSIVE c(n) AS (SELECT 301 UNION ALL SELECT n + 1 FROM c WHERE n < 370)
    INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, message, number, created_at, updated_at)
    SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', 'Message ' || n, 800000 + n, n, n FROM c`);
  const [forStaff, forClient] = [staff(sam), client(dana)];
  const latest = async (before: string | null) => [
    (await readTicket(forStaff.ctx, forStaff.actor, { ref: id, before }))?.latest,
    (await readClientTicket(forClient.ctx, forClient.actor, { ref: id, before }))?.latest,
  ];
  expect([await latest(null), await latest("msg_321")]).toEqual([
    ["msg_370", "msg_370"],
    [null, null],
  ]);
});
