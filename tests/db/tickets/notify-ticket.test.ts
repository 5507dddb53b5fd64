import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { mutedSubjects, notificationPreferences, notifications, quietHours } from "~/db/schema/notifications";
import { organizationMemberships } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { ticketMessages, ticketPeople, tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { UNDO_WINDOW } from "~/features/notifications/model";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";
import {
  announcementWorld,
  asClient,
  asStaff,
  collectedMails,
  notifiedInProduct,
  type TicketWithPeople,
  ticketWithPeople,
} from "../../support/ticket-announcements";
import { staffOf } from "../../support/tickets";

let ctx: TestContext;
let world: TicketWithPeople;

beforeEach(async () => {
  ({ ctx, world } = await announcementWorld());
});

const recipients = async () => (await collectedMails(ctx)).map(({ to }) => to).sort();
const staffWrites = (text: string) => world.write(asStaff(world.assignee), text);
const clientWrites = (text: string) => world.write(asClient(world.client), text);
/** Lists whom the product has told of what, in order. */
const told = async () => (await notifiedInProduct(ctx)).map(([who, event]) => [who, event]);
const opened = { opened: { description: "It blinks." } };

test("nobody is told of an internal note", async () => {
  await world.write(asStaff(world.other), "Their router is ours", true);
  expect(await notifiedInProduct(ctx)).toEqual([]);
  expect(await collectedMails(ctx)).toEqual([]);
});

test("nobody is told of what they did themselves", async () => {
  await staffWrites("Try again");
  await clientWrites("Still broken");
  expect(await told()).toEqual([
    [world.client.id, "staff_replied"],
    [world.assignee.id, "reply_on_mine"],
  ]);
  expect((await notifiedInProduct(ctx))[0]?.[2]).toBe(`T-${world.ticket.number} Printer offline`);
  expect(await recipients()).toEqual([world.client.email, world.assignee.email].sort());
});

test("who was added hears of it, who left the organization or the ticket hears nothing more", async () => {
  await world.add(world.colleague);
  await world.announce(asClient(world.client), { personAdded: { id: world.colleague.id, name: "" } });
  await staffWrites("Try again");
  expect((await told()).sort()).toEqual(
    [
      [world.colleague.id, "added_to_ticket"],
      [world.client.id, "staff_replied"],
      [world.colleague.id, "staff_replied"],
    ].sort(),
  );
  await ctx.db.delete(notifications);
  await ctx.db
    .update(organizationMemberships)
    .set({ status: "suspended" })
    .where(eq(organizationMemberships.user_id, world.client.id));
  await ctx.db.delete(ticketPeople).where(eq(ticketPeople.user_id, world.colleague.id));
  await staffWrites("Anybody?");
  expect(await notifiedInProduct(ctx)).toEqual([]);
});

test("a mail that waits does not reach who may no longer read the ticket, and is not left behind", async () => {
  await staffWrites("The password is on the note");
  await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, world.client.id));
  expect(await collectedMails(ctx)).toEqual([]);
  expect(await ctx.db.select().from(outbox)).toEqual([]);
});

test("people hear what they have chosen, and of muted tickets nothing", async () => {
  const choose = (by_mail: boolean, in_app: boolean) =>
    ctx.db
      .insert(notificationPreferences)
      .values({ user_id: world.client.id, event: "staff_replied", by_mail, in_app })
      .onConflictDoUpdate({
        target: [notificationPreferences.user_id, notificationPreferences.event],
        set: { by_mail, in_app },
      });
  await choose(false, true);
  await staffWrites("One");
  expect(await notifiedInProduct(ctx)).toHaveLength(1);
  expect(await collectedMails(ctx)).toEqual([]);
  await choose(true, false);
  await staffWrites("Two");
  expect(await notifiedInProduct(ctx)).toHaveLength(1);
  expect(await recipients()).toEqual([world.client.email]);
  await ctx.db
    .insert(mutedSubjects)
    .values({ user_id: world.client.id, subject_type: "ticket", subject_id: world.ticket.id });
  await choose(true, true);
  await staffWrites("Three");
  expect(await notifiedInProduct(ctx)).toHaveLength(1);
  expect(await collectedMails(ctx)).toEqual([]);
});

test("a ticket of nobody is everybody's: all active staff hear of it, but not those who were deactivated", async () => {
  const gone = await makePerson(ctx, { role: "moderator" });
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, gone.id));
  await ctx.db.update(tickets).set({ assigned_to: null }).where(eq(tickets.id, world.ticket.id));
  await clientWrites("Anybody?");
  expect((await told()).sort()).toEqual(
    [world.assignee, world.other].map(({ id }) => [id, "reply_on_unassigned"]).sort(),
  );
});

