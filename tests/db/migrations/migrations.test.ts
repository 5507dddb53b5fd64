import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { describeDatabase, emptyDatabase, migrateCompletely } from "../../support/empty-database";
import { splitLikeServer, splitNaively } from "../../support/migration-rules.mjs";

const { DB, EMPTY_DB } = env as unknown as { DB: D1Database; EMPTY_DB: D1Database };

/** Counts the rows of every table, those that search indexes keep for themselves included. */
async function rowCounts(db: D1Database) {
  const { results } = await db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'virtual' AND name NOT GLOB '_cf_*' ORDER BY name",
    )
    .all<{ name: string }>();
  const counts = results.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM "${name}"`);
  return Promise.all(counts.map(async (query) => (await db.prepare(query).all()).results[0]));
}

test("the database that test files find is the one that the migrations lead to", async () => {
  // This may be the first file: from the second time on no migration runs.
  await reset();
  await emptyDatabase();
  await migrateCompletely(EMPTY_DB);
  const withoutTimes = (statement: string) => statement.replace(/'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d'|\b\d{13}\b/g, "");
  const expected = (await describeDatabase(EMPTY_DB)).map(withoutTimes);
  expect(expected.length).toBeGreaterThan(300);
  expect((await describeDatabase(DB)).map(withoutTimes)).toEqual(expected);
  expect(await rowCounts(DB)).toEqual(await rowCounts(EMPTY_DB));
});

test("at most sixty triggers follow the rows, one for each table and event beside the guards", async () => {
  const { results } = await DB.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
  expect(results.length).toBeLessThanOrEqual(60);
});

// @ts-expect-error The declared type of `glob`, in the permission matrix, knows modules only.
const modules = import.meta.glob("../../../migrations/*.sql", { query: "?raw", import: "default", eager: true });

const files = modules as unknown as Record<string, string>;

const withoutTimes = (statement: string) => statement.replace(/\b\d{13}\b/g, "");

test.each([
  ["D1's server cuts them", splitLikeServer],
  ["a simple tool cuts them", splitNaively],
])("the migrations, as %s, lead an empty database to the same schema and first rows", async (_, split) => {
  await reset();
  await migrateCompletely(DB);
  const names = Object.keys(files).sort();
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    await EMPTY_DB.batch(split(files[name] ?? "").map((statement) => EMPTY_DB.prepare(statement)));
  }
  const withoutLog = (statements: string[]) =>
    statements.filter((statement) => !/^(CREATE TABLE|INSERT INTO) "?d1_migrations/i.test(statement)).map(withoutTimes);
  expect(withoutLog(await describeDatabase(EMPTY_DB))).toEqual(withoutLog(await describeDatabase(DB)));
});
