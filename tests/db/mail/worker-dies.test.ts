import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { recordDeliveryEvents } from "~/features/mail/delivery-events.server";
import { retryMails } from "~/features/tickets/mails/delivery.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { minutes } from "~/lib/time";
import { meteredD1, noCost } from "~/platform/d1.server";
import { addDomain } from "../../support/contacts";
import { bindings, derive, type TestContext } from "../../support/context";
import { signedInAs } from "../../support/factories";
import { clearMail, handOver, type MailOptions, rawMail, replyAddress } from "../../support/inbound-mail";
import { mailProvider } from "../../support/mail-provider";
import { storeFile } from "../../support/stored-files";
import { makeTicket, textsOf, ticketRow, ticketWorld } from "../../support/tickets";

const WORKER_DIED = "The worker died";

const DEATHS = 50;

/** How many operations lie between two deaths: no two cycles of work are cut at the same places. */
const GAPS = [5, 9, 23, 7, 17];

/**
 * Counts what a worker does outside of itself, over all its invocations, and ends it again and again: before an
 * operation is done, and next time after it, when only its answer is lost.
 */
function mortality() {
  let deaths = 0;
  let left = GAPS[0] ?? 1;
  return {
    deaths: () => deaths,
    /** Returns the operations of one invocation. Nothing of it happens any more once it has ended. */
    invocation: () => {
      const state = { isDead: false };
      const live = async <Value>(work: () => Promise<Value>): Promise<Value> => {
        if (state.isDead) throw new Error(WORKER_DIED);
        left -= 1;
        if (left > 0 || deaths === DEATHS) return work();
        const isAfter = deaths % 2 === 1;
        deaths += 1;
        left = GAPS[deaths % GAPS.length] ?? 1;
        state.isDead = true;
        if (isAfter) await work();
        throw new Error(WORKER_DIED);
      };
      return { state, live };
    },
  };
}

const MAILS = Array.from({ length: 10 }, (_, index) => `It blinks again, for the time number ${index + 1}.`);
const REPLIES = Array.from({ length: 10 }, (_, index) => `Have you tried cable number ${index + 1}?`);
/** Of somebody who has no account: a first mail with a file, answers, and what staff reply with a file. */
const KIM = "kim@dies.example";
const KIM_MAILS = Array.from({ length: 3 }, (_, index) => `It sticks on floor ${index + 1}.`);
const KIM_REPLIES = Array.from({ length: 3 }, (_, index) => `Somebody comes at ${index + 9}.`);
const TEXT_FILE = { type: "text/plain", bytes: "stuck" };

const FIRST_MAILS = ["The scanner sends nothing.", "The phone is dead."];

