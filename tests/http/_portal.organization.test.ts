import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { recordAudit } from "~/features/audit/record-audit.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { organizationSubject } from "~/features/organizations/model";
import { FORM_TOO_OLD } from "~/lib/error-texts";
import { socketTag } from "~/live/sockets.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as layout } from "~/routes/_portal";
import { action, loader } from "~/routes/_portal.client.organization._index";
import { loader as history } from "~/routes/_portal.client.organization.history";
import { action as leave } from "~/routes/_portal.client.organization.leave";
import { action as transfer, loader as transferPage } from "~/routes/_portal.client.organization.transfer";
import { action as switchOrganization } from "~/routes/_portal.client.switch";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { derive, type TestContext, testContext } from "../support/context";
import { as, makeInvitedMember, makeMember, makeOrganization, makePerson, makeSession } from "../support/factories";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { makeManyMembers } from "../support/many-members";
import { args, get, post, thrownBy } from "../support/requests";

const PATH = "/client/organization";

let team: ClientTeam;
beforeEach(async () => {
  team = await clientTeam();
});

const own = (ctx: TestContext, purpose: string) => ({
  form_token: issueFormToken(ctx, purpose),
  organization_id: team.organization.id,
});

const SHOWN = { name: "Brightsmile Dental", description: "", visibility: "all", default_role: "member", version: "1" };

const saving = (ctx: TestContext, fields: Record<string, string>) =>
  action(args(ctx, post(PATH, { ...own(ctx, "organization-settings"), intent: "save", ...SHOWN, ...fields })));

const requiring = (ctx: TestContext, require_mfa: string) =>
  action(args(ctx, post(PATH, { ...own(ctx, "organization-settings"), intent: "require-mfa", require_mfa })));

const transferring = (ctx: TestContext, fields: Record<string, string>) =>
  transfer(args(ctx, post(`${PATH}/transfer`, { ...own(ctx, "transfer-ownership"), ...fields })));

const stored = async () =>
  (await team.ctx.db.select().from(organizations).where(eq(organizations.id, team.organization.id)))[0];

test("an admin saves name, description, visibility and default role; they are found by the new name", async () => {
  const ctx = await team.requestOf(team.lead);
  await saving(ctx, {
    name: " Žofia Dental ",
    description: "Two practices",
    visibility: "own",
    default_role: "admin",
  });
  expect(flash(team.ctx)).toBe("Success: Organization updated successfully");
  expect(await stored()).toMatchObject({
    name: "Žofia Dental",
    search_name: "zofia dental",
    description: "Two practices",
    visibility: "own",
    default_role: "admin",
    version: 2,
  });
});

test("a form that changes nothing says so", async () => {
  const { description = "" } = (await stored()) ?? {};
  await saving(await team.requestOf(team.lead), { description });
  expect(flash(team.ctx)).toBe("Nothing changed: The organization was like that already.");
  expect(await stored()).toMatchObject({ version: 1 });
});

test.each([
  [{ name: "  " }, { name: "Name is required" }],
  [{ name: "x".repeat(201) }, { name: "The name can have at most 200 characters" }],
  [{ description: "x".repeat(2_001) }, { description: "The description can have at most 2,000 characters" }],
])("%j is rejected, and what was typed is kept", async (fields, errors) => {
  const answer = await saving(await team.requestOf(team.lead), fields as Record<string, string>);
  const body = await answer.json();
  expect([answer.status, body.errors]).toEqual([400, errors]);
  expect(body.values).toMatchObject(fields);
});

