import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { minutes } from "~/lib/time";
import { fillTickets } from "../../support/filled-lists";
import { ticketWorld, valueOf } from "../../support/tickets";

test("opening a ticket, a note, an answer and taking it back read as many rows however many accounts, mails and files there are", async () => {
  const world = await ticketWorld();
  const { base } = world;
  const [dana, sam] = [world.client(world.dana), world.staff(world.sam)];
  const openAndAnswer = async () => {
    const before = base.cost.rowsRead;
    const { id } = valueOf(await dana.open());
    valueOf(await sam.note(id, "@Avery, a cable?"));
    const sent = valueOf(await sam.reply(id, { effect: "resolve", resolution: "Told how to restart it." }));
    valueOf(await sam.undo(id, sent));
    return base.cost.rowsRead - before;
  };
  const few = await openAndAnswer();
  await base.db.run(sql`
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
    INSERT INTO users(id, created_at, updated_at, email, full_name, search_name, number, password_hash, status)
    SELECT 'usr_many' || n, 1, 1, 'many' || n || '@clinic.example', 'Kim Roe', 'kim roe', 900000 + n, 'x', 'active' FROM c`);
  await base.db.run(sql`INSERT OR IGNORE INTO user_roles(user_id, role)
    SELECT id, 'user' FROM users WHERE id LIKE 'usr_many%'`);
  await base.db.run(sql`
    INSERT INTO outbox(id, kind, to_hash, params_enc, user_id, subject_type, subject_id, priority, status, next_at, created_at)
    SELECT 'mail_' || id, 'ticket-update', '', '', id, 'ticket', 'tkt_other', 1, 'pending', 9000000000000, 1
    FROM users WHERE id LIKE 'usr_many%'`);
  await base.db.run(sql`
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id, message_id)
    SELECT 'att_' || id, id, 'x.pdf', 'pdf', 1, 'x', 1, 'ticket', 'tkt_other', 'msg_other'
    FROM users WHERE id LIKE 'usr_many%'`);
  await base.db.run(sql`INSERT INTO solved_questions(user_id, ticket_id, asked_at)
    SELECT id, 'tkt_other', 1 FROM users WHERE id LIKE 'usr_many%'`);
  expect(await openAndAnswer()).toBeLessThan(few + 50);
});

test("a reply of staff writes at most 80 rows among three thousand tickets, and a change of status 45, indexes and counters included", async () => {
  const { base, dana, avery, sam, client, staff } = await ticketWorld();
  await fillTickets(base, avery.id, [0, 3_000]);
  const { id } = valueOf(await client(dana).open());
  base.clock.advance(minutes(5));
  const ours = staff(sam);
  const costOf = async (change: () => Promise<{ ok: boolean }>) => {
    // Mail that the change before sends after its response would count here, or not, as the machine is quick.
    await base.settle();
    Object.assign(base.cost, { rowsWritten: 0 });
    expect(await change()).toMatchObject({ ok: true });
    return base.cost.rowsWritten;
  };
  for (let replies = 0; replies < 2; replies += 1)
    expect(await costOf(() => ours.reply(id, { baseMessage: 99 }))).toBeLessThanOrEqual(80);
  for (const status of ["in_progress", "waiting_for_customer"] as const)
    expect(await costOf(() => ours.setStatus(id, status))).toBeLessThanOrEqual(45);
});