test("the worker dies at 50 places of a day: no mail is lost, and nobody gets one twice", async () => {
  const { base, here, dana, omar, sam } = await ticketWorld();
  await clearMail(base);
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana, assignedTo: sam.id });
  await addDomain(base, here.id, "dies.example");
  const life = mortality();
  const provider = mailProvider({ bouncing: [omar.email] });

  /** Runs one invocation of the worker. Returns whether it came to its end. */
  async function invoke(work: (ctx: TestContext) => Promise<unknown>): Promise<boolean> {
    const { state, live } = life.invocation();
    const pending: Promise<unknown>[] = [];
    const prepare = bindings.DB.prepare.bind(bindings.DB);
    const batch = ((statements: D1PreparedStatement[]) =>
      live(() => bindings.DB.batch(statements))) as D1Database["batch"];
    const { files } = base;
    const ctx = derive(base, {
      db: openDb(meteredD1({ prepare, batch }, noCost())),
      files: {
        ...files,
        get: (key) => live(() => files.get(key)),
        put: (key, bytes) => live(() => files.put(key, bytes)),
        delete: (keys) => live(() => files.delete(keys)),
        putStream: (key, bytes) => live(() => files.putStream(key, bytes)),
      },
      mailer: { ...provider.mailer, send: (mail) => live(() => provider.mailer.send(mail)) },
      after: (started) => {
        pending.push(started);
      },
    });
    const isWhole = await work(ctx).then(
      () => true,
      (error: unknown) => {
        if (!state.isDead) throw error;
        return false;
      },
    );
    while (pending.length > 0) await pending.shift()?.catch(() => undefined);
    return isWhole;
  }

  /** Lets some time go by: longer than a lease. */
  async function goOn() {
    base.clock.advance(minutes(3));
    const events = provider.eventsDue();
    // The queue brings again what was not taken.
    if (events.length > 0 && !(await invoke((ctx) => recordDeliveryEvents(ctx, events)))) provider.bringAgain(events);
    await invoke(processWaitingMail);
    await invoke(deliverOutbox);
  }

  /** Does something until its caller gets an answer: a sender's server and a browser try again. */
  async function untilDone(work: (ctx: TestContext) => Promise<unknown>) {
    while (!(await invoke(work))) await goOn();
    await goOn();
  }

  const waiting = () =>
    base.db.all(sql`SELECT id FROM outbox WHERE status IN ('pending', 'sending') UNION ALL
      SELECT id FROM inbound_mail WHERE state = 'received'`);
  async function untilQuiet() {
    for (let count = 0; count < 40 && ((await waiting()).length > 0 || provider.hasEvents()); count += 1) await goOn();
  }

  const receive = (from: string, to: string, text: string, files: MailOptions["files"] = []) => {
    const raw = rawMail({ from, to, text, files });
    return untilDone((ctx) => handOver(ctx, raw, { from, to }));
  };
  const reply = async (text: string, ticketId = ticket.id, files: StoredFile[] = []) => {
    const { public_messages: baseMessage } = await ticketRow(base, ticketId);
    const actor = signedInAs(sam, base.now()) as Parameters<typeof replyAsStaff>[1];
    const sent = { ticketId, text, files, effect: "send", baseMessage, nonce: crypto.randomUUID() } as const;
    await untilDone((ctx) => replyAsStaff(derive(ctx, { signedIn: actor }), actor, sent));
  };

  await receive(KIM, "support@wrenfield.example", "The door sticks.", [{ name: "door.txt", ...TEXT_FILE }]);
  await untilQuiet();
  const [ofKim] = await base.db.all<{ id: string; number: number; copyId: string }>(sql`
    SELECT t.id, t.number, c.id AS copyId FROM ticket_copies c JOIN support_tickets t ON t.id = c.ticket_id
    WHERE c.email = ${KIM}`);
  if (!ofKim) throw new Error("Their mail was lost");
  for (const [index, text] of KIM_MAILS.entries()) {
    await receive(KIM, replyAddress(base, ofKim, ofKim.copyId), text, [{ name: `${index}.txt`, ...TEXT_FILE }]);
    const plan = await storeFile(base, { name: "plan.txt", kind: "txt", bytes: Buffer.from("plan") });
    await reply(KIM_REPLIES[index] ?? "", ofKim.id, [plan]);
  }
  for (const text of FIRST_MAILS) await receive(omar.email, "support@wrenfield.example", text);
  for (const [index, text] of MAILS.entries()) {
    await receive(dana.email, replyAddress(base, ticket, dana.id), text);
    await untilQuiet();
    await reply(REPLIES[index] ?? "");
  }
  await untilQuiet();
  expect(life.deaths()).toBe(DEATHS);
  expect(await waiting()).toEqual([]);

  // What came in is there once.
  expect((await textsOf(base, ticket.id)).sort()).toEqual([...MAILS, ...REPLIES].sort());
  const opened = await base.db.all<{ description: string }>(sql`SELECT t.description FROM inbound_mail i
    JOIN support_tickets t ON t.id = i.ticket_id WHERE i.effect = 'opened'`);
  expect(opened.map(({ description }) => description).sort()).toEqual([...FIRST_MAILS, "The door sticks."].sort());
  expect((await textsOf(base, ofKim.id)).sort()).toEqual([...KIM_MAILS, ...KIM_REPLIES].sort());
  const [known] = await base.db.all(sql`SELECT count(*) AS contacts,
    (SELECT count(*) FROM attachments WHERE subject_id = ${ofKim.id}) AS files FROM contacts WHERE email = ${KIM}`);
  expect(known).toEqual({ contacts: 1, files: 1 + KIM_MAILS.length + KIM_REPLIES.length });

  // Whoever looks the uncertain ones up at the provider sends those again that it has never got.
  const isAccepted = (mailId: string) => provider.accepted.some(({ id }) => id === mailId);
  const uncertain = (await base.db.select().from(outbox)).filter(({ status }) => status === "uncertain");
  for (const { id } of uncertain.filter((mail) => !isAccepted(mail.id))) {
    const about = await base.db.all<{ id: string }>(sql`SELECT item_id AS id FROM mail_events WHERE outbox_id = ${id}`);
    for (const message of about)
      for (const { id: ticketId } of [ticket, ofKim])
        await invoke((ctx) => retryMails(ctx, { ticketId, messageId: message.id }));
  }
  await untilQuiet();

  for (const { id, status } of await base.db.select().from(outbox)) {
    const times = provider.accepted.filter((mail) => mail.id === id);
    expect(times.length).toBeLessThanOrEqual(1);
    if (status === "uncertain") continue;
    expect([id, status]).toEqual([id, provider.isBouncing(times[0]?.to ?? "") ? "bounced" : "delivered"]);
  }
  const mailsTo = (email: string, words: string) =>
    provider.accepted.filter(({ to, text: body }) => to === email && body.includes(words));
  for (const text of REPLIES) expect([text, mailsTo(dana.email, `wrote:\n> ${text}`).length]).toEqual([text, 1]);
  for (const text of KIM_REPLIES) {
    const mails = mailsTo(KIM, `wrote:\n> ${text}`);
    expect(mails.map(({ files }) => files?.map(({ name }) => name))).toEqual([["plan.txt"]]);
  }
  // One receipt each, of which one may be the mail of which nobody knows whether it left.
  const receipts = await base.db.select().from(outbox).where(eq(outbox.kind, "ticket-received"));
  expect(receipts.length).toBe(2);
  for (const email of [KIM, omar.email]) {
    const isKnown = receipts.every(({ id, status }) => status !== "uncertain" || isAccepted(id));
    const times = mailsTo(email, "We have your ticket").length;
    expect([email, times]).toEqual([email, isKnown ? 1 : expect.any(Number)]);
    expect(times).toBeLessThanOrEqual(1);
  }
});
