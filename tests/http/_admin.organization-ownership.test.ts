import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships } from "~/db/schema/organizations";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as record } from "~/routes/_admin.admin.organizations.$organizationId";
import { action, loader } from "~/routes/_admin.admin.organizations.$organizationId_.transfer";
import { flash, staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makeInvitedMember, makeMember, makeOrganization, makePerson, type Person } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";

let ctx: TestContext;
let base: TestContext;
let id: string;
let owner: Person;
let next: Person;
let ids: { owner: string; next: string };

beforeEach(async () => {
  ({ base, ctx } = await staffMember());
  ({ id } = await makeOrganization(base));
  owner = await makePerson(base, { fullName: "Dana Whitlock" });
  next = await makePerson(base, { fullName: "Sam Ortega" });
  ids = {
    owner: (await makeMember(base, id, owner, "owner")).id,
    next: (await makeMember(base, id, next, "member")).id,
  };
});

const path = () => `/admin/organizations/${id}/transfer`;
const open = async (context = ctx, organizationId = id) =>
  (await loader(args(context, get(path()), { organizationId }))).json();
const send = (fields: Record<string, string>, context = ctx) =>
  action(
    args(context, post(path(), { form_token: issueFormToken(context, "organization-ownership"), ...fields }), {
      organizationId: id,
    }),
  );
const rolesOf = async () => {
  const rows = await base.db
    .select()
    .from(organizationMemberships)
    .where(eq(organizationMemberships.organization_id, id));
  return Object.fromEntries(rows.map((row) => [row.id, `${row.role}, ${row.status}`]));
};

test("an administrator passes ownership on with a reason; both people are told, and the history has it", async () => {
  const { ownerName, candidates, identity } = await open();
  expect([ownerName, candidates.map(({ name }) => name), identity]).toEqual(["Dana Whitlock", ["Sam Ortega"], null]);
  const answer = await send({ membership_id: ids.next, reason: " The owner left the clinic " });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/admin/organizations/${id}`]);
  expect(flash(base)).toBe("Success: Sam Ortega owns the organization now.");
  expect(await rolesOf()).toEqual({ [ids.owner]: "admin, active", [ids.next]: "owner, active" });
  await base.settle();
  expect(base.sent.map(({ to, subject }) => `${to}: ${subject}`).sort()).toEqual(
    [`${owner.email}: You no longer own Larkspur Row`, `${next.email}: You own Larkspur Row now`].sort(),
  );
  const isTransfer = eq(auditEvents.action, "organization.ownership_transferred");
  const [event] = await base.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, id), isTransfer));
  expect(JSON.parse(event?.meta ?? "{}")).toMatchObject({ reason: "The owner left the clinic" });
  const { history } = await (await record(args(ctx, get("/x"), { organizationId: id }))).json();
  expect(history[0]?.details).toContain("The owner left the clinic");
});

test.each([
  [{ membership_id: "", reason: "Left" }, { membership_id: "Choose the new owner" }],
  [{ membership_id: "mem_missing", reason: "  " }, { reason: "Say why." }],
  [{ membership_id: "mem_missing", reason: "Left" }, { membership_id: "This person is not a member any more." }],
  [{ form_token: "forged", membership_id: "mem_missing", reason: "Left" }, { form: expect.any(String) }],
])("%j is rejected, and nothing changes", async (fields, errors) => {
  const answer = await send(fields as Record<string, string>);
  expect([answer.status, (await answer.json()).errors]).toMatchObject([400, errors]);
  expect(await rolesOf()).toEqual({ [ids.owner]: "owner, active", [ids.next]: "member, active" });
});

test("a membership of another organization is answered like one that does not exist", async () => {
  const other = await makeOrganization(base, "Harbor House");
  const foreign = await makeMember(base, other.id, await makePerson(base), "member");
  const answers = [foreign.id, "mem_missing"].map(async (membership_id) =>
    (await send({ membership_id, reason: "Left" })).json(),
  );
  const [one, missing] = await Promise.all(answers);
  expect(one?.errors).toEqual(missing?.errors);
});

test("ten minutes after the last proof the form asks for one, and keeps what was typed", async () => {
  base.clock.advance(minutes(11));
  expect((await open()).identity).toMatchObject({ mfaEnabled: true });
  const typed = { membership_id: ids.next, reason: "Left" };
  const answer = await send({ ...typed, current_password: "", code: "", method: "totp" });
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { title: "Verification Required", errors: { current_password: expect.any(String) }, values: typed },
  ]);
  const fresh = derive(ctx, { signedIn: ctx.signedIn && { ...ctx.signedIn, reauthAt: base.now() } });
  expect((await send(typed, fresh)).status).toBe(303);
});

test("suspended, invited and deactivated people are not offered; an owner who is only invited stands in the way", async () => {
  await makeMember(base, id, await makePerson(base), "admin", "suspended");
  await makeMember(base, id, await makePerson(base, { status: "deactivated" }), "admin");
  await makeInvitedMember(base, id, { email: "soon@clinic.example" });
  expect((await open()).candidates.map(({ name }) => name)).toEqual(["Sam Ortega"]);
  const unowned = await makeOrganization(base, "Ash Clinic");
  await makeInvitedMember(base, unowned.id, { email: "boss@clinic.example", role: "owner" });
  expect((await open(ctx, unowned.id)).obstacle).toBe("The owner's invitation is still open. Revoke it first.");
});

test("technicians neither see the way there nor get the page", async () => {
  const { ctx: technician } = await staffMember("moderator");
  const page = async (context: TestContext) => (await record(args(context, get("/x"), { organizationId: id }))).json();
  expect([(await page(ctx)).transferTo, (await page(technician)).transferTo]).toEqual([path(), null]);
  expect((await thrownBy(open(technician))).status).toBe(403);
  expect((await thrownBy(send({ membership_id: ids.next, reason: "Left" }, technician))).status).toBe(403);
  expect((await thrownBy(open(ctx, "org_missing"))).status).toBe(404);
});
