import { expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { listDeliveries, retryMails } from "~/features/tickets/mails/delivery.server";
import { testContext } from "../../support/context";
import { as } from "../../support/factories";
import { asClient, asStaff, collectedMails, ticketWithPeople } from "../../support/ticket-announcements";

test("staff see where the mails about a reply are, and send again what was not delivered, once", async () => {
  const ctx = testContext();
  const world = await ticketWithPeople(ctx);
  await world.add(world.colleague);
  const id = await world.write(asStaff(world.assignee), "Try again");
  const state = async () => (await listDeliveries(ctx, world.ticket.id))[id];
  expect(await state()).toEqual({ state: "waiting", words: "Mail: Queued, 2 of 2" });
  await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
  expect(await state()).toEqual({ state: "waiting", words: "Mail: Delayed, 2 of 2" });
  await endMailPause(ctx);
  ctx.outcomes.push({ kind: "permanent", reason: "E_RECIPIENT_NOT_ALLOWED" });
  expect(await collectedMails(ctx)).toHaveLength(1);
  expect(await state()).toEqual({
    state: "failed",
    words: "Mail: Failed: the mail service may not send to this address, 1 of 2",
  });

  const other = await ticketWithPeople(ctx);
  await retryMails(ctx, { ticketId: other.ticket.id, messageId: id });
  expect((await state())?.state).toBe("failed");
  ctx.sent.length = 0;
  await Promise.all([1, 2, 3].map(() => retryMails(ctx, { ticketId: world.ticket.id, messageId: id })));
  await ctx.settle();
  expect(ctx.sent.map(({ text }) => text.includes("> Try again"))).toEqual([true]);
  expect(await state()).toEqual({ state: "sent", words: "Mail: Sent, 2 of 2" });
});

test("copies to outside addresses are neither counted nor sent again: who has asked for no more stays hidden", async () => {
  const ctx = testContext();
  const world = await ticketWithPeople(ctx);
  const editor = { side: "staff", by: asStaff(world.assignee) } as const;
  for (const email of ["one@landlord.example", "two@landlord.example"]) {
    const addition = { ticketId: world.ticket.id, email, nonce: crypto.randomUUID() };
    expect((await addCc(as(ctx, world.assignee), editor, addition)).ok).toBe(true);
  }
  await collectedMails(ctx);
  const id = await world.write(asStaff(world.assignee), "Try again");
  const state = async () => (await listDeliveries(ctx, world.ticket.id))[id];
  expect(await state()).toEqual({ state: "waiting", words: "Mail: Queued" });
  ctx.outcomes.push(...[1, 2, 3].map(() => ({ kind: "permanent", reason: "E_RECIPIENT_NOT_ALLOWED" }) as const));
  await collectedMails(ctx);
  expect(await state()).toEqual({
    state: "failed",
    words: "Mail: Failed: the mail service may not send to this address",
  });
  ctx.sent.length = 0;
  await retryMails(ctx, { ticketId: world.ticket.id, messageId: id });
  await ctx.settle();
  expect(ctx.sent.map(({ to }) => to)).toEqual([world.client.email]);
});

test("of mails about what clients and colleagues write nothing is shown", async () => {
  const ctx = testContext();
  const world = await ticketWithPeople(ctx);
  await world.write(asClient(world.client), "Still broken");
  await world.write(asStaff(world.other), "Note", true);
  expect(await listDeliveries(ctx, world.ticket.id)).toEqual({});
});

test("a mail to an address that bounces is shown as held with its date, and leaves once when staff say so", async () => {
  const ctx = testContext();
  await ctx.db.delete(outbox);
  const world = await ticketWithPeople(ctx);
  const id = await world.write(asStaff(world.assignee), "Try again");
  const state = async () => (await listDeliveries(ctx, world.ticket.id))[id];
  ctx.outcomes.push({ kind: "suppressed", reason: "E_RECIPIENT_SUPPRESSED" });
  expect(await collectedMails(ctx)).toHaveLength(0);
  expect((await state())?.words).toMatch(/^Mail: Address bounces, held until Nov 19, \d\d:\d\d$/);
  expect((await state())?.state).toBe("failed");
  await Promise.all([1, 2, 3].map(() => retryMails(ctx, { ticketId: world.ticket.id, messageId: id })));
  await ctx.settle();
  expect(ctx.sent.map(({ to }) => to)).toEqual([world.client.email]);
  expect(await state()).toEqual({ state: "sent", words: "Mail: Sent" });
});
