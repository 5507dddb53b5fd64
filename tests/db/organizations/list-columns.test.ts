import { and, eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { userMfaSettings } from "~/db/schema/security";
import { createOrganization } from "~/features/organizations/create-organization.server";
import { organizationTexts } from "~/features/organizations/model";
import { nameColumns } from "~/features/users/model";
import { testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson, signedInAs } from "../../support/factories";

const ctx = testContext();

const found = (table: string, word: string) => {
  const search = sql.raw(`${table}_search`);
  return ctx.db.all(sql`SELECT rowid FROM ${search} WHERE ${search} MATCH ${`search_text : "${word}"`}`);
};

const totals = async () => {
  const rows = await ctx.db.all<{ name: string; value: number }>(sql`SELECT name, value FROM totals`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};

const rowOf = async (id: string) => (await ctx.db.select().from(organizations).where(eq(organizations.id, id)))[0];

const counts = async (id: string) => {
  const row = await rowOf(id);
  return { active: row?.active_members, all: row?.all_members, administrators: row?.administrators };
};

test("a member is found by the name of the person and of the organization, whichever changes", async () => {
  const organization = await makeOrganization(ctx, "Žofia Clinic");
  const person = await makePerson(ctx, { fullName: "Renée Größe" });
  await makeMember(ctx, organization.id, person, "owner");
  expect(await found("membership", "renee grosse")).toHaveLength(1);
  expect(await found("membership", "zofia")).toHaveLength(1);
  await ctx.db.update(users).set(nameColumns("Ada Byron")).where(eq(users.id, person.id));
  const renamed = organizationTexts({ name: "Mill House", description: "" });
  await ctx.db.update(organizations).set(renamed).where(eq(organizations.id, organization.id));
  expect(await found("membership", "renee")).toHaveLength(0);
  expect(await found("membership", "zofia")).toHaveLength(0);
  expect(await found("membership", "ada byron")).toHaveLength(1);
  expect(await found("membership", "mill house")).toHaveLength(1);
  expect(await found("user", "renee")).toHaveLength(0);
  await ctx.db.delete(organizations).where(eq(organizations.id, organization.id));
  expect(await found("membership", "ada byron")).toHaveLength(0);
  expect(await found("organization", "mill house")).toHaveLength(0);
});

test("totals follow roles, memberships, suspensions and deletions", async () => {
  const organization = await makeOrganization(ctx);
  const [owner, member] = [await makePerson(ctx), await makePerson(ctx)];
  await makeMember(ctx, organization.id, owner, "owner");
  await makeMember(ctx, organization.id, member, "member");
  expect(await counts(organization.id)).toEqual({ active: 2, all: 2, administrators: 1 });
  const before = await totals();
  await ctx.db.insert(userRoles).values({ user_id: member.id, role: "moderator" });
  await ctx.db
    .update(organizationMemberships)
    .set({ role: "admin", status: "suspended" })
    .where(eq(organizationMemberships.user_id, member.id));
  const after = await totals();
  expect(await counts(organization.id)).toEqual({ active: 1, all: 2, administrators: 2 });
  const change = (name: string) => (after[name] ?? 0) - (before[name] ?? 0);
  expect([change("user.user"), change("user.moderator")]).toEqual([-1, 1]);
  expect([change("membership.active"), change("membership.suspended")]).toEqual([-1, 1]);
  expect(change("membership.administrators")).toBe(1);
  await ctx.db.delete(users).where(eq(users.id, member.id));
  expect(await counts(organization.id)).toEqual({ active: 1, all: 1, administrators: 1 });
  await ctx.db.delete(organizations);
  const end = await totals();
  expect([end["membership.active"], end["membership.suspended"], end["membership.administrators"]]).toEqual([0, 0, 0]);
  expect([end["organization.all"], end["user.moderator"]]).toEqual([0, 0]);
});

test("every row is given the next number, and a deleted last one frees it for nothing that is still listed", async () => {
  const [first, second] = [await makePerson(ctx), await makePerson(ctx)];
  const rows = await ctx.db.select({ id: users.id, number: users.number }).from(users).orderBy(users.number);
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  expect(numbers.get(second.id)).toBe((numbers.get(first.id) ?? 0) + 1);
});

async function slugsOf(names: readonly string[]) {
  const owner = signedInAs(await makePerson(ctx), ctx.now());
  await Promise.all(
    names.map((name) => commit(ctx.db, createOrganization(ctx, { name, owner, needsApproval: false }))),
  );
  const rows = await ctx.db
    .select({ slug: organizations.slug })
    .from(organizations)
    .where(inArray(organizations.name, [...names]));
  return rows.map(({ slug }) => slug).sort();
}

test("a reserved slug gets a number, as do those of organizations that come at once; a name without letters becomes org", async () => {
  expect(await slugsOf(["Admin"])).toEqual(["admin-2"]);
  expect(await slugsOf(["---", "日本", "!!!"])).toEqual(["org", "org-2", "org-3"]);
});

const withoutFactor = async (id: string) => (await rowOf(id))?.members_without_mfa;

test("how many members lack a second factor follows memberships and factors", async () => {
  const [one, other] = [await makeOrganization(ctx), await makeOrganization(ctx)];
  const [ana, bea] = [await makePerson(ctx), await makePerson(ctx, { withTotp: true })];
  await makeMember(ctx, one.id, ana, "owner");
  await makeMember(ctx, one.id, bea, "member");
  await makeMember(ctx, other.id, ana, "member", "suspended");
  expect([await withoutFactor(one.id), await withoutFactor(other.id)]).toEqual([1, 0]);

  const { db } = ctx;
  await db.update(userMfaSettings).set({ is_enabled: 0 }).where(eq(userMfaSettings.user_id, bea.id));
  expect(await withoutFactor(one.id)).toBe(2);
  await db.insert(userMfaSettings).values({ user_id: ana.id, is_enabled: 1, updated_at: ctx.now() });
  expect(await withoutFactor(one.id)).toBe(1);
  const ofAna = and(eq(organizationMemberships.user_id, ana.id), eq(organizationMemberships.organization_id, other.id));
  await db.update(organizationMemberships).set({ status: "active" }).where(ofAna);
  expect(await withoutFactor(other.id)).toBe(0);
  await db.delete(userMfaSettings).where(eq(userMfaSettings.user_id, ana.id));
  expect([await withoutFactor(one.id), await withoutFactor(other.id)]).toEqual([2, 1]);
  await db.delete(users).where(eq(users.id, ana.id));
  expect([await withoutFactor(one.id), await withoutFactor(other.id)]).toEqual([1, 0]);
});

test("organizations to review are counted until they are reviewed or deleted", async () => {
  const count = async () => (await totals())["organization.to_review"] ?? 0;
  const before = await count();
  const [one, other] = [await makeOrganization(ctx), await makeOrganization(ctx)];
  await ctx.db.update(organizations).set({ needs_review_at: ctx.now() });
  expect(await count()).toBeGreaterThanOrEqual(before + 2);
  const all = await count();
  await ctx.db.update(organizations).set({ needs_review_at: null }).where(eq(organizations.id, one.id));
  await ctx.db.delete(organizations).where(eq(organizations.id, other.id));
  expect(await count()).toBe(all - 2);
});
