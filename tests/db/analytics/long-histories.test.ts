import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDb } from "~/db/client.server";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { readMetrics } from "~/features/analytics/queries.server";
import { minutes } from "~/lib/time";
import { meteredD1, noCost } from "~/platform/d1.server";
import { bindings } from "../../support/context";
import { makeTicket, ticketWorld } from "../../support/tickets";

/** Says how long a parameter of a statement may be at most, in bytes; the database of the tests takes longer ones. */
const PARAMETER_MAX = 2_000_000;

/** Returns the database, and how long the longest text is that it was given. */
function measuredDb() {
  const longest = { bytes: 0 };
  const database = {
    prepare: (query: string) => {
      const statement = bindings.DB.prepare(query);
      const bind = statement.bind.bind(statement);
      statement.bind = (...values) => {
        for (const value of values)
          if (typeof value === "string") longest.bytes = Math.max(longest.bytes, value.length);
        return bind(...values);
      };
      return statement;
    },
    batch: <Row>(statements: D1PreparedStatement[]) => bindings.DB.batch<Row>(statements),
  };
  return { longest, db: openDb(meteredD1(database, noCost())) };
}

test("tickets with so much behind them that it fits into no single parameter are counted all the same", async () => {
  const { base, here, dana } = await ticketWorld();
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const at = base.now();
  const verdict = [at, at + minutes(60), at + minutes(30)].join(" ");
  await base.db.run(sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
    INSERT INTO ticket_events(id, organization_id, ticket_id, kind, from_value, to_value, actor_side, actor_name, at)
    SELECT 'tev_' || i, ${here.id}, ${ticket.id}, 'promise_kept', 'next_response', ${verdict}, 'staff', 'Sam', ${at} FROM n`);
  const { db, longest } = measuredDb();
  expect(await measureTickets({ ...base, db })).toEqual({ count: 1, more: false });
  expect(longest.bytes).toBeLessThan(PARAMETER_MAX);
  const metrics = await readMetrics(db, { from: "2026-11-18", to: "2026-11-18" });
  expect(metrics).toMatchObject({ promises: { kept: 15_000 }, unmeasured: 0 });
});
