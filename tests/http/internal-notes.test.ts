import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { ticketPeople } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { minutes } from "~/lib/time";
import { loader as file } from "~/routes/_admin.admin.exports.$file";
import { loader as dashboard } from "~/routes/_portal.client._index";
import { loader as search } from "~/routes/_portal.client.search";
import { loader as list } from "~/routes/_portal.client.tickets._index";
import { loader as ticketPage } from "~/routes/_portal.client.tickets.$ticket";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { args, get } from "../support/requests";
import { makeTicket } from "../support/tickets";

/*
 * What staff write among themselves reaches no client, by none of the seven ways out of the product. Each test first
 * sees by the same way what the client may read, so that it does not pass where nothing comes out at all.
 */

const NOTE = "zebracrossing landlord owes rent";
const REPLY = "giraffeneck cable replaced";

let team: ClientTeam;
let client: Person;
let ticket: { id: string; number: number };

beforeEach(async () => {
  team = await clientTeam();
  const { ctx, organization, lead } = team;
  client = team.member;
  ticket = await makeTicket(ctx, { organizationId: organization.id, createdBy: client, title: "Printer offline" });
  await ctx.db
    .insert(ticketPeople)
    .values({ organization_id: organization.id, ticket_id: ticket.id, user_id: lead.id, added_at: ctx.now() });
  const technician = await makePerson(ctx, { role: "moderator", fullName: "Jordan Vale" });
  const actor = { ...signedInAs(technician, ctx.now()), role: "moderator" as const, membership: null };
  const asTechnician = as(ctx, technician);
  await addInternalNote(asTechnician, actor, { ticketId: ticket.id, text: NOTE, nonce: crypto.randomUUID() });
  await replyAsStaff(asTechnician, actor, {
    ...{ ticketId: ticket.id, text: REPLY, effect: "send", baseMessage: 0, sendAnyway: true },
    nonce: crypto.randomUUID(),
  });
  await addInternalNote(asTechnician, actor, {
    ticketId: ticket.id,
    text: `${NOTE} again`,
    nonce: crypto.randomUUID(),
  });
});

const read = async (response: Response | Promise<Response>): Promise<string> => (await response).text();
const request = async (path: string, params: Record<string, string> = {}) =>
  args(await team.requestOf(client), get(path), params);
const reference = () => `T-${ticket.number}`;

test("a client's page of the ticket", async () => {
  const path = `/client/tickets/${reference()}`;
  const text = await read(ticketPage(await request(path, { ticket: reference() })));
  expect(text).toContain(REPLY);
  expect(text).not.toContain("zebracrossing");
});

test("data requests of the pages around it", async () => {
  const listed = await list(await request("/client/tickets?_data=routes"));
  const lists = JSON.stringify(await listed.json());
  const home = await read(dashboard(await request("/client?_data=routes")) as Promise<Response>);
  expect(lists).toContain("Printer offline");
  for (const text of [lists, home]) expect(text).not.toMatch(/zebracrossing|landlord/);
});

test("mail", async () => {
  const { ctx } = team;
  ctx.clock.advance(minutes(3));
  ctx.sent.length = 0;
  await deliverOutbox(ctx);
  const sent = ctx.sent.filter(({ subject }) => subject.includes(`[${reference()}]`));
  expect(sent.map(({ to }) => to).sort()).toEqual([client.email, team.lead.email].sort());
  for (const { text, html, subject } of sent) {
    expect(text).toContain(REPLY);
    expect([text, html, subject].join()).not.toContain("zebracrossing");
  }
});

test("search", async () => {
  const found = async (words: string) => {
    const response = await list(await request(`/client/tickets?q=${encodeURIComponent(words)}`));
    return (await response.json()).list?.page.rows.length;
  };
  expect([await found("printer"), await found("zebracrossing"), await found("landlord owes")]).toEqual([1, 0, 0]);
  const everywhere = async (words: string) =>
    JSON.stringify((await (await search(await request(`/client/search?q=${words}`))).json()).groups);
  expect(await everywhere("giraffeneck")).toContain("in a reply of");
  for (const words of ["zebracrossing", "landlord", "owes"])
    expect(await everywhere(words)).not.toMatch(/"isMatch":true/);
});

test("export", async () => {
  const admin = await makePerson(team.ctx, { role: "admin" });
  const path = "/admin/exports/tickets.csv";
  const asked = args(as(team.ctx, admin), get(path), { file: "tickets.csv" });
  const text = await read(file(asked) as Promise<Response>);
  expect(text).toContain("Printer offline");
  expect(text).not.toContain("zebracrossing");
});

test("live frame", async () => {
  const frames = await team.ctx.db
    .select({ audience: liveEvents.audience, label: liveEvents.label })
    .from(liveEvents)
    .where(sql`subject_id = ${ticket.id}`)
    .orderBy(liveEvents.seq);
  // One frame for the reply, none for the notes, and nothing in it but the number: not everybody may read the ticket.
  expect(frames.filter(({ audience }) => audience !== "staff")).toEqual([
    { audience: `org:${team.organization.id}`, label: reference() },
  ]);
  expect(frames.map(({ label }) => label).join()).not.toContain("zebracrossing");
});

test("notification", async () => {
  const told = await team.ctx.db
    .select({ who: notifications.user_id, event: notifications.event, label: notifications.label })
    .from(notifications)
    .where(sql`subject_id = ${ticket.id} AND organization_id IS NOT NULL`);
  expect(told.map(({ who, event }) => `${who} ${event}`).sort()).toEqual(
    [`${client.id} staff_replied`, `${team.lead.id} staff_replied`].sort(),
  );
  expect(told.map(({ label }) => label).join()).not.toContain("zebracrossing");
});
