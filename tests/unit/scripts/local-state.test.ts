import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { isPassword } from "~/platform/crypto.server";
import { expectIntact, makeVisitor, visit } from "../../../scripts/lib/drill.mjs";
import { otherBeginning } from "../../../scripts/lib/local-state.mjs";
import { compareWithBudgets } from "../../../scripts/lib/measure/budgets.mjs";
import { demoDatabase, NOW, withCheapHashes } from "../../support/node-database";
import { testSecrets } from "../../support/test-variables.mjs";

const FILES = ["0000_schema.sql", "0001_counters.sql"];
const words = { database: "The database in ./state", remedy: "Delete that folder." };

test("a database that began with migrations of an earlier version is named, with what to do", () => {
  expect(otherBeginning(["0001_leads.sql", "0000_first_tables.sql"], FILES, words)).toBe(
    "The database in ./state was made by an earlier version: it began with 0000_first_tables.sql, and the migrations of " +
      "this version begin with 0000_schema.sql. Nothing was changed. Delete that folder.",
  );
});

test.each([
  ["an empty one", []],
  ["one that lacks the newest", ["0000_schema.sql"]],
  ["one that has them all", ["0000_schema.sql", "0001_counters.sql"]],
  ["one of a newer version, whose migrations only add", ["0000_schema.sql", "0001_counters.sql", "0002_later.sql"]],
])("a database that can be migrated is let through: %s", (_, applied) => {
  expect(otherBeginning(applied, FILES, words)).toBeNull();
});

test("a local state of an earlier version is left as it is, and the sentence names its folder", () => {
  const state = mkdtempSync(path.join(tmpdir(), "state-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const folder = path.join(state, "v3/d1/miniflare-D1DatabaseObject");
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(path.join(folder, "local.sqlite"));
  onTestFinished(() => database.close());
  database.exec("create table d1_migrations(id integer primary key, name text); create table users(id text)");
  database.exec("insert into d1_migrations(name) values ('0000_first_tables.sql')");

  const script = 'import("./scripts/lib/local-state.mjs").then((state) => state.migrateLocalDatabase())';
  const env = { ...process.env, STATE_DIR: state };
  const { status, stderr } = spawnSync(process.execPath, ["--no-warnings", "-e", script], { env, encoding: "utf8" });
  expect(status).not.toBe(0);
  expect(stderr).toContain(`The local database in ${state} was made by an earlier version: it began with`);
  expect(stderr).toContain("Delete that folder with all that is in it, or set STATE_DIR to a new one.");
  expect(database.prepare("select name from sqlite_master where type = 'table' order by 1").all()).toEqual([
    { name: "d1_migrations" },
    { name: "users" },
  ]);
});

const EMPTY = { pages: [], data: [], exports: [] };

/** Returns the budgets that a run with this worker bundle, in bytes, has figures for. */
const budgetsOf = (gzip: number) => compareWithBudgets({ ...EMPTY, worker: { gzip } });

test("the bench says of each figure whether it is over the limit, and leaves out what it did not measure", () => {
  const budget = { budget: "Bundle of the worker, bytes", limit: 3_000_000, goal: 1_500_000 };
  expect(budgetsOf(1_500_000)).toEqual([{ ...budget, measured: 1_500_000, verdict: "goal" }]);
  expect(budgetsOf(3_000_000)).toEqual([{ ...budget, measured: 3_000_000, verdict: "within the limit" }]);
  expect(budgetsOf(3_000_001)).toEqual([{ ...budget, measured: 3_000_001, verdict: "OVER THE LIMIT" }]);
});

test("a page that could not be measured is named as not measured, never as a number", () => {
  const verdictOf = (shifts: (number | null)[]) =>
    compareWithBudgets({
      ...{ ...EMPTY, worker: { gzip: 1 } },
      paint: shifts.map((CLS) => ({ page: "/services", CLS })),
    }).find(({ budget }) => String(budget).startsWith("Layout shift"));
  expect(verdictOf([0, 0.03])).toMatchObject({ measured: 0.03, verdict: "OVER THE LIMIT" });
  expect(verdictOf([0.03, null])).toMatchObject({ measured: null, verdict: "NOT MEASURED" });
});

const database = demoDatabase();

test("a restore whose second factors cannot be read is not proven", () => {
  expect(() => expectIntact(database, testSecrets)).not.toThrow();
  expect(() => expectIntact(database, { ...testSecrets, DATA_KEK_1: testSecrets.FORM_KEY_1 })).toThrow();
});

test("who signs in for the drill is an administrator with a second factor and a password that nobody knows", () => {
  const { email, password, newest, statements } = withCheapHashes(() => makeVisitor(database, testSecrets, NOW));
  database.exec(statements.join(";"));
  const stored = database
    .prepare(
      `SELECT u.status, u.password_hash AS hash, r.role, f.is_enabled AS factor FROM users u
       JOIN user_roles r ON r.user_id = u.id JOIN user_mfa_settings f ON f.user_id = u.id WHERE u.email = ?`,
    )
    .get(email);
  expect(stored).toMatchObject({ status: "active", role: "admin", factor: 1 });
  expect(isPassword(testSecrets.PASSWORD_PEPPER_1, password, String(stored?.hash))).toBe(true);
  expect(newest.number).toBe(database.prepare("SELECT max(number) AS n FROM support_tickets").get()?.n);
});

test("a site that does not let the visitor in is not proven", async () => {
  const visitor = withCheapHashes(() => makeVisitor(database, testSecrets, NOW + 1));
  await expect(visit("http://127.0.0.1:1", visitor)).rejects.toThrow();
});
