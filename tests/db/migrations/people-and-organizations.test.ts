import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

const record = { created_at: WEDNESDAY, updated_at: WEDNESDAY };

test("people, organizations and memberships from before the migration are numbered, counted and found", async () => {
  const database = await databaseBefore("0018");
  await database.insert("users", { ...record, id: "usr_2", email: "b@x.example", full_name: "Bea", status: "active" });
  const before = { created_at: WEDNESDAY - 1, updated_at: WEDNESDAY };
  await database.insert("users", { ...before, id: "usr_1", email: "a@x.example", full_name: "Ana", status: "active" });
  await database.insert("user_roles", { user_id: "usr_1", role: "admin" });
  await database.insert("organizations", { ...record, id: "org_1", name: "Harbor House", slug: "harbor-house" });
  const membership = { ...record, organization_id: "org_1", status: "active", joined_at: WEDNESDAY };
  await database.insert("organization_memberships", { ...membership, id: "mem_1", user_id: "usr_2", role: "owner" });
  const pending = { ...membership, user_id: null, invited_email: "c@x.example", status: "pending", joined_at: null };
  await database.insert("organization_memberships", { ...pending, id: "mem_2", role: "member" });
  const { db } = await database.migrate();

  expect(await db.all(sql`SELECT id, number, search_text, name_key, listed_role FROM users ORDER BY number`)).toEqual([
    { id: "usr_1", number: 1, search_text: "ana a@x.example", name_key: "ana", listed_role: "admin" },
    { id: "usr_2", number: 2, search_text: "bea b@x.example", name_key: "bea", listed_role: "user" },
  ]);
  expect(await db.all(sql`SELECT active_members, all_members, administrators, search_text FROM organizations`)).toEqual(
    [{ active_members: 1, all_members: 2, administrators: 1, search_text: "harbor house harbor-house " }],
  );
  const found = (word: string) =>
    db.all(sql`SELECT m.id FROM membership_search f JOIN organization_memberships m ON m.number = f.rowid
      WHERE membership_search MATCH ${`search_text : "${word}"`}`);
  expect(await found("harbor")).toHaveLength(2);
  expect(await found("bea b")).toEqual([{ id: "mem_1" }]);
  expect(await found("c@x.")).toEqual([{ id: "mem_2" }]);
  const totals = await db.all(sql`SELECT name, value FROM totals WHERE value > 0 ORDER BY name`);
  expect(totals).toEqual([
    { name: "factor.client.off", value: 1 },
    { name: "factor.staff.off", value: 1 },
    { name: "membership.active", value: 1 },
    { name: "membership.administrators", value: 1 },
    { name: "membership.pending", value: 1 },
    { name: "organization.all", value: 1 },
    { name: "user.admin", value: 1 },
    { name: "user.user", value: 1 },
  ]);
  expect(await db.all(sql`SELECT length, admin, user FROM account_counts ORDER BY length, step`)).toEqual([
    { length: 15, admin: 1, user: 0 },
    { length: 15, admin: 0, user: 1 },
    { length: 1440, admin: 1, user: 1 },
  ]);
});
