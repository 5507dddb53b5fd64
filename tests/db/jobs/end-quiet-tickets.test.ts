import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { notifications } from "~/db/schema/notifications";
import { settings } from "~/db/schema/site";
import type { SiteSettings } from "~/features/settings/settings.server";
import { readClientTicket } from "~/features/tickets/client-record/read-client-ticket.server";
import type { TicketStatus } from "~/features/tickets/model";
import { endQuietTickets } from "~/jobs/ticket-jobs.server";
import { days, minutes } from "~/lib/time";
import { WEDNESDAY } from "../../support/context";
import { historyOf, ticketRow, worldWithTicket } from "../../support/tickets";

/** Makes a quiet ticket. It is a Wednesday at nine in Chicago; Thanksgiving is an ordinary day here. */
async function quiet(status: TicketStatus, times: Partial<SiteSettings> = {}) {
  const world = await worldWithTicket({ status });
  const { base, dana, ticket } = world;
  await base.db.delete(settings);
  for (const [key, value] of Object.entries(times))
    await base.db.insert(settings).values({ key, value_json: JSON.stringify(value), updated_at: WEDNESDAY });
  const told = async () =>
    (
      await base.db
        .select({ event: notifications.event, person: notifications.user_id })
        .from(notifications)
        .where(eq(notifications.subject_id, ticket.id))
    ).filter(({ person }) => person === dana.id);
  const run = async (at: number) => {
    base.clock.set(at);
    await endQuietTickets(base);
    return (await ticketRow(base, ticket.id)).status;
  };
  return { ...world, told, run };
}

const WEEK_LATER = WEDNESDAY + days(7);

test("a client who does not answer is reminded after five working days, and five later the ticket is resolved", async () => {
  const { base, ticket, told, run, client, dana } = await quiet("waiting_for_customer");
  await run(WEEK_LATER - 1);
  expect(await told()).toEqual([]);
  expect(await run(WEEK_LATER)).toBe("waiting_for_customer");
  expect(await run(WEEK_LATER + minutes(10))).toBe("waiting_for_customer");
  expect((await told()).map(({ event }) => event)).toEqual(["reminded"]);
  expect(await run(WEEK_LATER + days(7) - 1)).toBe("waiting_for_customer");
  expect(await run(WEEK_LATER + days(7))).toBe("resolved");
  expect((await told()).map(({ event }) => event)).toEqual(["reminded", "status_changed"]);
  expect(await historyOf(base, ticket.id)).toEqual([
    ["reminded", null, "waiting", ""],
    ["status", "waiting_for_customer", "resolved", ""],
  ]);
  const row = await ticketRow(base, ticket.id);
  expect(row).toMatchObject({ resolved_at: WEEK_LATER + days(7), waiting_since: null, reminded_at: null });
  expect(row.resolution).toContain("We have not heard from you");
  const { ctx, actor } = client(dana);
  expect(await readClientTicket(ctx, actor, { ref: ticket.id, before: null })).toMatchObject({
    question: { text: expect.stringMatching(/^You did not answer, so we think so\. If not, /) },
    thread: expect.arrayContaining([expect.objectContaining({ text: row.resolution, reopened: null })]),
    timeline: [{}, { text: expect.stringContaining("Reason: We have not heard from you") }],
  });
  const [event] = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, ticket.id));
  expect(event).toMatchObject({ action: "ticket.status_changed", actor_id: null, actor_name: "The system" });
});

test("a resolved ticket is closed after seven days, which its client hears on the fourth", async () => {
  const { told, run } = await quiet("resolved");
  await run(WEDNESDAY + days(4) - 1);
  expect(await told()).toEqual([]);
  await run(WEDNESDAY + days(4));
  await run(WEDNESDAY + days(5));
  expect((await told()).map(({ event }) => event)).toEqual(["reminded"]);
  expect(await run(WEDNESDAY + days(7) - 1)).toBe("resolved");
  expect(await run(WEDNESDAY + days(7))).toBe("closed");
});

test("nothing ends unannounced because runs were missed", async () => {
  const { told, run } = await quiet("resolved");
  expect(await run(WEDNESDAY + days(20))).toBe("resolved");
  expect((await told()).map(({ event }) => event)).toEqual(["reminded"]);
  expect(await run(WEDNESDAY + days(23) - 1)).toBe("resolved");
  expect(await run(WEDNESDAY + days(23))).toBe("closed");
});

test("five runs at once remind once and resolve once", async () => {
  const { base, ticket, told } = await quiet("waiting_for_customer");
  const together = () => Promise.all(Array.from({ length: 5 }, () => endQuietTickets(base)));
  base.clock.set(WEEK_LATER);
  await together();
  expect(await told()).toHaveLength(1);
  base.clock.set(WEEK_LATER + days(7));
  await together();
  expect(await historyOf(base, ticket.id)).toHaveLength(2);
});

test.each([
  "send",
  "wait",
] as const)("a client who is asked again (%s) is reminded anew, before anything ends by itself", async (effect) => {
  const { ticket, told, run, sam, staff } = await quiet("waiting_for_customer");
  await run(WEEK_LATER);
  expect(await staff(sam).reply(ticket.id, { text: "Which floor?", effect })).toMatchObject({ ok: true });
  const reminders = async () => (await told()).filter(({ event }) => event === "reminded").length;
  await run(WEEK_LATER + days(7) - 1);
  expect(await reminders()).toBe(1);
  await run(WEEK_LATER + days(7));
  expect(await reminders()).toBe(2);
  expect(await run(WEEK_LATER + days(14) - 1)).toBe("waiting_for_customer");
  expect(await run(WEEK_LATER + days(14))).toBe("resolved");
});

test("an answer begins everything anew", async () => {
  const { ticket, client, dana, run } = await quiet("waiting_for_customer");
  await run(WEEK_LATER);
  expect(await client(dana).reply(ticket.id, "Sorry, I was away.")).toMatchObject({ ok: true });
  expect(await run(WEEK_LATER + days(30))).toBe("open");
});

const NEVER = { remindWaitingAfter: 0, resolveWaitingAfter: 0, announceClosingAfter: 0, closeResolvedAfter: 0 };

test.each<[string, TicketStatus, Partial<SiteSettings>, number, TicketStatus, number]>([
  ["nobody is reminded and nothing resolved", "waiting_for_customer", {}, 90, "waiting_for_customer", 0],
  ["only reminded", "waiting_for_customer", { remindWaitingAfter: 5 }, 90, "waiting_for_customer", 1],
  ["resolved without a reminder", "waiting_for_customer", { resolveWaitingAfter: 5 }, 7, "resolved", 1],
  ["never closed, and so not announced", "resolved", { announceClosingAfter: 4 }, 90, "resolved", 0],
  ["closed without an announcement", "resolved", { closeResolvedAfter: 3 }, 3, "closed", 1],
])("the settings decide: %s", async (_, status, times, after, expected, told) => {
  const world = await quiet(status, { ...NEVER, ...times });
  expect(await world.run(WEDNESDAY + days(after))).toBe(expected);
  expect(await world.told()).toHaveLength(told);
});
