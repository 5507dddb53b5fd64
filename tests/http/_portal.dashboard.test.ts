import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import { findSignedIn } from "~/features/auth/queries.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_portal.client._index";
import { loader as ticketList } from "~/routes/_portal.client.tickets._index";
import { derive, testContext } from "../support/context";
import {
  makeInvitedMember,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  type Person,
} from "../support/factories";
import { inviteTo, makeTeam } from "../support/invitations";
import { args, get, post, thrownBy } from "../support/requests";

afterEach(() => testContext().db.delete(settings));

/** Signs a person in; `current` is what a request of theirs knows. */
async function visitor(person?: Person, ctx = testContext()) {
  const someone = person ?? (await makePerson(ctx));
  const { signedIn: session } = await makeSession(ctx, someone, 1);
  const current = async () => derive(ctx, { signedIn: await findSignedIn(ctx.db, session.sessionHash, ctx.now()) });
  const page = async () => (await loader(args(await current(), get("/client")))).json();
  const send = async (intent: "create" | "ask", fields: Record<string, string>, token?: string) => {
    const context = await current();
    const form_token = token ?? issueFormToken(context, intent === "create" ? "organization-create" : "invitation-ask");
    return action(args(context, post("/client", { intent, form_token, ...fields })));
  };
  return { ctx, person: someone, current, page, send };
}

const setPolicy = (ctx: ReturnType<typeof testContext>, value: string) =>
  ctx.db
    .insert(settings)
    .values({ key: "signUpPolicy", value_json: JSON.stringify(value), version: 1, updated_at: ctx.now() })
    .onConflictDoUpdate({ target: settings.key, set: { value_json: JSON.stringify(value) } });

const ownedBy = (ctx: ReturnType<typeof testContext>, person: Person) =>
  ctx.db
    .select({ id: organizations.id, name: organizations.name, review: organizations.needs_review_at })
    .from(organizationMemberships)
    .innerJoin(organizations, eq(organizations.id, organizationMemberships.organization_id))
    .where(eq(organizationMemberships.user_id, person.id));

test("the card of the organization leads plain members to leaving it, and its admins to its settings", async () => {
  const ctx = testContext();
  const organization = await makeOrganization(ctx);
  const linksOf = async (role: "owner" | "admin" | "member") => {
    const person = await makePerson(ctx);
    await makeMember(ctx, organization.id, person, role);
    const data = await (await visitor(person)).page();
    return data.nextSteps ? [] : data.links.map(({ label, path }) => `${label}: ${path}`);
  };
  expect(await linksOf("member")).toEqual(["Leave organization: /client/organization/leave"]);
  for (const role of ["admin", "owner"] as const) {
    expect(await linksOf(role)).toEqual(["Manage Team: /client/team", "Organization Settings: /client/organization"]);
  }
});

test("who is suspended reads by which organization, on the dashboard and where it is needed, and nothing else of it", async () => {
  const { ctx, person, current, page } = await visitor();
  const { id } = await makeOrganization(ctx, "Maple Works");
  await makeMember(ctx, id, person, "member", "suspended");
  await makeMember(ctx, id, await makePerson(ctx, { fullName: "Bo Owner" }), "owner");
  const shown = await page();
  expect(shown.nextSteps).toMatchObject({ suspendedFrom: ["Maple Works"], invitations: [], requested: null });
  expect(JSON.stringify(shown)).not.toContain("Bo Owner");
  const denied = await thrownBy(ticketList(args(await current(), get("/client/tickets"))));
  expect([denied.status, await denied.json()]).toEqual([
    403,
    {
      title: "No organization selected",
      text: "Your access to Maple Works is suspended. Ask its owner or an admin to reactivate you.",
      links: [
        { label: "Create an organization", to: "/client#create" },
        { label: "Join an organization", to: "/client" },
      ],
    },
  ]);
  await setPolicy(ctx, "invite_only");
  const without = await thrownBy(ticketList(args(await current(), get("/client/tickets"))));
  expect(await without.json()).toMatchObject({ links: [{ label: "Join an organization", to: "/client" }] });
});

