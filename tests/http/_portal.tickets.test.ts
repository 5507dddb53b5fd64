import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { clientTicketList } from "~/features/tickets/client-list/definition";
import { CARDS_PURPOSE } from "~/features/tickets/client-list/list.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as dashboard } from "~/routes/_portal.client._index";
import { action, loader } from "~/routes/_portal.client.tickets._index";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { type Person, together } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { makeTicket, ticketRow } from "../support/tickets";

let team: ClientTeam;
beforeEach(async () => {
  team = await clientTeam();
});

type TicketOptions = Partial<Parameters<typeof makeTicket>[1]>;

const ticketOf = (createdBy: Person, options: TicketOptions = {}) =>
  makeTicket(team.ctx, { organizationId: team.organization.id, createdBy, ...options });

const manyTickets = (count: number, options: TicketOptions = {}) =>
  together(team.ctx, async (ctx) => {
    const all = { organizationId: team.organization.id, createdBy: team.owner, ...options };
    for (let number = 0; number < count; number += 1) await makeTicket(ctx, all);
  });

async function opened(person: Person, query = "") {
  const response = await loader(args(await team.requestOf(person), get(`/client/tickets?${query}`)));
  const { list } = await response.json();
  return {
    titles: list?.page.rows.map(({ title }) => title),
    counts: list?.counts,
    total: list?.total,
    rows: list?.page.rows ?? [],
  };
}

async function press(person: Person, move: string, organizationId = team.organization.id) {
  const ctx = await team.requestOf(person);
  const fields = {
    intent: "move",
    form_token: issueFormToken(ctx, CARDS_PURPOSE),
    organization_id: organizationId,
    move,
  };
  return action(args(ctx, post("/client/tickets", { ...fields, return_to: "/client/tickets?tab=open" })));
}

const statusOf = async (id: string) => (await ticketRow(team.ctx, id)).status;

const NO_TICKETS = { open: 0, in_progress: 0, waiting_for_customer: 0, resolved: 0, closed: 0, all: 0, solved: 0 };

test("a member sees what is shared and their own, with counts of just these; an admin sees all, a stranger nothing", async () => {
  await ticketOf(team.owner, { title: "Shared printer" });
  await ticketOf(team.owner, { title: "Salary folder", isPrivate: true, status: "closed" });
  await ticketOf(team.member, { title: "My screen", isPrivate: true, status: "resolved" });
  expect(await opened(team.member)).toMatchObject({
    titles: ["My screen", "Shared printer"],
    counts: { ...NO_TICKETS, open: 1, resolved: 1, all: 2, solved: 1 },
  });
  expect(await opened(team.lead)).toMatchObject({
    titles: ["My screen", "Salary folder", "Shared printer"],
    counts: { ...NO_TICKETS, open: 1, resolved: 1, closed: 1, all: 3, solved: 1 },
  });
  expect(await opened(team.stranger)).toMatchObject({ titles: [], counts: NO_TICKETS });
});

test("the list says as many as its tabs do, on every page and for every status", async () => {
  // More than a list counts by itself.
  await manyTickets(151);
  await ticketOf(team.owner, { title: "Old screen", status: "closed" });
  const totals = async (query: string) => (await opened(team.owner, query)).total;
  expect(await totals("")).toEqual({ count: 152, more: false });
  expect(await totals("tab=open")).toEqual({ count: 151, more: false });
  expect(await totals("tab=waiting_for_customer")).toEqual({ count: 0, more: false });
});

test("a tab is a parameter of the address, and the status that addresses named before opens it too", async () => {
  await ticketOf(team.owner, { title: "Dead screen" });
  await ticketOf(team.owner, { title: "Old screen", status: "closed" });
  for (const query of ["tab=closed", "status=closed", "tab=closed&status=open"])
    expect((await opened(team.owner, query)).titles).toEqual(["Old screen"]);
  for (const query of ["tab=nonsense", "tab=nonsense&status=closed"])
    expect((await opened(team.owner, query)).titles).toEqual(["Old screen", "Dead screen"]);
  expect(clientTicketList.exportPath(new URLSearchParams("status=closed"))).toBe(
    "/client/exports/tickets.csv?tab=closed",
  );
});

