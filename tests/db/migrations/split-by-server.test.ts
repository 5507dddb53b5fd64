import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { describeDatabase, migrateCompletely } from "../../support/empty-database";
import { splitLikeServer, splitNaively } from "../../support/migration-rules.mjs";

const { DB, EMPTY_DB } = env as unknown as { DB: D1Database; EMPTY_DB: D1Database };

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
