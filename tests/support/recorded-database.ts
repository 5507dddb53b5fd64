import { expect } from "vitest";
import { openDb } from "~/db/client.server";
import { type D1Cost, meteredD1, noCost } from "~/platform/d1.server";
import { bindings, type TestContext, testContext } from "./context";

/** Returns a context whose database records the text of every statement, once each. */
export function recordedContext(): { context: TestContext; statements: Set<string> } {
  const recorded = new Set<string>();
  const cost: D1Cost = noCost();
  const database = {
    prepare: (query: string) => {
      recorded.add(query);
      return bindings.DB.prepare(query);
    },
    batch: <Row>(statements: D1PreparedStatement[]) => bindings.DB.batch<Row>(statements),
  };
  return { context: testContext({ db: openDb(meteredD1(database, cost)), cost }), statements: recorded };
}

/** Lists the tables that grow with use: a statement that scans a whole one of them gets slower every day. */
const GROWING_TABLES = [
  "contact_submissions",
  "submission_events",
  "submission_assignments",
  "submission_replies",
  "admin_notes",
  "attachments",
  "audit_events",
  "live_events",
  "outbox",
  "idempotency",
  "users",
  "sessions",
  "support_tickets",
  "mfa_audit_log",
  "security_alerts",
  "rate_limit_attempts",
];

type Step = { parent: number; detail: string };

/** Returns those steps of a statement's plan that scan a whole growing table, or one of its indexes. */
function scansOf(statement: string, steps: readonly Step[], growing: readonly string[]): string[] {
  const names = new Set(growing.flatMap((table) => [table, ...aliasesOf(statement, table)]));
  // A subquery may bear the name of the table it reads: its few rows are gone through beside the step that makes them.
  const isSubquery = (name: string, parent: number) =>
    steps.some((step) => step.parent === parent && /^(CO-ROUTINE|MATERIALIZE) (\w+)$/.exec(step.detail)?.[2] === name);
  return steps
    .filter(({ detail, parent }) => {
      const [, name = ""] = /^SCAN (\w+)/.exec(detail) ?? [];
      return names.has(name) && !detail.includes("VIRTUAL TABLE") && !isSubquery(name, parent);
    })
    .map(({ detail }) => detail);
}

const NO_ALIAS = /^(where|order|on|set|cross|left|join|indexed|limit|group|values|default)$/i;

/** Returns the aliases of a table in a statement. */
const aliasesOf = (statement: string, table: string): string[] =>
  [...statement.matchAll(new RegExp(`\\b${table}"?\\s+(?:as\\s+)?"?(\\w+)`, "gi"))]
    .map(([, alias = ""]) => alias)
    .filter((alias) => !NO_ALIAS.test(alias));

/** Expects that none of the statements reads a growing table from end to end. `tables`: further ones of a test. */
export async function expectNoScan(statements: ReadonlySet<string>, atLeast: number, tables: readonly string[] = []) {
  expect(statements.size).toBeGreaterThanOrEqual(atLeast);
  const asked = [...statements];
  const plans = await bindings.DB.batch<Step>(
    asked.map((statement) => {
      const values = [...statement.matchAll(/\?/g)].map(() => 1);
      return bindings.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`).bind(...values);
    }),
  );
  const growing = [...GROWING_TABLES, ...tables];
  const scans = asked.map((statement, index) => ({
    statement: statement.slice(0, 300),
    scans: scansOf(statement, plans[index]?.results ?? [], growing),
  }));
  expect(scans.filter(({ scans }) => scans.length > 0)).toEqual([]);
}