test("one or two letters find what a client sees, among their organization's newest, and nothing of another one", async () => {
  await ticketOf(team.owner, { title: "Qx printer" });
  await ticketOf(team.owner, { title: "Qx salary folder", isPrivate: true });
  await ticketOf(team.member, { title: "My qx screen", isPrivate: true, status: "resolved" });
  await makeTicket(team.ctx, { organizationId: team.other.id, createdBy: team.stranger, title: "Qx abroad" });
  expect(await opened(team.member, "q=qx")).toMatchObject({
    titles: ["My qx screen", "Qx printer"],
    total: { count: 2, more: false },
  });
  expect((await opened(team.member, "q=QX&tab=open")).titles).toEqual(["Qx printer"]);
  expect((await opened(team.lead, "q=q&sort=oldest")).titles).toEqual([
    "Qx printer",
    "Qx salary folder",
    "My qx screen",
  ]);
  expect((await opened(team.stranger, "q=qx")).titles).toEqual(["Qx abroad"]);
});

test("closed tickets count as solved only where they had been resolved, for admins, members and after a reopening", async () => {
  const later = { status: "closed", resolved_at: 1, closed_at: 2 } as const;
  const { id: shared } = await ticketOf(team.owner, { title: "Solved, then closed" });
  const { id: hidden } = await ticketOf(team.owner, { title: "Private, solved, then closed", isPrivate: true });
  await ticketOf(team.owner, { title: "Given up", status: "closed" });
  await team.ctx.db
    .update(tickets)
    .set(later)
    .where(inArray(tickets.id, [shared, hidden]));
  expect((await opened(team.owner)).counts).toMatchObject({ closed: 3, solved: 2 });
  expect((await opened(team.member)).counts).toMatchObject({ closed: 2, solved: 1 });
  await team.ctx.db.update(organizations).set({ visibility: "own" });
  expect((await opened(team.member)).counts).toMatchObject({ closed: 0, solved: 0 });
  const reopened = { status: "open", resolved_at: null, closed_at: null } as const;
  await team.ctx.db.update(tickets).set(reopened).where(eq(tickets.id, shared));
  expect((await opened(team.owner)).counts).toMatchObject({ open: 1, closed: 2, solved: 1 });
  await team.ctx.db.delete(tickets);
  expect((await opened(team.owner)).counts).toEqual(NO_TICKETS);
});

test("where colleagues are kept apart, a member sees their own and those they were added to, whatever the filter", async () => {
  const shared = await ticketOf(team.owner, { title: "Shared printer" });
  await ticketOf(team.lead, { title: "Shared scanner" });
  await ticketOf(team.member, { title: "My printer", priority: "high" });
  await team.ctx.db.update(organizations).set({ visibility: "own" });
  expect(await opened(team.member)).toMatchObject({
    titles: ["My printer"],
    counts: { ...NO_TICKETS, open: 1, all: 1 },
  });
  expect((await opened(team.member, "tab=open")).titles).toEqual(["My printer"]);
  expect((await opened(team.member, "q=scanner")).titles).toEqual([]);
  const added = { organization_id: team.organization.id, ticket_id: shared.id, user_id: team.member.id };
  await team.ctx.db.insert(ticketPeople).values({ ...added, added_at: team.ctx.now() });
  expect((await opened(team.member, "q=printer")).titles).toEqual(["My printer", "Shared printer"]);
  expect((await opened(team.member, "q=printer&priority=high")).titles).toEqual(["My printer"]);
});

test("of more than ninety tickets that are counted one by one there are no counts, and the page stays within its rows", async () => {
  await ticketOf(team.owner, { title: "Shared printer" });
  await manyTickets(90, { isPrivate: true });
  expect(await opened(team.member)).toMatchObject({ titles: ["Shared printer"], counts: { open: 1, all: 1 } });
  await manyTickets(60, { isPrivate: true });
  const before = team.ctx.cost.rowsRead;
  expect(await opened(team.member, "tab=open")).toMatchObject({ titles: ["Shared printer"], counts: null });
  expect(team.ctx.cost.rowsRead - before).toBeLessThan(400);
});

