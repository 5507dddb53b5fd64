import { beforeEach, expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { settings } from "~/db/schema/site";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { endQuietTickets, notifyOfTargets } from "~/jobs/ticket-jobs.server";
import { days, hours, minutes } from "~/lib/time";
import { WEDNESDAY } from "../../support/context";
import { saveSetting } from "../../support/settings";
import { makeTicket, ticketWorld, valueOf } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
beforeEach(async () => {
  world = await ticketWorld();
  await world.base.db.delete(outbox);
  await world.base.db.delete(settings);
});

/** Lets mails leave that wait for nothing more. Returns the texts of those to somebody. */
async function mailsTo({ email }: { email: string }): Promise<string[]> {
  const { base } = world;
  base.clock.advance(minutes(3));
  await deliverOutbox(base);
  const texts = base.sent.filter(({ to }) => to === email).map(({ text }) => text);
  base.sent.length = 0;
  return texts;
}

test("staff read what has stopped working, until when it is to be resolved, and when a promise was that has passed", async () => {
  const each = { urgent: "4 hours", high: "8 hours", medium: "9 hours", low: "9 hours" };
  const targets = Object.entries(each).map(([priority, time]) => [`resolve_${priority}`, time]);
  await saveSetting("promises", Object.fromEntries(targets));
  world = await ticketWorld();
  const { base, dana, sam } = world;
  valueOf(await world.client(dana).open({ priority: "urgent", impact: "Twelve people" }));
  const [opened] = await mailsTo(sam);
  expect(opened).toContain("> What has stopped working: Twelve people");
  expect(opened).toContain("Next reply promised by: Wednesday, November 18, 11:00 AM CST");
  expect(opened).toContain("Resolution promised by: Wednesday, November 18, 1:00 PM CST");
  base.clock.set(WEDNESDAY + hours(4) + 1);
  await notifyOfTargets(base);
  await notifyOfTargets(base);
  const [missed] = await mailsTo(sam);
  expect(missed).toContain("We promised a reply by Wednesday, November 18, 11:00 AM CST. That time has passed.");
  expect(missed).toContain(
    "We promised to resolve this ticket by Wednesday, November 18, 1:00 PM CST. That time has passed.",
  );
});

test.each([
  [
    "waiting_for_customer",
    7,
    "If we don't hear from you within 5 business days, we'll mark it as resolved. You can reopen it by replying.",
  ],
  ["resolved", 4, "This ticket is resolved and will be closed in 3 days. Still broken? Reopen it."],
] as const)("a reminder of a ticket that is %s says what comes next, and when", async (status, after, sentence) => {
  const { base, dana, here } = world;
  await makeTicket(base, { organizationId: here.id, createdBy: dana, status });
  base.clock.set(WEDNESDAY + days(after));
  await endQuietTickets(base);
  expect(await mailsTo(dana)).toEqual([expect.stringContaining(sentence)]);
});

test("where nothing ends by itself a reminder announces no end", async () => {
  const { base, dana, here } = world;
  await base.db.insert(settings).values({ key: "resolveWaitingAfter", value_json: "0", updated_at: WEDNESDAY });
  await makeTicket(base, { organizationId: here.id, createdBy: dana, status: "waiting_for_customer" });
  base.clock.set(WEDNESDAY + days(7));
  await endQuietTickets(base);
  const [text] = await mailsTo(dana);
  expect(text).toContain("We are waiting for your answer on this ticket.\n");
});

test.each([
  "waiting_for_customer",
  "resolved",
] as const)("who has answered a ticket that was %s since is not reminded of it by the mail that leaves then", async (status) => {
  const { base, dana, here } = world;
  const { id } = await makeTicket(base, { organizationId: here.id, createdBy: dana, status });
  base.clock.set(WEDNESDAY + days(7));
  await endQuietTickets(base);
  expect(await world.client(dana).reply(id, "Not yet")).toMatchObject({ ok: true });
  expect(await mailsTo(dana)).toEqual([]);
});

test("a reply that was given since is not said to be due soon, and a ticket that is open again not asked about", async () => {
  const { base, dana, sam } = world;
  const staff = world.staff(sam);
  const { id } = valueOf(await world.client(dana).open());
  await mailsTo(sam);
  base.clock.set(WEDNESDAY + hours(3) + 1);
  await notifyOfTargets(base);
  valueOf(await staff.reply(id, { text: "", effect: "resolve", resolution: "Replaced the lamp." }));
  base.clock.advance(minutes(1));
  valueOf(await staff.setStatus(id, "in_progress"));
  base.clock.advance(minutes(2));
  await deliverOutbox(base);
  const textsTo = ({ email }: { email: string }) => base.sent.flatMap(({ to, text }) => (to === email ? [text] : []));
  expect(textsTo(sam)).toEqual([]);
  expect(textsTo(dana).at(-1)).toContain("Sam Lee resolved this ticket.");
  expect(textsTo(dana).join()).not.toContain("/solved?");
});
