import { applyD1Migrations, type D1Migration } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openDb } from "~/db/client.server";
import { meteredD1, noCost } from "~/platform/d1.server";
import { type TestContext, testContext, WEDNESDAY } from "./context";

/** Holds the row of a submission in the columns that every version has. */
export const PRIYAS_SUBMISSION = {
  id: "sub_1",
  number: 1001,
  first_name: "Priya",
  last_name: "Natarajan",
  email: "priya@kestrel.example",
  status: "contacted",
  consent_at: WEDNESDAY,
  consent_terms_version: "2026-11-01",
  ip_hash: "",
  created_at: WEDNESDAY,
  updated_at: WEDNESDAY,
};

const { EMPTY_DB, TEST_MIGRATIONS } = env as unknown as { EMPTY_DB: D1Database; TEST_MIGRATIONS: D1Migration[] };

export type DatabaseBefore = Awaited<ReturnType<typeof databaseBefore>>;

/** Creates a database in the state before a migration. One for each test file. */
export async function databaseBefore(name: string) {
  const place = TEST_MIGRATIONS.findIndex((migration) => migration.name.startsWith(name));
  if (place < 0) throw new Error(`There is no migration ${name}`);
  await applyD1Migrations(EMPTY_DB, TEST_MIGRATIONS.slice(0, place));
  return {
    binding: EMPTY_DB,
    /** Writes a row as SQL of that version did. */
    insert: async (table: string, row: Record<string, string | number | null>) => {
      const columns = Object.keys(row);
      const places = columns.map(() => "?").join(", ");
      const statement = EMPTY_DB.prepare(`INSERT INTO ${table}(${columns.join(", ")}) VALUES (${places})`);
      await statement.bind(...Object.values(row)).run();
    },
    all: async <Row>(query: string) => (await EMPTY_DB.prepare(query).all<Row>()).results,
    /** Applies the migration and everything after it; returns a context of the present version over this database. */
    migrate: async (): Promise<TestContext> => {
      await applyD1Migrations(EMPTY_DB, TEST_MIGRATIONS);
      const cost = noCost();
      return testContext({ db: openDb(meteredD1(EMPTY_DB, cost)), cost });
    },
  };
}