test("a search finds title, description and number, and no private ticket of a colleague", async () => {
  const { number } = await ticketOf(team.owner, { title: "Fax is dead", description: "No dial tone" });
  await ticketOf(team.owner, { title: "Fax of the board", isPrivate: true });
  for (const q of ["fax", "DIAL", `T-${number}`])
    expect((await opened(team.member, `q=${q}`)).titles).toEqual(["Fax is dead"]);
});

test("a card offers what its reader may do now, and says who has it in one name", async () => {
  await ticketOf(team.owner, { title: "Open" });
  await ticketOf(team.member, { title: "Mine, resolved", status: "resolved" });
  await ticketOf(team.member, { title: "Mine, long closed", status: "closed", at: team.ctx.now() - days(15) });
  const moves = async (person: Person) =>
    Object.fromEntries((await opened(person)).rows.map((row) => [row.title, row.moves.join(" ")]));
  expect(await moves(team.member)).toEqual({ Open: "", "Mine, resolved": "close reopen", "Mine, long closed": "" });
  expect(await moves(team.lead)).toEqual({
    Open: "solved close",
    "Mine, resolved": "close reopen",
    "Mine, long closed": "",
  });
});

test("a button of a card moves the ticket and leads back to the list as it was", async () => {
  const { id } = await ticketOf(team.member);
  const response = await press(team.member, `solved.${id}`);
  expect(response.headers.get("Location")).toBe("/client/tickets?tab=open");
  expect([await statusOf(id), flash(team.ctx)]).toEqual(["resolved", "Success: Ticket status updated successfully"]);
});

test("one page moves two tickets under one token", async () => {
  const [one, two] = [await ticketOf(team.member), await ticketOf(team.member)];
  const ctx = await team.requestOf(team.member);
  const token = issueFormToken(ctx, CARDS_PURPOSE);
  for (const { id } of [one, two]) {
    const fields = { intent: "move", form_token: token, organization_id: team.organization.id, move: `close.${id}` };
    await action(args(ctx, post("/client/tickets", fields)));
  }
  expect([await statusOf(one.id), await statusOf(two.id)]).toEqual(["closed", "closed"]);
});

test("what no button offers is rejected, and a ticket that cannot be seen is missing", async () => {
  const shared = await ticketOf(team.owner);
  const kept = await ticketOf(team.owner, { isPrivate: true });
  for (const move of [`solved.${shared.id}`, `in_progress.${shared.id}`, "solved", ""]) {
    expect((await press(team.member, move)).status).toBe(400);
  }
  for (const id of [kept.id, "tkt_missing"]) {
    expect(await thrownBy(press(team.member, `solved.${id}`))).toMatchObject({ status: 404, body: null });
  }
  expect(await thrownBy(press(team.stranger, `solved.${shared.id}`, team.other.id))).toMatchObject({
    status: 404,
    body: null,
  });
  expect([await statusOf(shared.id), await statusOf(kept.id)]).toEqual(["open", "open"]);
});

test("the dashboard shows the five newest tickets that the person may see, and counts these only", async () => {
  for (const title of ["one", "two", "three", "four"]) await ticketOf(team.owner, { title, status: "resolved" });
  await ticketOf(team.owner, { title: "five", status: "waiting_for_customer" });
  await ticketOf(team.owner, { title: "secret", isPrivate: true, status: "closed" });
  await ticketOf(team.owner, { title: "six" });
  const shown = async (person: Person) => {
    const data = await (await dashboard(args(await team.requestOf(person), get("/client")))).json();
    if (data.nextSteps) throw new Error("They work in an organization");
    const { tickets: recent, counts } = data.recent;
    return [recent.map(({ title }) => title), counts?.all, counts?.closed, counts?.waiting_for_customer];
  };
  expect(await shown(team.owner)).toEqual([["six", "secret", "five", "four", "three"], 7, 1, 1]);
  expect(await shown(team.member)).toEqual([["six", "five", "four", "three", "two"], 6, 0, 1]);
});
