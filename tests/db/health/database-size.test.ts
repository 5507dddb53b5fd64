import { expect, test } from "vitest";
import {
  getSystemStatus,
  readHealthReport,
  readInstallation,
  readWhatTakesRoom,
} from "~/features/health/system-status.server";
import { dispatch } from "~/jobs/dispatch.server";
import { bindings, derive, testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { expectNoScan, recordedContext } from "../../support/recorded-database";
import { recordRestore } from "../../support/time-travel";

const GIGABYTE = 1024 ** 3;

/** Returns the context of a request that the database has told that it is so large. */
async function sized(gigabytes: number) {
  const ctx = testContext();
  await dispatch(ctx);
  return derive(ctx, { cost: { ...ctx.cost, databaseSize: gigabytes * GIGABYTE } });
}

test.each([
  [4.99, []],
  [5, ["The database is filling up: 5.0 GB of 10 GB (50.0%)"]],
  [7.9, ["The database is filling up: 7.9 GB of 10 GB (79.0%)"]],
  [8, ["The database is almost full: 8.0 GB of 10 GB (80.0%). Once it is full, nothing can be saved"]],
])("at %d GB the status of the system says of it: %j", async (size, problems) => {
  const ctx = await sized(size);
  expect(await getSystemStatus(ctx)).toEqual({ operational: problems.length === 0, problems });
});

test("the health page says how large the database is, what is wanted, and how to get there", async () => {
  const lineAt = async (size: number) =>
    (await readHealthReport(await sized(size))).find(({ name }) => name === "Database size");
  expect(await lineAt(0.5)).toMatchObject({ state: "ok", detail: "512.0 MB of 10 GB (5.0%)" });
  expect(await lineAt(8.25)).toMatchObject({
    state: "attention",
    detail: "8.3 GB of 10 GB (82.5%): almost full",
    fix: expect.stringContaining("docs/decisions/0048"),
  });
});

test("the size is what the database itself has told with its answers", async () => {
  const ctx = testContext();
  expect(ctx.cost.databaseSize).toBeNull();
  await getSystemStatus(ctx);
  expect(ctx.cost.databaseSize).toBeGreaterThan(100_000);
  const { facts } = await readInstallation(ctx);
  expect(facts.find(({ term }) => term === "Database")?.detail).toMatch(/^[\d.]+ (KB|MB) of 10 GB/);
});

test("what takes the room is told in rows, the most first, in round numbers and without counting one", async () => {
  const { context: ctx, statements } = recordedContext();
  await makeSubmission(ctx);
  const insert = bindings.DB.prepare(
    "INSERT INTO mfa_audit_log(id, user_id, action, method, success, created_at) VALUES (?, 'usr_x', 'setup', 'totp', 1, 1)",
  );
  await bindings.DB.batch([insert.bind(1), insert.bind(1_234_567)]);
  statements.clear();
  const before = ctx.cost.rowsRead;
  const room = await readWhatTakesRoom(ctx);
  // The first and the last row of each table.
  expect(ctx.cost.rowsRead - before).toBeLessThan(60);
  await expectNoScan(statements, 1, ["ticket_messages", "ticket_events", "mail_events", "notifications"]);
  expect(room.slice(0, 2)).toEqual([
    { term: "Search indexes", detail: "about 1,200,000 texts" },
    { term: "Events of two-step sign-in", detail: "about 1,200,000 rows" },
  ]);
  expect(room.find(({ term }) => term === "Requests with replies and notes")?.detail).toMatch(/^about \d+ rows?$/);
  expect(room.at(-1)?.detail).toBe("about 0 rows");
});

test("which part of the activity a restore took away stands there, and nothing before there was one", async () => {
  const ctx = testContext();
  const restored = async () =>
    (await readInstallation(ctx)).facts.filter(({ term }) => term === "Last restore").map(({ detail }) => detail);
  expect(await restored()).toEqual([]);
  await recordRestore(ctx, { lostThrough: 17 });
  expect(await restored()).toEqual([
    expect.stringMatching(
      /^To the state of 2026-11-18 15:00 UTC, recorded as event \d+\. What the activity lost lies between events 1 and 17 of before/,
    ),
  ]);
});
