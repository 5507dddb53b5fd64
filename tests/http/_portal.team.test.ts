import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships } from "~/db/schema/organizations";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exported } from "~/routes/_portal.client.exports.$file";
import { action, loader } from "~/routes/_portal.client.team._index";
import { loader as removalPage, action as remove } from "~/routes/_portal.client.team.$membershipId.remove";
import { action as invite, loader as invitePage } from "~/routes/_portal.client.team.invite";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import type { TestContext } from "../support/context";
import { args, get, post, thrownBy } from "../support/requests";

let team: ClientTeam;
beforeEach(async () => {
  team = await clientTeam();
});

const opened = async (ctx: TestContext, query = "") => {
  const { list } = await (await loader(args(ctx, get(`/client/team?${query}`)))).json();
  return list;
};
const form = (ctx: TestContext, purpose: string, fields: Record<string, string>) => ({
  form_token: issueFormToken(ctx, purpose),
  organization_id: team.organization.id,
  ...fields,
});
/** Presses a button of a row. */
const press = (ctx: TestContext, fields: Record<string, string>) =>
  action(args(ctx, post("/client/team", form(ctx, "team", { return_to: "/client/team", ...fields }))));
const invitation = (ctx: TestContext, fields: Record<string, string>) =>
  invite(args(ctx, post("/client/team/invite", form(ctx, "team-invite", { role: "member", ...fields }))));

const removal = (ctx: TestContext, membershipId: string, fields: Record<string, string> = {}) => {
  const request = post(`/client/team/${membershipId}/remove`, form(ctx, "team-removal", fields));
  return remove(args(ctx, request, { membershipId }));
};

test("an admin sees their own organization, with its counters, and nothing of another one", async () => {
  const ctx = await team.requestOf(team.lead);
  const read = await opened(ctx);
  expect(read?.page.rows.map(({ name }) => name)).toEqual([
    "Dana Whitlock",
    "Sam Ortega",
    "Priya Nair",
    `next-${team.organization.id}@clinic.example`,
  ]);
  expect(read?.counts).toEqual({ all: 4, active: 3, administrators: 2 });
  expect(read?.total).toEqual({ count: 4, more: false });
  for (const other of ["q=adeyemi", "q=is"]) expect((await opened(ctx, other))?.page.rows, other).toEqual([]);
  expect((await opened(ctx, "q=RT"))?.page.rows.map(({ name }) => name)).toEqual(["Sam Ortega"]);
  expect((await opened(ctx, `organization=${team.other.id}`))?.page.rows).toHaveLength(4);
  expect((await opened(ctx, "role=admin"))?.page.rows.map(({ name }) => name)).toEqual(["Sam Ortega"]);
});

test("a role is saved, a member suspended and reactivated, each said in its words", async () => {
  const ctx = await team.requestOf(team.owner);
  await press(ctx, { intent: "role", role: "admin", save: `0.${team.ids.member}` });
  expect(flash(team.ctx)).toBe("Success: Member role updated successfully");
  await press(ctx, { intent: "suspend", id: team.ids.member });
  expect(await team.stateOf(team.ids.member)).toBe("admin, suspended");
  await press(ctx, { intent: "reactivate", id: team.ids.member });
  expect(flash(team.ctx)).toBe("Success: Member reactivated");
});

test.each([
  "suspend",
  "reactivate",
  "resend",
  "revoke",
  "copy-link",
])("for %s a membership of another organization is as missing as one that does not exist", async (intent) => {
  const ctx = await team.requestOf(team.owner);
  for (const id of ["mem_missing", team.ids.foreign, team.ids.foreignInvited]) {
    const answer = await thrownBy(press(ctx, { intent, id }));
    expect([id, answer.status, await answer.text()]).toEqual([id, 404, ""]);
  }
  expect(await team.stateOf(team.ids.foreign)).toBe("member, active");
  expect(await team.stateOf(team.ids.foreignInvited)).toBe("member, pending");
});

test("the role of an invitation of one's own organization is saved, not that of another one's", async () => {
  const ctx = await team.requestOf(team.owner);
  await press(ctx, { intent: "role", role: "admin", save: `0.${team.ids.invited}` });
  expect(await team.stateOf(team.ids.invited)).toBe("admin, pending");
  await thrownBy(press(ctx, { intent: "role", role: "admin", save: `0.${team.ids.foreignInvited}` }));
  expect(await team.stateOf(team.ids.foreignInvited)).toBe("member, pending");
});

test("a foreign role and a foreign removal are missing too, and so is the owner's removal", async () => {
  const ctx = await team.requestOf(team.lead);
  const role = press(ctx, { intent: "role", role: "admin", save: `0.${team.ids.foreign}` });
  expect((await thrownBy(role)).status).toBe(404);
  for (const membershipId of ["mem_missing", team.ids.foreign, team.ids.owner, team.ids.lead]) {
    const path = `/client/team/${membershipId}/remove`;
    expect((await thrownBy(removalPage(args(ctx, get(path), { membershipId })))).status).toBe(404);
  }
  expect((await thrownBy(removal(ctx, team.ids.foreign))).status).toBe(404);
});

