import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { describeDatabase, migrateCompletely } from "../../support/empty-database";

const { DB, EMPTY_DB } = env as unknown as { DB: D1Database; EMPTY_DB: D1Database };

test("the database that test files find is the one that the migrations lead to", async () => {
  await migrateCompletely(EMPTY_DB);
  const withoutTimes = (statement: string) => statement.replace(/'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'|\b\d{13}\b/g, "");
  const expected = (await describeDatabase(EMPTY_DB)).map(withoutTimes);
  expect(expected.length).toBeGreaterThan(300);
  expect((await describeDatabase(DB)).map(withoutTimes)).toEqual(expected);
});
