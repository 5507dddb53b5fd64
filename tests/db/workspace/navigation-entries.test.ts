import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import type { Db } from "~/db/client.server";
import { SUBMISSIONS_PATH } from "~/features/submissions/subject";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { navigationEntries } from "~/features/workspace/layout.server";
import { testContext } from "../../support/context";
import { makePerson, signedInAs } from "../../support/factories";

const dialect = new SQLiteSyncDialect();

/** Returns the database, of which reads with this value fail. */
const failingAt = (db: Db, value: string): Db => ({
  ...db,
  all: ((query: SQL) =>
    dialect.sqlToQuery(query).params.includes(value)
      ? Promise.reject(new Error("D1_ERROR"))
      : db.all(query)) as Db["all"],
});

test.each([
  ["of open tickets", "ticket.open", undefined, { count: 3, of: "new" }],
  ["of submissions", "submission.contacted", { count: 2, of: "open" }, undefined],
])("where the count %s cannot be read, the other is shown beside its link", async (_, value, tickets, submissions) => {
  const ctx = testContext();
  await ctx.db.run(sql`INSERT OR REPLACE INTO totals (name, value) VALUES ('ticket.open', 2), ('submission.new', 3),
    ('submission.held', 0)`);
  const actor = { ...signedInAs(await makePerson(ctx), ctx.now()), role: "admin" as const };
  const entries = await navigationEntries({ ...ctx, db: failingAt(ctx.db, value) }, actor);
  const badges = new Map(entries.map(({ path, badge }) => [path, badge]));
  expect(badges.get(STAFF_TICKETS_PATH)).toEqual(tickets);
  expect(badges.get(SUBMISSIONS_PATH)).toEqual(submissions);
});
