import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { mutedSubjects } from "~/db/schema/notifications";
import { organizationMemberships } from "~/db/schema/organizations";
import { CHANGE_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_portal.client.tickets.$ticket";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { makeMember, makePerson, type Person } from "../support/factories";
import { makeManyMembers } from "../support/many-members";
import { args, get, post, thrownBy } from "../support/requests";
import { makeTicket } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };

beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

async function opened(person: Person, { number } = ticket) {
  const params = { ticket: `T-${number}` };
  return (await loader(args(await team.requestOf(person), get(`/client/tickets/T-${number}`), params))).json();
}

async function press(person: Person, fields: Record<string, string>) {
  const ctx = await team.requestOf(person);
  const ref = `T-${ticket.number}`;
  const organization_id = ctx.signedIn?.membership?.organizationId ?? "";
  const form_token = issueFormToken(ctx, CHANGE_PURPOSE);
  return action(args(ctx, post(`/client/tickets/${ref}`, { form_token, organization_id, ...fields }), { ticket: ref }));
}

test("who opened a private ticket and has left the organization is not named as a reader", async () => {
  const left = await makeTicket(team.ctx, {
    organizationId: team.organization.id,
    createdBy: team.member,
    isPrivate: true,
  });
  expect((await opened(team.owner, left)).readers).toContain("Priya Nair");
  await team.ctx.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, team.member.id));
  expect((await opened(team.owner, left)).readers).toMatch(/^Admins of Brightsmile Dental and .+ support can read/);
});

test("a client who mutes a ticket hears nothing of it, others do; a foreign ticket cannot be muted", async () => {
  await press(team.owner, { intent: "add", user_id: team.member.id });
  await press(team.member, { intent: "mute", muted: "yes" });
  expect((await opened(team.member)).isMuted).toBe(true);
  await press(team.owner, { intent: "move", move: "close" });
  await team.ctx.db.run(sql`DELETE FROM notifications`);
  await press(team.owner, { intent: "move", move: "reopen" });
  const told = () =>
    team.ctx.db.all<{ who: string }>(sql`SELECT DISTINCT user_id AS who FROM notifications
    WHERE organization_id IS NOT NULL`);
  expect(await told()).toEqual([]);
  await press(team.member, { intent: "mute", muted: "no" });
  await press(team.owner, { intent: "move", move: "close" });
  expect(await told()).toEqual([{ who: team.member.id }]);
  expect((await thrownBy(press(team.stranger, { intent: "mute", muted: "yes" }))).status).toBe(404);
  expect(await team.ctx.db.$count(mutedSubjects)).toBe(0);
});

test("what a colleague of the same name did is not told as the reader's own", async () => {
  const { fullName } = team.owner;
  const namesake = await makePerson(team.ctx, { fullName });
  await makeMember(team.ctx, team.organization.id, namesake, "admin");
  await press(team.owner, { intent: "move", move: "solved" });
  const lineOf = async (person: Person) => (await opened(person)).timeline.at(-1)?.text;
  expect([await lineOf(team.owner), await lineOf(namesake)]).toEqual([
    "You: Open → Resolved",
    `${fullName}: Open → Resolved`,
  ]);
});

test("of more colleagues than a page offers, each is added by their address, and nobody from another organization is", async () => {
  const { ctx, organization, owner, member, stranger } = team;
  expect((await opened(owner)).hasMoreColleagues).toBe(false);
  await makeManyMembers(ctx, organization.id, 98);
  const last = await makePerson(ctx, { fullName: "Zoe Adams", email: "zoe@brightsmile.example" });
  await makeMember(ctx, organization.id, last, "member");
  const page = await opened(owner);
  expect([page.colleagues.length, page.hasMoreColleagues]).toEqual([100, true]);
  expect(page.colleagues.map(({ id }) => id)).not.toContain(last.id);
  for (const email of [stranger.email, "nobody@example.com"]) {
    const response = await press(owner, { intent: "add", user_id: "", email });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: { email: "No active member of this organization has this address." }, values: { email } },
    ]);
  }
  const foreign = await press(member, { intent: "add", user_id: "", email: last.email });
  expect(await foreign.json()).toMatchObject({ errors: { form: "Choose a colleague." } });
  expect((await press(owner, { intent: "add", user_id: "", email: "Zoe@Brightsmile.example" })).status).toBe(303);
  expect((await opened(owner)).people.map(({ name }) => name)).toEqual(["You", "Zoe Adams"]);
});