test("of twenty who save the same version at once one succeeds; the others keep what they typed, and may save again", async () => {
  const ctx = await team.requestOf(team.lead);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => saving(ctx, { description: `Number ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  const late = answers.find(({ status }) => status === 409);
  const body = await late?.json();
  const values = body?.values ?? {};
  expect(body?.errors.form).toMatch(/^This organization changed while you were working/);
  expect(values).toMatchObject({ description: expect.stringMatching(/^Number/), version: "2" });
  expect(await stored()).toMatchObject({ version: 2 });
  expect((await saving(ctx, { ...values, form_token: issueFormToken(ctx, "organization-settings") })).status).toBe(303);
});

test("a form of another organization, shown before a switch, changes neither", async () => {
  const ctx = await team.requestOf(team.lead);
  const stale = saving(ctx, { organization_id: team.other.id, name: "Mine now" });
  expect((await thrownBy(stale)).status).toBe(409);
  expect(await stored()).toMatchObject({ name: "Brightsmile Dental" });
});

test("whoever has switched to an organization where they may not edit reads that they have switched, before anything else", async () => {
  const ctx = await team.requestOf(team.member);
  const rejection = async (organization_id: string) => {
    const rejected = await thrownBy(saving(ctx, { organization_id, name: "Mine now" }));
    const { title } = (await rejected.json()) as { title: string };
    return [rejected.status, title];
  };
  expect(await rejection(team.other.id)).toEqual([409, "You have switched organizations"]);
  for (const id of [team.organization.id, ""]) expect(await rejection(id)).toEqual([403, "Access Restricted"]);
});

test("the owner requires two-step sign-in and sees who lacks it; an admin does not decide it", async () => {
  const owner = await team.requestOf(team.owner);
  await requiring(owner, "on");
  expect(await stored()).toMatchObject({ mfa_required_at: team.ctx.now() });
  const { withoutFactor } = await (await loader(args(owner, get(PATH)))).json();
  expect(withoutFactor?.count).toBe(3);
  await requiring(owner, "");
  expect(await stored()).toMatchObject({ mfa_required_at: null });
  const lead = await team.requestOf(team.lead);
  expect((await thrownBy(requiring(lead, "on"))).status).toBe(403);
  expect((await (await loader(args(lead, get(PATH)))).json()).withoutFactor).toBeNull();
});

test("an owner who hands the organization over at that moment is told that nothing was saved", async () => {
  const owner = await team.requestOf(team.owner);
  const demoted = interruptedBeforeCommit(owner, () =>
    team.ctx.db
      .update(organizationMemberships)
      .set({ role: "admin" })
      .where(eq(organizationMemberships.id, team.ids.owner)),
  );
  expect((await requiring(demoted, "on")).status).toBe(400);
  expect(await stored()).toMatchObject({ mfa_required_at: null });
});

test("members read that only admins change the settings", async () => {
  const denied = await thrownBy(loader(args(await team.requestOf(team.member), get(PATH))));
  expect([denied.status, await denied.json()]).toEqual([
    403,
    { title: "Access Restricted", text: "Only organization admins can change organization settings." },
  ]);
});

test("ownership is transferred with the typed name and a fresh proof, to a member of this organization only", async () => {
  const owner = await team.requestOf(team.owner);
  const path = `${PATH}/transfer`;
  const { candidates } = await (await transferPage(args(owner, get(path)))).json();
  expect(candidates.map(({ name }) => name)).toEqual(["Sam Ortega", "Priya Nair"]);
  const sending = (fields: Record<string, string>) => transferring(owner, fields);
  const wrong = await sending({ membership_id: team.ids.lead, confirm_name: "Brightsmile" });
  expect([wrong.status, (await wrong.json()).errors]).toEqual([
    400,
    { confirm_name: "Type the name of the organization: Brightsmile Dental" },
  ]);
  const tooOld = await sending({ form_token: "forged" });
  expect(await tooOld.json()).toMatchObject({
    title: "Ownership was not transferred.",
    errors: { form: FORM_TOO_OLD },
  });
  const confirm_name = "Brightsmile Dental";
  const foreign = await sending({ membership_id: team.ids.foreign, confirm_name });
  const missing = await sending({ membership_id: "mem_missing", confirm_name });
  expect((await foreign.json()).errors).toEqual((await missing.json()).errors);
  team.ctx.clock.advance(11 * 60_000);
  const asked = await thrownBy(sending({ membership_id: team.ids.lead, confirm_name }));
  expect(asked.headers.get("Location")).toMatch(/^\/profile\/confirm/);
  expect(await team.stateOf(team.ids.owner)).toBe("owner, active");
  const fresh = await team.requestOf(team.owner);
  await transferring(fresh, { membership_id: team.ids.lead, confirm_name });
  expect(flash(team.ctx)).toBe("Success: Sam Ortega owns the organization now. You are an admin.");
  expect([await team.stateOf(team.ids.owner), await team.stateOf(team.ids.lead)]).toEqual([
    "admin, active",
    "owner, active",
  ]);
});

test("a name is typed as the page shows it, whatever spaces and unseen marks are stored with it", async () => {
  const set = { name: "Brightsmile \u00a0Dental\u200b" };
  await team.ctx.db.update(organizations).set(set).where(eq(organizations.id, team.organization.id));
  const owner = await team.requestOf(team.owner);
  await transferring(owner, { membership_id: team.ids.lead, confirm_name: "Brightsmile Dental" });
  expect(await team.stateOf(team.ids.lead)).toBe("owner, active");
});

test("an owner who may choose among more members than the page lists is told how to find the others", async () => {
  const page = async () => {
    const owner = await team.requestOf(team.owner);
    return await (await transferPage(args(owner, get(`${PATH}/transfer`)))).json();
  };
  expect(await page()).toMatchObject({ isCut: false });
  await makeManyMembers(team.ctx, team.organization.id, 100);
  expect(await page()).toMatchObject({ isCut: true });
});

test("a member leaves; the owner is told to transfer ownership first", async () => {
  const leaving = async (ctx: TestContext) => leave(args(ctx, post(`${PATH}/leave`, own(ctx, "leave-organization"))));
  const left = await leaving(await team.requestOf(team.member));
  expect(left.headers.get("Location")).toBe("/client");
  expect(await team.stateOf(team.ids.member)).toBe("gone");
  await leaving(await team.requestOf(team.owner));
  expect(flash(team.ctx)).toMatch(/You own this organization\. Transfer ownership first/);
  expect(await team.stateOf(team.ids.owner)).toBe("owner, active");
});

test("the owner reads what happened in the own organization: colleagues by name, staff by first name and company", async () => {
  const subject = (id: string) => ({ subject: organizationSubject({ id, name: "Brightsmile Dental" }), orgId: id });
  const staff = await makePerson(team.ctx, { role: "admin", fullName: "Avery Quinn" });
  await team.ctx.db.batch([
    recordAudit(as(team.ctx, team.lead), "organization.updated", subject(team.organization.id)),
    recordAudit(as(team.ctx, staff), "organization.updated", subject(team.organization.id)),
    recordAudit(as(team.ctx, team.stranger), "organization.updated", subject(team.other.id)),
  ] as never);
  const ctx = await team.requestOf(team.owner);
  const { lines } = await (await history(args(ctx, get(`${PATH}/history`)))).json();
  expect(lines.map(({ sentence }) => sentence.split(" ").slice(0, 2).join(" "))).toEqual([
    "Avery (Wrenfield)",
    "Sam Ortega",
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/203\.0\.113|Quinn|Adeyemi/);
});

describe("working in another organization", () => {
  /** Signs somebody in who works for two organizations, and is suspended from a third. */
  async function person() {
    const ctx = testContext();
    const someone = await makePerson(ctx);
    const [first, second, third] = [
      await makeOrganization(ctx, "Alder Clinic"),
      await makeOrganization(ctx, "Birch School"),
      await makeOrganization(ctx, "Cedar Office"),
    ];
    await makeMember(ctx, first.id, someone, "owner");
    await makeMember(ctx, second.id, someone, "member");
    await makeMember(ctx, third.id, someone, "member", "suspended");
    const { signedIn: session } = await makeSession(ctx, someone, 1);
    /** Returns what a request of this session knows now. */
    const current = async () => derive(ctx, { signedIn: await findSignedIn(ctx.db, session.sessionHash, ctx.now()) });
    const switchTo = async (organization_id: string) => {
      const context = await current();
      const fields = { intent: "switch", form_token: issueFormToken(context, "switch-organization"), organization_id };
      return switchOrganization(args(context, post("/client/switch", fields)));
    };
    return { ctx, someone, session, first, second, third, current, switchTo };
  }

  const shown = async (context: ReturnType<typeof testContext>) => (await layout(args(context, get("/client")))).json();

  test("a person works in the first of their organizations by name, until they switch; it holds for this session only", async () => {
    const { ctx, someone, second, session, current, switchTo } = await person();
    const before = await shown(await current());
    expect(before.organization?.name).toBe("Alder Clinic");
    expect(before.organizations.map(({ name }) => name)).toEqual(["Alder Clinic", "Birch School"]);
    const answer = await switchTo(second.id);
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/client"]);
    expect((await shown(await current())).organization?.name).toBe("Birch School");
    const other = await makeSession(ctx, someone, 1);
    expect((await findSignedIn(ctx.db, other.signedIn.sessionHash, ctx.now()))?.membership?.organizationName).toBe(
      "Alder Clinic",
    );
    await ctx.settle();
    expect(ctx.disconnected.at(-1)?.tag).toBe(socketTag.session(session.sessionHash));
  });

  test("the sockets that a session has in the organization it leaves are closed, and no others", async () => {
    const { ctx, first, second, session, switchTo } = await person();
    await switchTo(second.id);
    await ctx.settle();
    expect(ctx.disconnected).toEqual([
      { audience: organizationAudience(first.id), tag: socketTag.session(session.sessionHash) },
    ]);
    await switchTo(second.id);
    await ctx.settle();
    expect(ctx.disconnected).toHaveLength(1);
  });

  test("nobody switches to an organization that they do not belong to, are invited to, are suspended from, or that is not there", async () => {
    const { ctx, someone, third, session, switchTo } = await person();
    const foreign = await makeOrganization(ctx, "Aspen House");
    const inviting = await makeOrganization(ctx, "Ash House");
    await makeInvitedMember(ctx, inviting.id, { email: someone.email });
    for (const id of [foreign.id, inviting.id, third.id, "org_missing", "", "' OR 1=1 --"]) {
      expect((await thrownBy(switchTo(id))).status, id).toBe(404);
    }
    const [row] = await ctx.db.select().from(sessions).where(eq(sessions.id_hash, session.sessionHash));
    expect(row?.current_org_id).toBeNull();
    await ctx.settle();
    expect(ctx.disconnected).toEqual([]);
  });
});
