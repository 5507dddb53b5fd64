import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { requireMfa } from "~/features/organizations/require-mfa.server";
import { days } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson, signedInAs } from "../../support/factories";

let ctx: TestContext;
let organizationId: string;

beforeEach(async () => {
  ctx = testContext();
  organizationId = (await makeOrganization(ctx)).id;
});

type NamedActor = ReturnType<typeof signedInAs>;
type MemberRole = "owner" | "admin" | "member";

/** Returns a member of the organization. */
async function actorAs(role: MemberRole, inside = organizationId): Promise<NamedActor> {
  const person = await makePerson(ctx);
  await makeMember(ctx, inside, person, role);
  return { ...signedInAs(person, ctx.now()), membership: { organizationId: inside, role } };
}

const demandedAt = async () => {
  const [row] = await ctx.db.select().from(organizations).where(eq(organizations.id, organizationId));
  return row?.mfa_required_at;
};
const recorded = () =>
  ctx.db
    .select({ action: auditEvents.action, actor: auditEvents.actor_id, meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(eq(auditEvents.org_id, organizationId));

test.each([
  "admin",
  "member",
] as const)("an organization's %s can neither require it nor make it optional", async (role) => {
  const actor = await actorAs(role);
  expect(await requireMfa(ctx, actor, { organizationId, isRequired: true })).toMatchObject({ code: "not_allowed" });
  await ctx.db.update(organizations).set({ mfa_required_at: 1 });
  expect(await requireMfa(ctx, actor, { organizationId, isRequired: false })).toMatchObject({ code: "not_allowed" });
  expect(await demandedAt()).toBe(1);
  expect(await recorded()).toEqual([]);
});

test("the owner of another organization and a technician cannot either", async () => {
  const elsewhere = await actorAs("owner", (await makeOrganization(ctx, "Elsewhere")).id);
  const technician = signedInAs(await makePerson(ctx, { role: "moderator" }), ctx.now());
  for (const actor of [elsewhere, technician]) {
    expect(await requireMfa(ctx, actor, { organizationId, isRequired: true })).toMatchObject({ code: "not_allowed" });
  }
  expect(await demandedAt()).toBeNull();
});

test.each([
  { role: "admin" as const },
  { status: "suspended" as const },
])("an owner who has meanwhile become %j changes nothing", async (change) => {
  const actor = await actorAs("owner");
  await ctx.db
    .update(organizationMemberships)
    .set(change)
    .where(
      and(
        eq(organizationMemberships.user_id, actor.userId),
        eq(organizationMemberships.organization_id, organizationId),
      ),
    );
  expect(await requireMfa(ctx, actor, { organizationId, isRequired: true })).toMatchObject({ code: "not_allowed" });
  expect(await demandedAt()).toBeNull();
  expect(await recorded()).toEqual([]);
});

test("requiring it again neither restarts the grace period nor writes a second audit entry", async () => {
  const owner = await actorAs("owner");
  const first = ctx.now();
  expect(await requireMfa(ctx, owner, { organizationId, isRequired: true })).toMatchObject({ ok: true });
  ctx.clock.advance(days(3));
  expect(await requireMfa(ctx, owner, { organizationId, isRequired: true })).toMatchObject({ ok: true });
  expect(await demandedAt()).toBe(first);
  expect(await recorded()).toEqual([
    { action: "organization.mfa_requirement_changed", actor: owner.userId, meta: '{"required":true}' },
  ]);
});

test("the grace period starts again when it was made optional and is required again", async () => {
  const owner = await actorAs("owner");
  await requireMfa(ctx, owner, { organizationId, isRequired: true });
  ctx.clock.advance(days(9));
  await requireMfa(ctx, owner, { organizationId, isRequired: false });
  expect(await demandedAt()).toBeNull();
  await requireMfa(ctx, owner, { organizationId, isRequired: true });
  expect(await demandedAt()).toBe(ctx.now());
  expect(await recorded()).toHaveLength(3);
});