test("whoever assigns a ticket to themselves is not told, and whoever gets it is", async () => {
  await world.announce(asStaff(world.assignee), { assigned: { id: world.assignee.id, name: "" } });
  expect(await notifiedInProduct(ctx)).toEqual([]);
  await world.announce(asStaff(world.other), { assigned: { id: world.assignee.id, name: "" } });
  expect(await told()).toEqual([[world.assignee.id, "assigned_to_me"]]);
});

test("clients hear that a ticket is resolved, closed or reopened, and not that somebody works on it", async () => {
  await world.announce(asStaff(world.assignee), { statusBefore: "open" }, "in_progress");
  expect(await notifiedInProduct(ctx)).toEqual([]);
  await world.announce(asStaff(world.assignee), { statusBefore: "in_progress", resolution: "Replaced" }, "resolved");
  await world.announce(asClient(world.client), { statusBefore: "resolved" }, "open");
  expect((await notifiedInProduct(ctx)).map(([who, event, label]) => [who, event, label.split(": ")[1]])).toEqual([
    [world.client.id, "status_changed", "Resolved"],
    [world.assignee.id, "moved_by_client", "Open"],
  ]);
});

test("events within two minutes are one mail to each person, in their order, and later ones another", async () => {
  await staffWrites("First");
  ctx.clock.advance(minutes(1));
  await deliverOutbox(ctx);
  expect(ctx.sent).toEqual([]);
  await staffWrites("Second");
  await world.announce(asStaff(world.assignee), { statusBefore: "open", resolution: "Done so" }, "closed");
  ctx.clock.advance(minutes(1));
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toEqual([world.client.email]);
  expect(ctx.sent[0]?.text).toMatch(/> First[\s\S]*> Second[\s\S]*to Closed/);
  expect(ctx.sent[0]?.text.match(/> First/g)).toHaveLength(1);
  await staffWrites("Third");
  const [later] = await collectedMails(ctx);
  expect(later?.text).toContain("> Third");
  // What was told already is repeated as earlier, not as new.
  expect(later?.text.indexOf("> Third")).toBeLessThan(later?.text.indexOf("> Second") ?? -1);
});

test("twenty messages at once are told exactly once each, though mails leave meanwhile", async () => {
  ctx.clock.advance(minutes(5));
  const texts = Array.from({ length: 20 }, (_, index) => `Message ${String(index).padStart(2, "0")}`);
  await staffWrites("Before");
  ctx.clock.advance(minutes(2));
  await Promise.all([...texts.map(staffWrites), deliverOutbox(ctx), deliverOutbox(ctx)]);
  ctx.clock.advance(minutes(3));
  await deliverOutbox(ctx);
  const events = await ctx.db.select().from(mailEvents);
  expect([events.length, new Set(events.map(({ item_id }) => item_id)).size]).toEqual([21, 21]);
  expect(ctx.sent.length).toBeLessThanOrEqual(2);
  expect(await ctx.db.select().from(outbox).where(sql`status <> 'sent'`)).toEqual([]);
});

test("the mail about a reply never leaves within 15 seconds, even if it joins one that is about to", async () => {
  await world.announce(asStaff(world.assignee), { statusBefore: "open" }, "closed");
  ctx.clock.advance(minutes(2) - seconds(1));
  await staffWrites("Wait");
  ctx.clock.advance(seconds(14));
  await deliverOutbox(ctx);
  expect(ctx.sent).toEqual([]);
  ctx.clock.advance(seconds(1));
  await deliverOutbox(ctx);
  expect(ctx.sent).toHaveLength(1);
});

test("a mail that could not be sent says the same again, whatever has happened since", async () => {
  await staffWrites("First");
  ctx.outcomes.push({ kind: "transient", reason: "http_500" });
  ctx.clock.advance(minutes(2));
  await deliverOutbox(ctx);
  await staffWrites("Second");
  ctx.clock.advance(seconds(60));
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ text }) => [text.includes("> First"), text.includes("> Second")])).toEqual([[true, false]]);
  const [second] = await collectedMails(ctx);
  expect(second?.text).toContain("> Second");
});

