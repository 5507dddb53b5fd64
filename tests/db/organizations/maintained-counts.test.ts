import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships, organizations } from "~/db/schema/organizations";
import { userMfaSettings } from "~/db/schema/security";
import { testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson } from "../../support/factories";

const ctx = testContext();

const withoutFactor = async (id: string) =>
  (
    await ctx.db
      .select({ count: organizations.members_without_mfa })
      .from(organizations)
      .where(eq(organizations.id, id))
  )[0]?.count;

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
  const count = async () =>
    (await ctx.db.all<{ value: number }>(sql`SELECT value FROM totals WHERE name = 'organization.to_review'`))[0]
      ?.value;
  const before = (await count()) ?? 0;
  const [one, other] = [await makeOrganization(ctx), await makeOrganization(ctx)];
  await ctx.db.update(organizations).set({ needs_review_at: ctx.now() });
  expect(await count()).toBeGreaterThanOrEqual(before + 2);
  const all = (await count()) ?? 0;
  await ctx.db.update(organizations).set({ needs_review_at: null }).where(eq(organizations.id, one.id));
  await ctx.db.delete(organizations).where(eq(organizations.id, other.id));
  expect(await count()).toBe(all - 2);
});
