import { and, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { liveEvents } from "~/db/schema/live";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { mailEvents, outbox } from "~/db/schema/outbox";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { changeStatus, moveToOrganization } from "~/features/tickets/commands.server";
import { hours, minutes } from "~/lib/time";
import type { TestContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson } from "../../support/factories";
import {
  announcementWorld,
  asClient,
  asStaff,
  collectedMails,
  notifiedInProduct,
  type TicketWithPeople,
} from "../../support/ticket-announcements";

let ctx: TestContext;
let world: TicketWithPeople;
beforeEach(async () => {
  ({ ctx, world } = await announcementWorld());
});

/** Lets the first attempt of every mail fail, so that it waits with its content. */
async function failOnce() {
  ctx.clock.advance(minutes(2));
  ctx.outcomes.push(...Array.from({ length: 5 }, () => ({ kind: "transient", reason: "http_500" }) as const));
  await deliverOutbox(ctx);
  ctx.outcomes.length = 0;
  expect(ctx.sent).toEqual([]);
  expect((await ctx.db.select().from(outbox)).every(({ params_enc }) => params_enc !== "")).toBe(true);
}

async function recipientsOfSecondAttempt() {
  ctx.clock.advance(hours(2));
  await deliverOutbox(ctx);
  return ctx.sent.map(({ to }) => to).sort();
}

const membershipOf = (userId: string) =>
  and(eq(organizationMemberships.organization_id, world.organization.id), eq(organizationMemberships.user_id, userId));

const losses: [string, () => Promise<unknown>][] = [
  ["was removed", async () => ctx.db.delete(organizationMemberships).where(membershipOf(world.colleague.id))],
  [
    "was suspended",
    async () =>
      ctx.db.update(organizationMemberships).set({ status: "suspended" }).where(membershipOf(world.colleague.id)),
  ],
  [
    "was deactivated",
    async () => ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, world.colleague.id)),
  ],
  [
    "was taken off a private ticket",
    async () => {
      await ctx.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, world.ticket.id));
      await ctx.db.delete(ticketPeople).where(eq(ticketPeople.user_id, world.colleague.id));
    },
  ],
];

test.each(losses)("a mail that failed once does not reach who %s since, and reaches the others", async (_, lose) => {
  await world.add(world.colleague);
  await world.write(asStaff(world.assignee), "The code is 4711");
  await failOnce();
  await lose();
  expect(await recipientsOfSecondAttempt()).toEqual([world.client.email]);
  expect(await ctx.db.select().from(outbox).where(eq(outbox.user_id, world.colleague.id))).toEqual([]);
});

test("a mail to staff that failed once does not reach who works here no longer", async () => {
  await world.write(asClient(world.client), "Still broken");
  await failOnce();
  await ctx.db.run(sql`DELETE FROM user_roles WHERE user_id = ${world.assignee.id}`);
  expect(await recipientsOfSecondAttempt()).toEqual([]);
});

test("a ticket of somebody who works here no longer is everybody's, whether demoted or deactivated", async () => {
  const gone = await makePerson(ctx, { role: "moderator" });
  await ctx.db.update(tickets).set({ assigned_to: gone.id }).where(eq(tickets.id, world.ticket.id));
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, gone.id));
  await world.write(asClient(world.client), "Anybody?");
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.id, gone.id));
  await ctx.db.run(sql`DELETE FROM user_roles WHERE user_id = ${gone.id}`);
  await world.write(asClient(world.client), "Hello?");
  const told = await notifiedInProduct(ctx);
  const both = [world.assignee.id, world.other.id].sort();
  expect(told.map(([, event]) => event)).toEqual(Array.from({ length: 4 }, () => "reply_on_unassigned"));
  expect(told.map(([who]) => who).sort()).toEqual([...both, ...both].sort());
});

test("after a move the former organization keeps no notification, its pages look again, and admins of the new one are told", async () => {
  const to = await makeOrganization(ctx, "Brightsmile");
  const [owner, member] = [await makePerson(ctx), await makePerson(ctx)];
  await makeMember(ctx, to.id, owner, "owner");
  await makeMember(ctx, to.id, member, "member");
  await world.write(asStaff(world.assignee), "Try again");
  await ctx.db.delete(liveEvents);
  const actor = { ...asStaff(world.other) };
  const staff = as(ctx, world.other);
  const moved = await moveToOrganization(staff, actor, {
    ticketId: world.ticket.id,
    organizationId: to.id,
    nonce: crypto.randomUUID(),
  });
  expect(moved.ok).toBe(true);
  expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([[owner.id, "moved_here"]]);
  const audiences = (await ctx.db.select().from(liveEvents)).map(({ audience }) => audience).sort();
  expect(audiences).toEqual([`org:${world.organization.id}`, `org:${to.id}`, "staff"].sort());
  expect(staff.notified).toEqual(expect.arrayContaining([`org:${world.organization.id}`, `org:${to.id}`]));
  // Nobody of its clients is left, so whoever runs the organization hears of what follows, too.
  const resolved = { statusBefore: "open", resolution: "Replaced the cable" } as const;
  await world.announce(asStaff(world.assignee), resolved, "resolved");
  expect((await notifiedInProduct(ctx)).map(([who, event]) => [who, event])).toEqual([
    [owner.id, "moved_here"],
    [owner.id, "status_changed"],
  ]);
});

test("where members see only their own tickets, open pages do not learn which one has changed", async () => {
  const change = async () => {
    await ctx.db.delete(liveEvents);
    const next = { ticketId: world.ticket.id, nonce: crypto.randomUUID() };
    const { status } = (await ctx.db.select().from(tickets).where(eq(tickets.id, world.ticket.id)))[0] ?? {};
    await changeStatus(as(ctx, world.other), asStaff(world.other), {
      ...next,
      status: status === "open" ? "in_progress" : "open",
    });
    const events = await ctx.db.select().from(liveEvents).where(sql`audience <> 'staff'`);
    return events.map(({ subject_id, label }) => [subject_id, label]);
  };
  expect(await change()).toEqual([[world.ticket.id, `T-${world.ticket.number}`]]);
  await ctx.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, world.organization.id));
  expect(await change()).toEqual([["", ""]]);
});

test("who works here no longer, but belongs to the organization, is not told by mail what only staff hear of", async () => {
  const { organization, assignee, client, ticket, announce, write } = world;
  await makeMember(ctx, organization.id, assignee, "owner");
  await announce(asClient(client), { statusBefore: "resolved" }, "open");
  const note = await write(asStaff(world.other), "Bill them", true);
  await announce(asStaff(world.other), { message: { id: note, text: "", isInternal: true, mentions: [assignee.id] } });
  expect(await ctx.db.select().from(mailEvents).where(eq(mailEvents.event, "mentioned"))).toHaveLength(1);
  await ctx.db.delete(userRoles).where(eq(userRoles.user_id, assignee.id));
  expect((await collectedMails(ctx)).filter(({ to }) => to === assignee.email)).toEqual([]);
  expect(await ctx.db.select().from(outbox).where(eq(outbox.subject_id, ticket.id))).not.toContainEqual(
    expect.objectContaining({ user_id: assignee.id }),
  );
});
