import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

const record = { created_at: WEDNESDAY, updated_at: WEDNESDAY };

test("letters from before the migration are numbered by their months, and found by their organizations", async () => {
  const database = await databaseBefore("0047");
  for (const [id, name] of [
    ["org_1", "oak dental"],
    ["org_2", "birch"],
  ] as const)
    await database.insert("organizations", { ...record, id, name, slug: id, search_name: name });
  const draft = { ...record, status: "draft", facts_json: "{}", words_json: "{}" };
  await database.insert("letters", { ...draft, id: "ltr_3", organization_id: "org_1", month: "2026-09" });
  await database.insert("letters", { ...draft, id: "ltr_1", organization_id: "org_1", month: "2026-10" });
  await database.insert("letters", { ...draft, id: "ltr_2", organization_id: "org_2", month: "2026-10" });
  const { db } = await database.migrate();
  expect(await db.all(sql`SELECT id, number FROM letters ORDER BY number`)).toEqual([
    { id: "ltr_3", number: 202609000001 },
    { id: "ltr_1", number: 202610000001 },
    { id: "ltr_2", number: 202610000002 },
  ]);
  expect(await db.all(sql`SELECT rowid AS number FROM letter_search WHERE letter_search MATCH '"dent"'`)).toEqual([
    { number: 202609000001 },
    { number: 202610000001 },
  ]);
});
