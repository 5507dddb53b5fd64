import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ticketEvents, tickets } from "~/db/schema/tickets";
import { loader as list } from "~/routes/_portal.client.tickets._index";
import { loader as page } from "~/routes/_portal.client.tickets.$ticket";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { makePerson, type Person } from "../support/factories";
import { args, get } from "../support/requests";
import { makeTicket, partsOf } from "../support/tickets";

/*
 * Tickets that staff open for a client are the client's, and still not opened by them.
 */

let team: ClientTeam;
let ticket: { id: string; number: number };
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

async function openedByStaff() {
  const staff = await makePerson(team.ctx, { role: "moderator", fullName: "Jordan Vale" });
  await team.ctx.db.update(tickets).set({ opened_by: staff.id }).where(eq(tickets.id, ticket.id));
}

async function opened(person: Person) {
  const ref = `T-${ticket.number}`;
  return (await page(args(await team.requestOf(person), get(`/client/tickets/${ref}`), { ticket: ref }))).json();
}

async function listed(person: Person) {
  const { list: shown } = await (await list(args(await team.requestOf(person), get("/client/tickets")))).json();
  return shown?.page.rows.map((row) => row.opened);
}

test("what staff wrote when they opened a ticket is shown as theirs, and the ticket as the client's", async () => {
  await openedByStaff();
  const { thread, people } = await opened(team.owner);
  const [first] = partsOf({ thread }).messages;
  expect([first?.author, people[0]]).toEqual([
    "Jordan",
    { name: "You", fullName: "Dana Whitlock", note: "we opened it for you", userId: null },
  ]);
  expect((await opened(team.member)).people[0]).toMatchObject({ name: "Dana Whitlock", note: "we opened it for them" });
});

test("what staff wrote when they opened a ticket is not shown as the client's after they were erased", async () => {
  await team.ctx.db.insert(ticketEvents).values({
    id: "evt_opened",
    organization_id: team.organization.id,
    ticket_id: ticket.id,
    kind: "opened",
    actor_name: "Former member",
    actor_side: "staff",
    at: team.ctx.now(),
  });
  const { thread } = await opened(team.owner);
  expect(thread[0]).toMatchObject({ author: "Former member", from: "us" });
});

test("the list says for whom such a ticket was opened, and of others by whom", async () => {
  expect([await listed(team.owner), await listed(team.member)]).toEqual([
    ["opened by you"],
    ["opened by Dana Whitlock"],
  ]);
  await openedByStaff();
  expect([await listed(team.owner), await listed(team.member)]).toEqual([
    ["opened for you"],
    ["opened for Dana Whitlock"],
  ]);
});