test("a message that was deleted before its mail left is not told, and an empty mail is not sent", async () => {
  const id = await staffWrites("Wrong window");
  await ctx.db.delete(ticketMessages).where(eq(ticketMessages.id, id));
  expect(await collectedMails(ctx)).toEqual([]);
});

test("the client who opens a ticket gets a confirmation at once, one an hour, and staff are told", async () => {
  for (let times = 0; times < 2; times += 1) await world.announce(asClient(world.client), opened);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to, headers }) => [to, headers["Auto-Submitted"]])).toEqual([
    [world.client.email, "auto-replied"],
  ]);
  expect((await recipients()).sort()).toEqual([world.assignee.email, world.other.email].sort());
  expect((await told()).every(([who]) => who !== world.client.id)).toBe(true);
});

test("who has opened a ticket for a client is silent, the client is told, and no confirmation is sent", async () => {
  await world.announce(asStaff(world.assignee), opened);
  await deliverOutbox(ctx);
  expect(ctx.sent).toEqual([]);
  const mails = await collectedMails(ctx);
  expect(mails.map(({ to }) => to).sort()).toEqual([world.client.email, world.other.email].sort());
  expect(mails.find(({ to }) => to === world.client.email)?.text).toContain("opened this ticket for you");
});

test("mail about an urgent ticket does not wait", async () => {
  const urgent = await ticketWithPeople(ctx, { priority: "urgent" });
  await urgent.announce(asClient(urgent.client), opened);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toContain(urgent.assignee.email);
});

test("a person is asked once in seven days whether a ticket is solved", async () => {
  await ctx.db.update(tickets).set({ status: "resolved" });
  const resolve = (of: typeof world) =>
    of.announce(asStaff(of.assignee), { statusBefore: "open", resolution: "Replaced the cable" }, "resolved");
  await resolve(world);
  const [mail] = await collectedMails(ctx);
  expect(mail?.text).toContain("/solved?answer=yes&token=");
  await resolve(world);
  expect((await collectedMails(ctx))[0]?.text).not.toContain("/solved");
  ctx.clock.advance(days(7));
  await resolve(world);
  expect((await collectedMails(ctx))[0]?.text).toContain("/solved");
});

const note = (by: Person, text: string, nonce: string = crypto.randomUUID()) =>
  staffOf(ctx, by).note(world.ticket.id, text, nonce);

test("a colleague whom an internal note names hears that it does, once, and not what it says", async () => {
  const { assignee, other, client, colleague } = world;
  const nonce = crypto.randomUUID();
  const text = `@Avery Quinn @${client.fullName} @${colleague.fullName} the safe is 4711`;
  await note(assignee, text, nonce);
  await note(assignee, text, nonce);
  expect(await told()).toEqual([[other.id, "mentioned"]]);
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
  await staffWrites("First");
  expect(await collectedMails(ctx)).toEqual([]);
  await staffWrites("Second");
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
  await urgent.announce(asClient(urgent.client), opened);
  await clientWrites("Still broken");
  const mails = await collectedMails(ctx);
  expect(mails.map(({ to }) => to)).toEqual(expect.arrayContaining([urgent.client.email, urgent.assignee.email]));
  expect(mails.filter(({ text }) => text.includes("> Still broken"))).toEqual([]);
  ctx.clock.advance(hours(1));
  expect(await collectedMails(ctx)).toMatchObject([{ to: world.assignee.email }]);
});

test("a mail that quiet hours hold back leaves at once with an urgent event, and only the one about that ticket", async () => {
  const calm = await ticketWithPeople(ctx);
  await quiet(world.assignee, "08:00", "10:30");
  await quiet(calm.assignee, "08:00", "10:30");
  await clientWrites("Slow today");
  await calm.write(asClient(calm.client), "No hurry");
  expect(await collectedMails(ctx)).toEqual([]);
  world.told.priority = "urgent";
  await clientWrites("All down");
  ctx.clock.advance(UNDO_WINDOW);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toEqual([world.assignee.email]);
  expect(ctx.sent[0]?.text).toMatch(/> Slow today[\s\S]*> All down/);
});

test("an urgent event does not send a reply that can still be taken back", async () => {
  await staffWrites("Try again");
  world.told.priority = "urgent";
  await world.announce({ userId: null, fullName: "", side: "system" }, { statusBefore: "open" }, "resolved");
  await deliverOutbox(ctx);
  expect(ctx.sent).toEqual([]);
  ctx.clock.advance(UNDO_WINDOW);
  await deliverOutbox(ctx);
  expect(ctx.sent.map(({ to }) => to)).toContain(world.client.email);
});
