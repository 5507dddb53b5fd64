import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketMessages, tickets } from "~/db/schema/tickets";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { days, hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { RATE_LIMITS } from "~/platform/rate-limits.server";
import { action as ticketAction } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicketAction } from "~/routes/_portal.client.tickets.new";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { bindings, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { args } from "../support/requests";
import { makeTicket } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

function reply(ctx: TestContext, text: string, files: File[] = []) {
  const body = new FormData();
  body.append("form_token", issueFormToken(ctx, REPLY_PURPOSE));
  body.append("organization_id", team.organization.id);
  body.append("intent", "reply");
  body.append("body", text);
  for (const file of files) body.append("files", file);
  const ref = `T-${ticket.number}`;
  const request = new Request(`http://localhost:8787/client/tickets/${ref}`, { method: "POST", body });
  return ticketAction(args(ctx, request, { ticket: ref }));
}

const messages = () =>
  team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id)).orderBy(sql`rowid`);

test("a reply to a ticket that changes all the time is sent back with its text, to be sent again soon", async () => {
  const ctx = await team.requestOf(team.member);
  const batch: typeof ctx.db.batch = async (statements) => {
    await team.ctx.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticket.id}`);
    return ctx.db.batch(statements);
  };
  const files = (await bindings.FILES.list()).objects.length;
  const response = await reply({ ...ctx, db: { ...ctx.db, batch } }, "Still broken.", [new File([pdf()], "a.pdf")]);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
  expect(await response.json()).toMatchObject({
    errors: { form: expect.stringContaining("Please send it again.") },
    values: { body: "Still broken." },
  });
  await ctx.settle();
  expect([await messages(), (await bindings.FILES.list()).objects.length]).toEqual([[], files]);
});

function open(ctx: TestContext, title: string) {
  const body = new FormData();
  const fields = { organization_id: team.organization.id, title, description: "No dial tone.", priority: "medium" };
  body.append("form_token", issueFormToken(ctx, NEW_TICKET_PURPOSE));
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return newTicketAction(args(ctx, new Request("http://localhost:8787/client/tickets/new", { method: "POST", body })));
}

const opened = () => team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.organization.id));

const review = (at: number | null) =>
  team.ctx.db.update(organizations).set({ needs_review_at: at }).where(eq(organizations.id, team.organization.id));

test("of a hundred tickets that a person opens at once thirty are, and their colleague is not in the way", async () => {
  const [ctx, colleague] = [await team.requestOf(team.member), await team.requestOf(team.owner)];
  const before = (await opened()).length;
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => open(ctx, `Fax ${index} is dead`)));
  const refused = answers.filter(({ status }) => status === 429);
  expect([answers.length - refused.length, (await opened()).length - before]).toEqual([30, 30]);
  expect(answers.every(({ status }) => status === 303 || status === 429)).toBe(true);
  expect(refused[0]?.headers.get("Retry-After")).toBe("3600");
  expect(await refused[0]?.json()).toMatchObject({
    errors: {
      form: "You have opened many tickets in a short time. Try again in 60 minutes, or call us if it can't wait that long.",
    },
    values: { description: "No dial tone." },
  });
  expect((await open(colleague, "Printer")).headers.get("Location")).toMatch(/T-\d+$/);
  team.ctx.clock.advance(hours(1));
  expect((await open(await team.requestOf(team.member), "Later")).headers.get("Location")).toMatch(/T-\d+$/);
});

test("the clients of an organization that nobody has reviewed open ten tickets a day together", async () => {
  await review(team.ctx.now());
  for (let count = 0; count < 10; count += 1)
    await open(await team.requestOf(count % 2 ? team.member : team.owner), `Fax ${count}`);
  const refused = await open(await team.requestOf(team.owner), "One more");
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    {
      errors: {
        form: "Your organization is new here: it can open 10 tickets a day until we have reviewed it. Try again in 9 hours, or call us if it can't wait that long.",
      },
      values: { title: "One more" },
    },
  ]);
  await review(null);
  expect((await open(await team.requestOf(team.owner), "One more")).headers.get("Location")).toMatch(/T-\d+$/);
});

test.each([
  ["ticket_org", null, "Your organization has opened many tickets in a short time."],
  ["change_org", null, "Your organization has changed tickets very often in a short time."],
  [
    "change_new_org",
    1,
    "Your organization is new here: it can write or change something on tickets 40 times a day until",
  ],
] as const)("what all people of an organization do together is limited too: %s", async (type, needsReviewAt, words) => {
  await review(needsReviewAt);
  const { limit: attempts, resetAfter } = RATE_LIMITS[type];
  const now = team.ctx.now();
  const identifier = `${team.organization.id}:${Math.floor(now / resetAfter)}`;
  const counted = { attempt_type: type, identifier, attempts: attempts - 1, last_attempt_at: now };
  await team.ctx.db.insert(rateLimitAttempts).values({ ...counted, blocked_until: null });
  const act = async (person: ClientTeam["owner"]) => {
    const ctx = await team.requestOf(person);
    return type === "ticket_org" ? open(ctx, "Fax") : reply(ctx, "Still broken.");
  };
  expect((await act(team.member)).status).toBe(303);
  const refused = await act(team.owner);
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { errors: { form: expect.stringContaining(words) } },
  ]);
});

test("a person who replies sixty times in an hour waits, with the text in the form", async () => {
  const ctx = await team.requestOf(team.member);
  for (let count = 0; count < 60; count += 1) expect((await reply(ctx, `Reply ${count}`)).status).toBe(303);
  const refused = await reply(ctx, "One more");
  expect([refused.status, await refused.json(), (await messages()).length]).toMatchObject([
    429,
    {
      errors: { form: expect.stringMatching(/^You have changed tickets very often .* Try again in 60 minutes/) },
      values: { body: "One more" },
    },
    60,
  ]);
});

test("the tickets that replies to ended ones become are counted as new ones", async () => {
  const ctx = await team.requestOf(team.member);
  await team.ctx.db
    .update(tickets)
    .set({ status: "closed", closed_at: team.ctx.now() - days(30), resolved_at: team.ctx.now() - days(30) })
    .where(eq(tickets.id, ticket.id));
  const answers: Response[] = [];
  for (let count = 0; count < 31; count += 1) answers.push(await reply(ctx, `Again ${count}`));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 30 }, () => 303), 429]);
});
