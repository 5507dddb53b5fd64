import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships } from "~/db/schema/organizations";
import { ticketMessages, tickets, ticketVotes } from "~/db/schema/tickets";
import type { SolvedPage } from "~/features/tickets/solved/page.server";
import { solvedToken } from "~/features/tickets/solved/questions.server";
import { days } from "~/lib/time";
import { action, loader } from "~/routes/_auth.solved";
import { ticketWithPeople } from "../support/ticket-announcements";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: Visitor["ctx"];
let browser: Visitor["browser"];
let world: Awaited<ReturnType<typeof ticketWithPeople>>;
let link: string;

beforeEach(async () => {
  ({ ctx, browser } = newVisitor());
  world = await ticketWithPeople(ctx, { status: "resolved" });
  link = solvedToken(ctx.config, { ticketId: world.ticket.id, userId: world.client.id, askedAt: ctx.now() });
});

const at = (token = link) => `/solved?answer=yes&token=${token}`;
const open = async (token = link) => {
  const response = await browser.visit(loader, at(token));
  return { status: response.status, page: (await response.json()) as SolvedPage };
};
const answer = (intent: "yes" | "no", fields: Record<string, string> = {}) =>
  browser.submit(action, at(), "solved", { intent, link, ...fields });
const votes = () => ctx.db.select({ solved: ticketVotes.is_solved, comment: ticketVotes.comment }).from(ticketVotes);
const statusOf = async () =>
  (await ctx.db.select({ status: tickets.status }).from(tickets).where(eq(tickets.id, world.ticket.id)))[0]?.status;
const messages = () =>
  ctx.db
    .select({ text: ticketMessages.message, by: ticketMessages.user_id, side: ticketMessages.side })
    .from(ticketMessages)
    .where(eq(ticketMessages.ticket_id, world.ticket.id));

test("opening the link, however often and by whatever program, answers nothing", async () => {
  const before = await votes();
  for (let scan = 0; scan < 3; scan += 1) expect((await open()).status).toBe(200);
  expect(await votes()).toEqual(before);
  expect(await statusOf()).toBe("resolved");
});

test("a link that was changed, or is for another ticket or person, shows nothing and answers nothing", async () => {
  const other = await ticketWithPeople(ctx, { status: "resolved" });
  const [, userId = "", askedAt = "", mac = ""] = link.split(".");
  for (const forged of [
    "",
    "a.b.c.d",
    `${link}x`,
    [other.ticket.id, userId, askedAt, mac].join("."),
    link.replace(".", ".."),
  ]) {
    expect(await open(forged), forged).toMatchObject({ status: 404, page: { question: null } });
    const response = await browser.submit(action, at(), "solved", { intent: "no", link: forged, body: "Broken" });
    expect(response.status, forged).toBe(404);
  }
  expect(await statusOf()).toBe("resolved");
});

test("who has left the organization, or was asked two weeks ago, cannot answer", async () => {
  ctx.clock.advance(days(14) + 1);
  expect((await open()).status).toBe(404);
  ctx.clock.advance(-days(14));
  await ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, world.client.id));
  expect((await open()).status).toBe(404);
  expect((await answer("no", { body: "Broken" })).status).toBe(404);
  expect(await messages()).toEqual([]);
});

test("still broken without a word is not sent, and long words are kept", async () => {
  const empty = await answer("no", { body: "  \n " });
  expect([empty.status, await empty.json()]).toMatchObject([400, { errors: { body: "Say what is still broken" } }]);
  const long = await answer("no", { body: "x".repeat(20_001) });
  expect([long.status, ((await long.json()) as { values: { body: string } }).values.body.length]).toEqual([
    400, 20_001,
  ]);
  expect(await statusOf()).toBe("resolved");
});

test("still broken reopens the ticket with the text, as the person's own message, and the audit names them", async () => {
  const sent = await answer("no", { body: "It blinks again" });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, `/solved?answer=no&done=1&token=${link}`]);
  expect(await statusOf()).toBe("open");
  expect(await messages()).toEqual([{ text: "It blinks again", by: world.client.id, side: "client" }]);
  expect((await open()).page.question).toMatchObject({ given: "no" });
  const events = await ctx.db
    .select({ action: auditEvents.action, actor: auditEvents.actor_id })
    .from(auditEvents)
    .where(sql`subject_id = ${world.ticket.id}`)
    .orderBy(auditEvents.id);
  expect(events).toEqual([
    { action: "ticket.replied", actor: world.client.id },
    { action: "ticket.status_changed", actor: world.client.id },
  ]);
});

