import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { openTicket } from "~/features/tickets/opening/open-ticket.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import { ticketWorld } from "../../support/tickets";

test("opening a ticket, a note, an answer and taking it back read as many rows however many accounts, mails and files there are", async () => {
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
    const ticketId = opened.value.id;
    const note = { ticketId, text: "@Avery, a cable?", nonce: `${nonce}-note` };
    expect(await addInternalNote(sam.ctx, sam.actor, note)).toMatchObject({ ok: true });
    const reply = { ticketId, text: "Restart it.", effect: "resolve", resolution: "Told how to restart it." } as const;
    const sent = await replyAsStaff(sam.ctx, sam.actor, { ...reply, baseMessage: 0, nonce: `${nonce}-reply` });
    if (!sent.ok) throw new Error(sent.code);
    const undo = { ticketId, messageId: sent.value, nonce: `${nonce}-undo` };
    expect(await undoReply(sam.ctx, sam.actor, undo)).toMatchObject({ ok: true });
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
  await base.db.run(sql`
    INSERT INTO attachments(id, r2_key, name, kind, size, sha256, created_at, subject_type, subject_id, message_id)
    SELECT 'att_' || id, id, 'x.pdf', 'pdf', 1, 'x', 1, 'ticket', 'tkt_other', 'msg_other'
    FROM users WHERE id LIKE 'usr_many%'`);
  await base.db.run(sql`INSERT INTO solved_questions(user_id, ticket_id, asked_at)
    SELECT id, 'tkt_other', 1 FROM users WHERE id LIKE 'usr_many%'`);
  expect(await openAndAnswer("many")).toBeLessThan(few + 50);
});