describe("a person without an organization", () => {
  test("creates one, owns it, works in it, and staff see that it is new", async () => {
    const { ctx, person, current, page, send } = await visitor();
    expect((await page()).nextSteps?.mayCreate).toBe(true);
    const answer = await send("create", { name: " Oak Street Dental ", description: "Two chairs." });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/client"]);
    const [owned] = await ownedBy(ctx, person);
    expect(owned).toMatchObject({ name: "Oak Street Dental", review: ctx.now() });
    const after = await current();
    expect(after.signedIn?.membership).toMatchObject({ organizationId: owned?.id, role: "owner" });
    const [event] = await ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.org_id, owned?.id ?? ""));
    expect([event?.action, event?.actor_id]).toEqual(["organization.created", person.id]);
  });

  test.each([
    [{ name: "  " }, "Name is required"],
    [{ name: "x".repeat(201) }, "Name can have at most 200 characters"],
    [{ name: "Oak", description: "x".repeat(2_001) }, "Description can have at most 2,000 characters"],
    [{ name: "Oak", form_token: "forged" }, "Failed to create organization"],
  ])("is told what is wrong with %j, and nothing is created", async (fields, message) => {
    const { ctx, person, send } = await visitor();
    const answer = await send("create", fields as Record<string, string>);
    expect(answer.status).toBe(400);
    const { errors, values } = await answer.json();
    expect(Object.values(errors)).toContain(message);
    expect(values.name).toBe(fields.name);
    expect(await ownedBy(ctx, person)).toEqual([]);
  });

  test("who sends twenty such forms at once gets one organization", async () => {
    const { ctx, person, current } = await visitor();
    const context = await current();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const form_token = issueFormToken(context, "organization-create");
        const fields = { intent: "create", form_token, name: `Branch ${index}` };
        return action(args(context, post("/client", fields)));
      }),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await ownedBy(ctx, person)).toHaveLength(1);
  });

  test("who sends one form twice gets one organization and no error", async () => {
    const { ctx, person, current, send } = await visitor();
    const token = issueFormToken(await current(), "organization-create");
    const [first, second] = await Promise.all([1, 2].map(() => send("create", { name: "Oak" }, token)));
    expect([first?.status, second?.status]).toEqual([303, 303]);
    expect(await ownedBy(ctx, person)).toHaveLength(1);
  });

  test("waits where staff approve first: pages stay closed, and a second request is rejected", async () => {
    const { ctx, person, current, page, send } = await visitor();
    await setPolicy(ctx, "approval");
    expect((await send("create", { name: "Elm House" })).status).toBe(303);
    expect((await current()).signedIn?.membership).toBeNull();
    expect((await page()).nextSteps).toMatchObject({ requested: "Elm House", invitations: [] });
    expect((await send("create", { name: "Elm House Two" })).status).toBe(400);
    expect(await ownedBy(ctx, person)).toMatchObject([{ name: "Elm House" }]);
  });

  test("creates none where everybody must be invited", async () => {
    const { ctx, page, send } = await visitor();
    await setPolicy(ctx, "invite_only");
    expect((await page()).nextSteps?.mayCreate).toBe(false);
    const answer = await send("create", { name: "Fir Court" });
    expect(answer.status).toBe(400);
    expect(await ctx.db.select().from(organizations).where(eq(organizations.name, "Fir Court"))).toEqual([]);
  });

  test("who belongs to one creates no other here", async () => {
    const { ctx, person, send } = await visitor();
    await makeMember(ctx, (await makeOrganization(ctx)).id, person, "member");
    expect((await send("create", { name: "Second" })).status).toBe(400);
    expect(await ownedBy(ctx, person)).toHaveLength(1);
  });
});

describe("an invitation that waits", () => {
  async function invited() {
    const guest = await visitor();
    const team = await makeTeam(guest.ctx);
    await inviteTo(guest.ctx, team, guest.person.email);
    await guest.ctx.settle();
    return { ...guest, team };
  }

  const shown = async ({ page }: Awaited<ReturnType<typeof visitor>>) => (await page()).nextSteps?.invitations ?? [];

  test("is shown to the person of its address, and sent again on request with a new link", async () => {
    const guest = await invited();
    const { ctx, person, team } = guest;
    const [invitation] = await shown(guest);
    const { organization, owner } = team;
    expect(invitation).toMatchObject({ organization: organization.name, inviter: owner.fullName, isExpired: false });
    const before = ctx.sent.length;
    ctx.clock.advance(days(8));
    const later = await visitor(person, ctx);
    expect(await shown(later)).toMatchObject([{ isExpired: true }]);
    expect((await later.send("ask", { membership_id: invitation?.id ?? "" })).status).toBe(303);
    await ctx.settle();
    expect(ctx.sent.slice(before).map(({ to }) => to)).toEqual([person.email]);
    expect(await shown(later)).toMatchObject([{ isExpired: false }]);
  });

  test("of somebody else, of an inviter without the right, or that is not there, is not sent", async () => {
    const guest = await invited();
    const { ctx, send, team } = guest;
    const [invitation] = await shown(guest);
    const stranger = await makeInvitedMember(ctx, team.organization.id, { email: "else@clinic.example" });
    const before = ctx.sent.length;
    for (const id of [stranger.id, "mem_missing", ""]) await send("ask", { membership_id: id });
    const suspend = ctx.db.update(organizationMemberships).set({ status: "suspended" });
    await suspend.where(eq(organizationMemberships.user_id, team.owner.id));
    await send("ask", { membership_id: invitation?.id ?? "" });
    await ctx.settle();
    expect(ctx.sent.slice(before)).toEqual([]);
  });
});

describe("the dashboard of an organization", () => {
  test("shows its people to administrators only, with how many use a second factor, and only its owner to who does not", async () => {
    const owner = await visitor();
    const { ctx } = owner;
    const { id } = await makeOrganization(ctx, "Maple Works");
    await makeMember(ctx, id, owner.person, "owner");
    await makeMember(ctx, id, await makePerson(ctx, { fullName: "Bo Member", withTotp: true }), "member");
    await makeInvitedMember(ctx, id, { email: "new@maple.example" });
    const shown = await owner.page();
    if (shown.nextSteps) throw new Error("The organization is missing");
    expect(shown.organization).toMatchObject({ name: "Maple Works", members: 2 });
    expect(shown.team?.members.map(({ name, note }) => `${name}: ${note}`)).toEqual([
      `${owner.person.fullName}: you, owner`,
      "Bo Member: member",
      "new@maple.example: member, pending",
    ]);
    expect(shown.team).toMatchObject({ withFactor: 1, listsOthers: true });
    const member = await visitor();
    await makeMember(member.ctx, id, member.person, "member");
    expect(await member.page()).toMatchObject({ team: null });
    await ctx.db.update(organizationMemberships).set({ role: "admin" });
    expect(await owner.page()).toMatchObject({ team: { listsOthers: false } });
  });
});