test("an answer can be changed for seven days and is one answer all the time", async () => {
  await ctx.db.delete(ticketVotes);
  await answer("yes");
  expect(await votes()).toEqual([{ solved: true, comment: "" }]);
  ctx.clock.advance(days(6));
  await answer("no", { body: "Again" });
  expect(await votes()).toEqual([{ solved: false, comment: "Again" }]);
  // Changing it does not give another seven days.
  ctx.clock.advance(days(1) + 1);
  expect((await answer("yes")).status).toBe(404);
  expect(await votes()).toEqual([{ solved: false, comment: "Again" }]);
});

test("solved after all resolves the ticket that one's own no has opened again, and tells staff", async () => {
  await answer("no", { body: "Again" });
  expect(await statusOf()).toBe("open");
  expect((await answer("yes")).status).toBe(303);
  expect(await statusOf()).toBe("resolved");
  expect((await open()).page.question).toMatchObject({ given: "yes" });
  const history = await ctx.db.all<{ kind: string; to: string }>(
    sql`SELECT kind, to_value AS "to" FROM ticket_events WHERE ticket_id = ${world.ticket.id} ORDER BY rowid`,
  );
  expect(history.map(({ kind, to }) => [kind, to])).toEqual([
    ["status", "open"],
    ["vote", "broken"],
    ["status", "resolved"],
    ["vote", "solved"],
  ]);
});

test("solved, of a colleague who only follows an open ticket, is an answer and changes no status", async () => {
  await world.add(world.colleague);
  await ctx.db.update(tickets).set({ status: "open" }).where(eq(tickets.id, world.ticket.id));
  link = solvedToken(ctx.config, { ticketId: world.ticket.id, userId: world.colleague.id, askedAt: ctx.now() });
  expect((await answer("yes")).status).toBe(303);
  expect(await statusOf()).toBe("open");
});

test("the same form sent five times at once is one answer and one message", async () => {
  await ctx.db.delete(ticketVotes);
  const form = (await open()).page.token;
  const request = () =>
    browser.submit(action, at(), "solved", { intent: "no", link, body: "Broken", form_token: form });
  const sent = await Promise.all([request(), request(), request(), request(), request()]);
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  expect(await messages()).toHaveLength(1);
  expect(await votes()).toHaveLength(1);
});

test("other words sent from the same page, gone back to, are a message too", async () => {
  const form_token = (await open()).page.token;
  for (const body of ["It blinks", "It blinks, and it beeps"]) await answer("no", { body, form_token });
  expect((await messages()).map(({ text }) => text).toSorted()).toEqual(["It blinks", "It blinks, and it beeps"]);
});

test("an answer that is given again after the other one, from one page, is the answer; twice the same is one", async () => {
  await ctx.db.delete(ticketVotes);
  const form_token = (await open()).page.token;
  const give = async (intent: "yes" | "no") => {
    const fields: Record<string, string> = intent === "no" ? { form_token, body: "It blinks" } : { form_token };
    const answers = [await answer(intent, fields), await answer(intent, fields)];
    return [answers.map(({ status }) => status), (await votes())[0]?.solved, await statusOf()];
  };
  for (let time = 0; time < 2; time += 1) {
    expect(await give("yes")).toEqual([[303, 303], true, "resolved"]);
    expect(await give("no")).toEqual([[303, 303], false, "open"]);
  }
  expect(await messages()).toHaveLength(2);
});

test("an answer that was changed on another page since is not taken back by the first one, which says so", async () => {
  await ctx.db.delete(ticketVotes);
  const form_token = (await open()).page.token;
  await answer("yes", { form_token });
  await answer("no", { body: "It blinks" });
  const late = await answer("yes", { form_token });
  expect([late.status, await late.json()]).toMatchObject([
    400,
    { title: "Not sent yet", errors: { form: expect.stringContaining("has been changed since") } },
  ]);
  expect([(await votes())[0]?.solved, await statusOf()]).toEqual([false, "open"]);
});
