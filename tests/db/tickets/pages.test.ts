import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { attachments } from "~/db/schema/subjects";
import { ticketEvents, ticketMessages } from "~/db/schema/tickets";
import { listTicketFiles, readMessages } from "~/features/conversation/messages.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import { readTicket } from "~/features/tickets/record/read-ticket.server";
import { makeMember, makePerson } from "../../support/factories";
import { partsOf, worldWithTicket } from "../../support/tickets";

/** Returns a ticket with this many messages, `msg_101` the oldest, and its pages of fifty, as both sides read them. */
async function longTicket({ messages = 0, internalEach = 0 } = {}) {
  const world = await worldWithTicket({ at: 100 });
  const { base, here, ticket } = world;
  for (const table of [ticketMessages, ticketEvents, attachments]) await base.db.delete(table);
  const { id } = ticket;
  const numbers = sql`WITH RECURSIVE c(n) AS (SELECT 101 UNION ALL SELECT n + 1 FROM c WHERE n < ${100 + messages})`;
  if (messages > 0)
    await base.db.run(sql`${numbers}
      INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, is_internal, message, number, created_at, updated_at)
      SELECT 'msg_' || n, ${here.id}, ${id}, 'Sam Lee', 'staff', ${internalEach} > 0 AND n % ${internalEach} = 0,
        'Message ' || n, 800000 + n, n * 10000, n FROM c`);
  const [sam, dana] = [world.staff(world.sam), world.client(world.dana)];
  const forStaff = async (before: string | null = null) => {
    const params = new URLSearchParams(before ? { before } : {});
    const page = await readTicket(sam.ctx, sam.actor, { ref: id, params, staffRead: Promise.resolve([]) });
    if (!page) throw new Error("There is no such ticket");
    return page;
  };
  const forClient = async (before: string | null = null) => {
    const page = await readClientTicket(dana.ctx, dana.actor, { ref: id, before });
    if (!page) throw new Error("There is no such ticket");
    return page;
  };
  return { base, here, id, numbers, forStaff, forClient };
}

test("what has happened to a long ticket stands between the messages of its page, and on no other page", async () => {
  const { base, here, id, numbers, forStaff } = await longTicket({ messages: 60 });
  // After each message the priority changes twice.
  await base.db.run(sql`${numbers}
    INSERT INTO ticket_events(id, organization_id, ticket_id, kind, from_value, to_value, actor_name, actor_side, at)
    SELECT 'tev_' || n || value, ${here.id}, ${id}, 'priority', 'low', 'high', 'Sam Lee', 'staff', n * 10000 + value
    FROM c, json_each('[1, 2]')`);
  const idsOf = async (before: string | null, kind: "message" | "event") =>
    (await forStaff(before)).thread.filter((entry) => entry.kind === kind).map((entry) => entry.id);
  const earlier = Array.from({ length: 10 }, (_, index) => 101 + index);
  expect(await idsOf("msg_111", "message")).toEqual([id, ...earlier.map((number) => `msg_${number}`)]);
  expect(await idsOf("msg_111", "event")).toEqual(earlier.flatMap((number) => [`tev_${number}1`, `tev_${number}2`]));
  expect([(await idsOf(null, "message"))[0], (await idsOf(null, "event")).at(-1)]).toEqual(["msg_111", "tev_1602"]);
});

test("what was done stands on one page of a long ticket, also between two, and by which it is resolved on the newest", async () => {
  const { base, here, id, numbers, forStaff, forClient } = await longTicket({ messages: 60 });
  // The newest page begins with msg_111: one resolution stands just before it, and the current one among the earlier.
  const happened = async (event: string, to: string, at: number, reason: string | null) =>
    base.db.run(sql`INSERT INTO ticket_events(id, organization_id, ticket_id, kind, to_value, reason, actor_name, actor_side, at)
      VALUES (${event}, ${here.id}, ${id}, 'status', ${to}, ${reason}, 'Sam Lee', 'staff', ${at})`);
  await happened("tev_between", "resolved", 1_105_000, "Replaced the drum.");
  await happened("tev_again", "open", 1_115_000, null);
  const solutions = async (before: string | null) => [
    (await forStaff(before)).thread.flatMap((entry) => (entry.kind === "solution" ? [entry.text] : [])),
    partsOf(await forClient(before)).solutions.map(({ text, by, reopened }) => [text, by, reopened?.by]),
  ];
  const between = [["Replaced the drum."], [["Replaced the drum.", "Sam", "Sam"]]];
  expect([await solutions(null), await solutions("msg_111")]).toEqual([[[], []], between]);

  await base.db.run(sql`UPDATE support_tickets SET status = 'resolved', resolution = 'Cleaned the rollers.',
    resolved_at = 1005000 WHERE id = ${id}`);
  await base.db.run(sql`${numbers}
    INSERT INTO ticket_events(id, organization_id, ticket_id, kind, from_value, to_value, actor_name, actor_side, at)
    SELECT 'tev_' || n, ${here.id}, ${id}, 'priority', 'low', 'high', 'Sam Lee', 'staff', n * 10000 + 1 FROM c`);
  const provider = (await effectiveBrand(base)).name;
  expect(await solutions(null)).toEqual([["Cleaned the rollers."], [["Cleaned the rollers.", provider, undefined]]]);
  expect(await solutions("msg_111")).toEqual(between);
});

test("only the page with the latest message of a long ticket leads to it", async () => {
  const { forStaff, forClient } = await longTicket({ messages: 60 });
  const latest = async (before: string | null) => [(await forStaff(before)).latest, (await forClient(before)).latest];
  expect([await latest(null), await latest("msg_111")]).toEqual([
    ["msg_160", "msg_160"],
    [null, null],
  ]);
});

test("each page of a ticket has the files of its messages, however many newer ones there are, and clients none of notes", async () => {
  const { base, id, numbers } = await longTicket({ messages: 100, internalEach: 10 });
  await base.db.run(sql`${numbers}
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id, message_id)
    SELECT 'att_' || n || value, 'key-' || n || value, 'log.txt', 'txt', 1, 'x', n, 'ticket', ${id}, 'msg_' || n
    FROM c, json_each('[1, 2, 3, 4, 5]')`);
  const pages = async (withInternal: boolean) => {
    let [pages, before]: [number, string | null] = [0, null];
    for (;;) {
      const range: { withInternal: boolean; before: string | null } = { withInternal, before };
      const [{ messages, hasEarlier }, files] = await Promise.all([
        readMessages(base.db, id, range),
        listTicketFiles(base.db, id, range),
      ]);
      expect(files.map(({ messageId }) => messageId)).toEqual(messages.flatMap((one) => Array(5).fill(one.id)));
      pages += 1;
      if (!hasEarlier) return pages;
      before = messages[0]?.id ?? null;
    }
  };
  expect([await pages(true), await pages(false)]).toEqual([2, 2]);
});

test("clients and staff choose a person for a ticket from the same names, in the order of names", async () => {
  const { base, here, forStaff, forClient } = await longTicket();
  for (const fullName of ["Élodie Roux", "Zoe Hall", "Ben Ito"])
    await makeMember(base, here.id, await makePerson(base, { fullName }), "member");
  for (const colleagues of [(await forStaff()).about.colleagues, (await forClient()).colleagues])
    expect(colleagues.map(({ name }) => name)).toEqual(["Ben Ito", "Élodie Roux", "Omar Reyes", "Zoe Hall"]);
});
