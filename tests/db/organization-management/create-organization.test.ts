import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { organizationDomains, organizationMemberships, organizations } from "~/db/schema/organizations";
import { settings } from "~/db/schema/site";
import { createClientOrganization } from "~/features/organization-management/new-organization.server";
import { makePerson } from "../../support/factories";
import { administrator, details, eventsOf, newOrganization, nonce } from "../../support/organizations";

const { base, ctx, actor } = await administrator();
const create = (changes: Parameters<typeof details>[0], ownerEmail: string | null = null, key = nonce()) =>
  createClientOrganization(ctx, actor, { details: details(changes), ownerEmail, nonce: key });
const rowOf = async (id: string) => (await ctx.db.select().from(organizations).where(eq(organizations.id, id)))[0];
const count = async () => (await ctx.db.select().from(organizations)).length;

test("the person invited becomes owner only by accepting: until then the membership waits, without an account", async () => {
  const id = await newOrganization(ctx, actor, { domains: ["oak.example"] }, "boss@oak.example");
  expect(await rowOf(id)).toMatchObject({
    name: "Oak Dental",
    plan: "core",
    contract_started_at: ctx.now(),
    all_members: 1,
  });
  const members = await ctx.db
    .select()
    .from(organizationMemberships)
    .where(eq(organizationMemberships.organization_id, id));
  expect(members).toMatchObject([
    { role: "owner", status: "pending", user_id: null, invited_email: "boss@oak.example", joined_at: null },
  ]);
  await base.settle();
  expect(base.sent.map(({ to }) => to)).toEqual(["boss@oak.example"]);
  expect((await eventsOf(ctx, id)).map(({ action }) => action)).toEqual([
    "organization.created",
    "organization.member_invited",
  ]);
});

test("twenty organizations of one name, created at once, are twenty, with a slug each", async () => {
  const created = await Promise.all(Array.from({ length: 20 }, () => create({ name: "Twenty Oaks" })));
  const rows = await Promise.all(created.map((result) => rowOf(result.ok ? result.id : "")));
  const slugs = rows.map((row) => row?.slug);
  expect(new Set(slugs).size).toBe(20);
  expect(slugs).toContain("twenty-oaks");
  expect(slugs).toContain("twenty-oaks-20");
});

test("of twenty organizations that want one domain at once, one gets it, and nothing is left of the others", async () => {
  const before = await count();
  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create({ domains: ["wanted.example"] }, `owner${index}@wanted.example`)),
  );
  const failed = created.filter((result) => !result.ok);
  expect(failed).toHaveLength(19);
  expect(new Set(failed.map((result) => JSON.stringify(result)))).toEqual(
    new Set([JSON.stringify({ ok: false, code: "domain_taken", domain: "wanted.example" })]),
  );
  expect(await count()).toBe(before + 1);
  expect(
    await ctx.db.select().from(organizationDomains).where(eq(organizationDomains.domain, "wanted.example")),
  ).toHaveLength(1);
});

test("the same form posted twice creates one organization and invites once", async () => {
  const before = await count();
  const key = nonce();
  const [first, second] = [await create({}, "twice@oak.example", key), await create({}, "twice@oak.example", key)];
  expect(second).toEqual(first);
  expect(await count()).toBe(before + 1);
});

test("another organization from a page that still has the token of the first is created too", async () => {
  const before = await count();
  const key = nonce();
  for (const name of ["Oak Dental", "Elm Dental", "Oak Dental"]) {
    const created = await create({ name }, null, key);
    expect(created.ok && (await rowOf(created.id))?.name).toBe(name);
  }
  expect(await count()).toBe(before + 2);
});

test("nobody invites themselves, and an administrator who was demoted meanwhile creates nothing", async () => {
  const before = await count();
  expect(await create({}, actor.email)).toEqual({ ok: false, code: "own_address" });
  const other = await administrator(base);
  await ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, other.actor.userId));
  const late = { details: details(), ownerEmail: null, nonce: nonce() };
  expect(await createClientOrganization(other.ctx, other.actor, late)).toEqual({ ok: false, code: "denied" });
  expect(await count()).toBe(before);
});

test("with 'Only invite existing accounts' an unknown address is rejected before anything is stored", async () => {
  const before = await count();
  const setting = { key: "onlyInviteExistingAccounts", value_json: "true", updated_at: 0 };
  await ctx.db.insert(settings).values(setting as typeof settings.$inferInsert);
  expect(await create({}, "nobody@oak.example")).toEqual({ ok: false, code: "no_account" });
  expect(await count()).toBe(before);
  const known = await makePerson(base);
  expect(await create({}, known.email)).toMatchObject({ ok: true });
  await ctx.db.delete(settings).where(eq(settings.key, setting.key));
});
