import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { notifications } from "~/db/schema/notifications";
import { organizationMemberships } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { ticketDrafts } from "~/db/schema/tickets";
import { listDrafts, saveDraft } from "~/features/conversation/messages.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import type { ReplyEffect, TicketPriority } from "~/features/tickets/model";
import { findTicketForStaff } from "~/features/tickets/queries.server";
import { findUndoable, undoReply } from "~/features/tickets/undo-reply.server";
import { fail, ok } from "~/lib/errors";
import { days, hours, minutes, seconds } from "~/lib/time";
import { testContext } from "../../support/context";
import { historyOf, textsOf, ticketRow, ticketWorld, valueOf } from "../../support/tickets";

const nonce = () => crypto.randomUUID();

let world: Awaited<ReturnType<typeof ticketWorld>>;
beforeEach(async () => {
  // The staff of other tests would hear of tickets, too.
  for (const table of [userRoles, notifications, outbox]) await testContext().db.delete(table);
  world = await ticketWorld();
});

/** Opens a ticket of Dana's, whose mails have left, and returns what Sam may do to it. */
async function opened(priority: TicketPriority = "high") {
  const { base } = world;
  const { id } = valueOf(await world.client(world.dana).open({ priority, impact: "All" }));
  base.clock.advance(minutes(3));
  await deliverOutbox(base);
  base.sent.length = 0;
  const sam = world.staff(world.sam);
  const reply = async (effect: ReplyEffect = "send", whyLate?: string, key = nonce()) => {
    const resolution = effect === "resolve" ? "Replaced the cable." : undefined;
    const what = { text: "Restart it.", effect, resolution, whyLate, assignToMe: true };
    return valueOf(await sam.reply(id, { ...what, nonce: key }));
  };
  const undo = (messageId: string, by = sam) => by.undo(id, messageId);
  const state = async () => {
    const { version: _, updated_at: __, ...row } = await ticketRow(base, id);
    const told = await base.db.select().from(notifications).where(eq(notifications.subject_id, id));
    return { row, told, history: await historyOf(base, id), texts: await textsOf(base, id) };
  };
  return { id, base, sam, reply, undo, state };
}

test.each([
  "send",
  "wait",
  "resolve",
] as const)("a reply (%s) that is taken back leaves the ticket as it was, its text as a draft, and no mail", async (effect) => {
  const { id, base, reply, undo, state } = await opened("urgent");
  const before = await state();
  const message = await reply(effect);
  expect(await state()).not.toEqual(before);
  base.clock.advance(seconds(14));
  await deliverOutbox(base);
  expect(base.sent).toEqual([]);
  expect(await undo(message)).toEqual(ok(null));
  expect(await state()).toEqual(before);
  const drafts = await base.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, id));
  expect(drafts).toMatchObject([{ user_id: world.sam.id, kind: "reply", message: "Restart it." }]);
  base.clock.advance(hours(1));
  await deliverOutbox(base);
  expect(base.sent).toEqual([]);
  expect(await base.db.select().from(mailEvents).where(eq(mailEvents.item_id, message))).toEqual([]);
});

test.each([
  ["send", "open"],
  ["wait", "waiting_for_customer"],
  ["resolve", "resolved"],
] as const)("a form whose reply was taken back is sent when it comes again (%s), and once", async (effect, status) => {
  const { reply, undo, state } = await opened();
  const key = nonce();
  await undo(await reply(effect, undefined, key));
  expect((await state()).texts).toEqual([]);
  const [first, second] = [await reply(effect, undefined, key), await reply(effect, undefined, key)];
  expect(second).toBe(first);
  expect(await state()).toMatchObject({ texts: ["Restart it."], row: { status } });
});

test("why it was late and what was done are a draft again as well, above what was begun since", async () => {
  const { id, base, sam, reply, undo } = await opened();
  base.clock.advance(days(7));
  const message = await reply("resolve", "A storm");
  const ticket = { id };
  const since = { text: "", whyLate: "Snow", whatWasDone: "Reset", baseMessage: 1 };
  await saveDraft(sam.ctx, { ticket, userId: world.sam.id, kind: "reply", ...since });
  expect(await undo(message)).toEqual(ok(null));
  expect(await listDrafts(base.db, id, world.sam.id)).toMatchObject([
    { text: "Restart it.", whyLate: "A storm\n\nSnow", whatWasDone: "Replaced the cable.\n\nReset", baseMessage: 0 },
  ]);
});

