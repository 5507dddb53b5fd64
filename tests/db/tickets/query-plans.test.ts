import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { replyAsStaff } from "~/features/tickets/conversation/reply-as-staff.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { ticketWorld } from "../../support/tickets";

test("opening a ticket and answering it read as many rows however many accounts there are, and mails that wait", async () => {
  const world = await ticketWorld();
  const { base, here } = world;
  const [dana, sam] = [world.client(world.dana), world.staff(world.sam)];
  const input = {
    title: "Printer",
    description: "It blinks.",
    priority: "high",
    impact: null,
    category: null,
  } as const;
  const openAndAnswer = async (nonce: string) => {
    const before = base.cost.rowsRead;
    const opened = await openTicket(dana.ctx, dana.actor, { ...input, organizationId: here.id, nonce });
    if (!opened.ok) throw new Error(opened.code);
    const reply = { ticketId: opened.value.id, text: "Restart it.", effect: "send", begunAtMessage: 0 } as const;
    expect(await replyAsStaff(sam.ctx, sam.actor, { ...reply, nonce: `${nonce}-reply` })).toMatchObject({ ok: true });
    return base.cost.rowsRead - before;
  };
  const few = await openAndAnswer("few");
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
  expect(await openAndAnswer("many")).toBeLessThan(few + 50);
});
