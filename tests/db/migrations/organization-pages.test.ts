import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

const record = { created_at: WEDNESDAY, updated_at: WEDNESDAY };

test("members without a second factor and organizations to review are counted from before the migration", async () => {
  const database = await databaseBefore("0020");
  const person = { ...record, status: "active", full_name: "Ana" };
  await database.insert("users", { ...person, id: "usr_1", email: "a@x.example" });
  await database.insert("users", { ...person, id: "usr_2", email: "b@x.example" });
  await database.insert("user_mfa_settings", { user_id: "usr_1", is_enabled: 1, updated_at: WEDNESDAY });
  const organization = { ...record, id: "org_1", name: "Oak", slug: "oak", needs_review_at: WEDNESDAY };
  await database.insert("organizations", organization);
  const membership = { ...record, organization_id: "org_1", role: "member", status: "active", joined_at: WEDNESDAY };
  await database.insert("organization_memberships", { ...membership, id: "mem_1", user_id: "usr_1" });
  await database.insert("organization_memberships", { ...membership, id: "mem_2", user_id: "usr_2" });
  const { db } = await database.migrate();
  expect(await db.all(sql`SELECT members_without_mfa FROM organizations`)).toEqual([{ members_without_mfa: 1 }]);
  expect(await db.all(sql`SELECT value FROM totals WHERE name = 'organization.to_review'`)).toEqual([{ value: 1 }]);
});