test("what was done without a message is taken back as well: the ticket is open, its text a draft, and nobody is mailed", async () => {
  const { id, base, sam, undo, state } = await opened();
  const before = await state();
  const resolve = (key: string) =>
    sam.reply(id, { text: "", effect: "resolve", resolution: "Replaced the cable.", nonce: key });
  const key = nonce();
  expect((await resolve(key)).ok).toBe(true);
  expect((await state()).row.status).toBe("resolved");
  const ticket = await findTicketForStaff(base.db, id);
  const undoable = ticket && (await findUndoable(base.db, { ticket, userId: world.sam.id, now: base.now() }));
  base.clock.advance(seconds(14));
  expect(await undo(undoable?.message_id ?? "")).toEqual(ok(null));
  expect(await state()).toEqual(before);
  expect(await listDrafts(base.db, id, world.sam.id)).toMatchObject([{ text: "", whatWasDone: "Replaced the cable." }]);
  base.clock.advance(hours(1));
  await deliverOutbox(base);
  expect(base.sent).toEqual([]);
  // A form that comes again is sent again, once.
  await resolve(key);
  expect(await resolve(key)).toEqual(await resolve(key));
  expect((await state()).row.status).toBe("resolved");
});

test("after fifteen seconds a reply stays, and its mail leaves", async () => {
  const { base, reply, undo, state } = await opened();
  const message = await reply();
  base.clock.advance(seconds(15));
  expect(await undo(message)).toEqual(fail("too_late"));
  expect((await state()).texts).toEqual(["Restart it."]);
  base.clock.advance(minutes(2));
  await deliverOutbox(base);
  expect(base.sent.map(({ to }) => to)).toContain(world.dana.email);
});

test("nobody takes back what a colleague wrote, nor what the client has answered or somebody has changed since", async () => {
  const { id, base, reply, undo, state, sam } = await opened();
  const first = await reply();
  expect(await undo(first, world.staff(world.avery))).toEqual(fail("too_late"));
  await sam.assign(id, world.avery.id);
  expect(await undo(first)).toEqual(fail("too_late"));
  base.clock.advance(1);
  const second = await reply();
  base.clock.advance(1);
  await world.client(world.dana).reply(id, "Done, thanks");
  expect(await undo(second)).toEqual(fail("too_late"));
  expect((await state()).texts).toEqual(["Restart it.", "Restart it.", "Done, thanks"]);
});

test("whom an internal note has named since stays told of it, in the product and by mail", async () => {
  const { id, base, reply, undo } = await opened();
  const message = await reply();
  base.clock.advance(1);
  await world.staff(world.avery).note(id, "@Sam wrong cable");
  expect(await undo(message)).toEqual(ok(null));
  const told = await base.db.select().from(notifications).where(eq(notifications.user_id, world.sam.id));
  expect(told.map(({ event }) => event)).toContain("mentioned");
  base.clock.advance(minutes(3));
  await deliverOutbox(base);
  expect(base.sent.map(({ to }) => to)).toContain(world.sam.email);
  expect(base.sent.map(({ to }) => to)).not.toContain(world.dana.email);
});

test("of twenty times at once a reply is taken back once, before a text that was begun since", async () => {
  const { id, base, reply, undo } = await opened();
  const message = await reply();
  const row = { ticket_id: id, organization_id: world.here.id, user_id: world.sam.id, kind: "reply" as const };
  await base.db.insert(ticketDrafts).values({ ...row, message: "And", begun_at_message: 1, updated_at: base.now() });
  const all = await Promise.all(Array.from({ length: 20 }, () => undo(message)));
  expect(all.filter(({ ok: isDone }) => isDone)).toHaveLength(1);
  const [draft] = await base.db.select().from(ticketDrafts).where(sql`ticket_id = ${id}`);
  expect(draft?.message).toBe("Restart it.\n\nAnd");
});

test("nobody takes a reply back who is removed at that moment, from the staff or from the organization", async () => {
  const { id, base, sam, reply, undo, state } = await opened();
  const ofStaff = await reply();
  const demoted = sam.interruptedBy(() => base.db.delete(userRoles).where(eq(userRoles.user_id, world.sam.id)));
  const refused = fail("ticket_not_found");
  expect(await undo(ofStaff, demoted)).toEqual(refused);

  base.clock.advance(seconds(1));
  const dana = world.client(world.dana);
  const replied = valueOf(await dana.reply(id, "It blinks red."));
  const { ctx, actor } = dana.interruptedBy(() =>
    base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, world.dana.id)),
  );
  const find = () => findTicketForStaff(base.db, id);
  const messageId = replied.kind === "message" ? replied.messageId : "";
  expect(await undoReply(ctx, actor, { ticketId: id, messageId, nonce: nonce(), find })).toEqual(refused);
  expect((await state()).texts).toEqual(["Restart it.", "It blinks red."]);
});