test("a colleague is removed after a question, and the form of another organization changes nothing", async () => {
  const ctx = await team.requestOf(team.lead);
  const params = { membershipId: team.ids.member };
  const path = `/client/team/${team.ids.member}/remove`;
  const { question } = await (await removalPage(args(ctx, get(path), params))).json();
  expect(question).toBe(
    "Remove Priya Nair from Brightsmile Dental? They'll lose access to its tickets. Their account stays.",
  );
  const stale = removal(ctx, team.ids.member, { organization_id: team.other.id });
  expect((await thrownBy(stale)).status).toBe(409);
  expect(await team.stateOf(team.ids.member)).toBe("member, active");
  await removal(ctx, team.ids.member);
  expect(flash(team.ctx)).toBe("Success: Member removed successfully");
  expect(await team.stateOf(team.ids.member)).toBe("gone");
});

test("members and people without an organization read what is missing", async () => {
  const denied = await thrownBy(loader(args(await team.requestOf(team.member), get("/client/team"))));
  expect([denied.status, await denied.json()]).toEqual([
    403,
    { title: "Access Restricted", text: "Only organization admins can manage team members." },
  ]);
});

test("who is suspended or demoted loses the page with the next request", async () => {
  await press(await team.requestOf(team.owner), { intent: "role", role: "member", save: `0.${team.ids.lead}` });
  expect((await thrownBy(loader(args(await team.requestOf(team.lead), get("/client/team"))))).status).toBe(403);
});

test("one address is invited with the proposed role, and the list shows who invited", async () => {
  const ctx = await team.requestOf(team.lead);
  expect((await (await invitePage(args(ctx, get("/client/team/invite")))).json()).defaultRole).toBe("member");
  const done = await invitation(ctx, { emails: " New@Clinic.example " });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/client/team"]);
  expect(flash(team.ctx)).toBe("Success: Member invited successfully");
  await ctx.settle();
  const row = (await opened(ctx, "q=new@clinic"))?.page.rows[0];
  expect(row).toMatchObject({
    status: "pending",
    role: "member",
    invitation: { invitedBy: "Sam Ortega", mail: "sent" },
  });
});

test.each([
  ["", "Email is required"],
  [" , \n ", "Email is required"],
  ["not an address", "Please enter a valid email address"],
])("the addresses %j are rejected: %s", async (emails, message) => {
  const answer = await invitation(await team.requestOf(team.lead), { emails });
  const { error } = await answer.json();
  expect([answer.status, error.errors.emails]).toEqual([400, message]);
});

test("somebody who belongs to the organization is not invited again", async () => {
  const answer = await invitation(await team.requestOf(team.lead), { emails: team.member.email });
  expect((await answer.json()).error.errors.emails).toBe("User is already a member of this organization");
});

test("of fifty pasted addresses the twenty of a day are invited, the broken ones and the rest are kept with the reason", async () => {
  const ctx = await team.requestOf(team.lead);
  const good = Array.from({ length: 47 }, (_, index) => `p${index}.${team.organization.id}@clinic.example`);
  const answer = await invitation(ctx, { emails: ["broken", ...good, "a@", "@b.example"].join(",\n") });
  const { invitedCount, rejected, error } = await answer.json();
  expect([answer.status, invitedCount, rejected.length]).toEqual([400, 20, 30]);
  const broken = rejected.filter(({ reason }) => reason === "Please enter a valid email address");
  expect(broken.map(({ email }) => email)).toEqual(["broken", "a@", "@b.example"]);
  expect(error.values.emails?.split("\n")).toEqual(rejected.map(({ email }) => email));
  const stored = await team.ctx.db
    .select()
    .from(organizationMemberships)
    .where(eq(organizationMemberships.organization_id, team.organization.id));
  expect(stored.filter(({ status }) => status === "pending")).toHaveLength(21);
  const again = await invitation(ctx, { emails: good[40] ?? "" });
  expect(again.status).toBe(429);
});

test("the file has the members of the own organization, needs a fresh proof, and is recorded", async () => {
  const ctx = await team.requestOf(team.lead);
  const params = { file: "members.csv" };
  const file = await exported(args(ctx, get("/client/exports/members.csv"), params));
  const text = await file.text();
  expect(text).toContain("Priya Nair");
  expect(text).not.toContain("Chris Adeyemi");
  const picked = `ids=${team.ids.foreign},${team.ids.member},${team.ids.foreignInvited}`;
  const chosen = await (await exported(args(ctx, get(`/client/exports/members.csv?${picked}`), params))).text();
  expect(chosen.trim().split("\r\n").slice(1)).toEqual([expect.stringContaining("Priya Nair")]);
  const events = await team.ctx.db.select().from(auditEvents).where(eq(auditEvents.org_id, team.organization.id));
  expect(events.map(({ action: name }) => name)).toContain("organization.members_exported");
  team.ctx.clock.advance(11 * 60_000);
  const asked = await exported(args(ctx, get("/client/exports/members.csv"), params));
  expect(asked.headers.get("Location")).toMatch(/^\/profile\/confirm\?redirectTo=/);
});
