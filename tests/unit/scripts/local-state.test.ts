import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { otherBeginning } from "../../../scripts/lib/migrations.mjs";

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
