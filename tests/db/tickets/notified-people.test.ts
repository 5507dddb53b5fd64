import { beforeEach, expect, test } from "vitest";
import { quietHours } from "~/db/schema/notifications";
import { mailEvents, outbox } from "~/db/schema/outbox";
import type { StaffActor } from "~/features/auth/guards.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { UNDO_WINDOW } from "~/features/notifications/model";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { hours } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, type Person, signedInAs } from "../../support/factories";
import {
  announcementWorld,
  asClient,
  asStaff,
  collectedMails,
  notifiedInProduct,
  type TicketWithPeople,
  ticketWithPeople,
} from "../../support/ticket-announcements";

let ctx: TestContext;
let world: TicketWithPeople;

beforeEach(async () => {
  ({ ctx, world } = await announcementWorld());
});

const note = (by: Person, text: string, nonce: string = crypto.randomUUID()) =>
  addInternalNote(as(ctx, by), signedInAs(by, ctx.now()) as StaffActor, { ticketId: world.ticket.id, text, nonce });

test("a colleague whom an internal note names hears that it does, once, and not what it says", async () => {
  const { assignee, other, client, colleague } = world;
  const nonce = crypto.randomUUID();
  const text = `@Avery Quinn @${client.fullName} @${colleague.fullName} the safe is 4711`;
  await note(assignee, text, nonce);
  await note(assignee, text, nonce);
  expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([[other.id, "mentioned"]]);
  const mails = await collectedMails(ctx);
  expect(mails.map(({ to }) => to)).toEqual([other.email]);
  expect(mails[0]?.text).toContain("Jordan Vale mentioned you in an internal note.");
  expect(JSON.stringify(mails)).not.toContain("4711");
  // Nobody mentions themselves.
  await note(assignee, "@Jordan, do not forget");
  expect(await notifiedInProduct(ctx)).toHaveLength(1);
});

const quiet = (person: Person, from: string, until: string) =>
  ctx.db.insert(quietHours).values({ user_id: person.id, from_clock: from, until_clock: until });

test("in quiet hours mails wait until these end, take in what happens meanwhile, and come as one", async () => {
  // It is nine in the morning in the site's zone.
  await quiet(world.client, "08:00", "10:30");
  await world.write(asStaff(world.assignee), "First");
  expect(await collectedMails(ctx)).toEqual([]);
  await world.write(asStaff(world.assignee), "Second");
  expect(await collectedMails(ctx)).toEqual([]);
  expect(await notifiedInProduct(ctx)).toHaveLength(2);
  expect(await ctx.db.select().from(mailEvents)).toHaveLength(2);
  // Waiting is no attempt: a mail is given up after a few of these.
  expect(await ctx.db.select({ attempts: outbox.attempts }).from(outbox)).toEqual([{ attempts: 0 }]);
  ctx.clock.advance(hours(1.5));
  const mails = await collectedMails(ctx);
  expect(mails.map(({ to }) => to)).toEqual([world.client.email]);
  expect(mails[0]?.text).toMatch(/> First[\s\S]*> Second/);
});

test("urgent tickets and receipts do not wait for the end of quiet hours, which may be over midnight", async () => {
  const urgent = await ticketWithPeople(ctx, { priority: "urgent" });
  await quiet(urgent.assignee, "20:00", "10:00");
  await quiet(urgent.client, "20:00", "10:00");
  await quiet(world.assignee, "20:00", "10:00");
  await urgent.announce(asClient(urgent.client), { opened: { description: "All down" } });
  await world.write(asClient(world.client), "Still broken");
  const told = await collectedMails(ctx);
  expect(told.map(({ to }) => to)).toEqual(expect.arrayContaining([urgent.client.email, urgent.assignee.email]));
  expect(told.filter(({ text }) => text.includes("> Still broken"))).toEqual([]);
  ctx.clock.advance(hours(1));
  expect(await collectedMails(ctx)).toMatchObject([{ to: world.assignee.email }]);
});

test("a mail that quiet hours hold back leaves at once with an urgent event, and only the one about that ticket", async () => {
  const calm = await ticketWithPeople(ctx);
  await quiet(world.assignee, "08:00", "10:30");
  await quiet(calm.assignee, "08:00", "10:30");
  await world.write(asClient(world.client), "Slow today");
  await calm.write(asClient(calm.client), "No hurry");
  expect(await collectedMails(ctx)).toEqual([]);
  world.told.priority = "urgent";
  await world.write(asClient(world.client), "All down");
  ctx.clock.advance(UNDO_WINDOW);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toEqual([world.assignee.email]);
  expect(ctx.sent[0]?.text).toMatch(/> Slow today[\s\S]*> All down/);
});

test("an urgent event does not send a reply that can still be taken back", async () => {
  await world.write(asStaff(world.assignee), "Try again");
  world.told.priority = "urgent";
  await world.announce({ userId: null, fullName: "", side: "system" }, { statusBefore: "open" }, "resolved");
  await deliverOutbox(ctx);
  expect(ctx.sent).toEqual([]);
  ctx.clock.advance(UNDO_WINDOW);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toContain(world.client.email);
});
