import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { loadWrangler } from "../../../scripts/lib/toolchain.mjs";
import { migrationProblems, splitExactly, splitLikeServer, splitNaively } from "../../support/migration-rules.mjs";
import { migrationTexts } from "../../support/node-database";

const { unstable_splitSqlQuery } = loadWrangler();
const folder = path.resolve("migrations");
const migrations = Object.entries(migrationTexts);

test.each(migrations)("D1 takes %s as it is", (_, sql) => {
  expect(migrationProblems(sql)).toEqual([]);
});

test.each(
  migrations,
)("%s is cut into the same statements by SQLite's rule, by wrangler, by the server and by a simple tool", (_, sql) => {
  const statements = unstable_splitSqlQuery(sql);
  expect(statements.length).toBeGreaterThan(0);
  for (const split of [splitExactly, splitLikeServer, splitNaively]) expect(split(sql), split.name).toEqual(statements);
});

test("the journal and the one snapshot that new migrations are compared with belong to the files", () => {
  const { entries } = JSON.parse(readFileSync(path.join(folder, "meta/_journal.json"), "utf8"));
  expect(entries.map(({ tag }: { tag: string }) => `${tag}.sql`)).toEqual(migrations.map(([name]) => name));
  const last = migrations.at(-1)?.[0].slice(0, "0000".length);
  expect(readdirSync(path.join(folder, "meta"))).toContain(`${last}_snapshot.json`);
});

const trigger = (body: string) => `CREATE TRIGGER counted AFTER INSERT ON users BEGIN\n  ${body}\nEND;\n`;
const COUNT = "UPDATE totals SET value = value + 1;";

test("what D1 takes is not complained about", () => {
  const value = "(CASE name WHEN 'it''s; END' THEN 1 ELSE (CASE WHEN 1 THEN 2 END) END)";
  const sql = `-- Counts what is new: people.\n${trigger(`UPDATE totals SET value = value + ${value};`)}SELECT ';';\n`;
  expect(migrationProblems(sql)).toEqual([]);
  expect(splitLikeServer(sql)).toEqual(unstable_splitSqlQuery(sql));
});

test.each([
  [
    trigger("UPDATE totals SET value = value + CASE name WHEN 'a' THEN 1 ELSE 2 END;"),
    "CASE … END without parentheses",
  ],
  [trigger("SELECT (1 + CASE WHEN 1 THEN 2 END);"), "CASE … END without parentheses"],
  [trigger("SELECT (CASE WHEN 1 THEN 2 END + 1);"), "CASE … END without parentheses"],
  ["SELECT (CASE WHEN 1 THEN 2);\n", "CASE without an END"],
  [trigger(COUNT).replace("BEGIN", "begin"), "begin in small letters"],
  [trigger(COUNT).replace("END", "end"), "end in small letters"],
  ["SELECT (CASE WHEN 1 THEN 2 end);\n", "end in small letters"],
  [trigger(COUNT).replaceAll("\n", "\r\n"), "a carriage return"],
  ["-- The people's names.\nSELECT 1;\n", "a quote or a semicolon in a comment"],
  ["-- Names; and more.\nSELECT 1;\n", "a quote or a semicolon in a comment"],
  ['/* The "names" */ SELECT 1;\n', "a quote or a semicolon in a comment"],
  [`SELECT '${"é".repeat(50_001)}';\n`, "a statement of 100011 bytes"],
  ["SELECT 1", "the last statement has no semicolon"],
  ["SELECT 1;\n-- Nothing else.\n", "a comment behind the last statement"],
  // Rules of single words do not see these; the comparison of the ways to split does.
  [trigger(`SELECT 'at the END;'; ${COUNT}`), "split by a simple tool"],
  ["CREATE TABLE days (BEGIN text);\nSELECT 1;\n", "split by the server"],
  [`-- BEGIN of the counters\n${COUNT}\n${COUNT}\n`, "split by the server"],
])("of %j it is said: %s", (sql, problem) => {
  expect(migrationProblems(sql).join("\n")).toContain(problem);
});

test("a problem is told with its line", () => {
  expect(migrationProblems(`SELECT 1;\n${trigger("SELECT CASE WHEN 1 THEN 2 END;")}`)[0]).toMatch(/^line 3: CASE/);
});

test.each([
  ["a CASE without parentheses", trigger("UPDATE totals SET value = value + CASE name WHEN 'a' THEN 1 END; SELECT 1;")],
  ["a small begin", trigger(COUNT).replace("BEGIN", "begin")],
  ["an apostrophe in a comment", "-- The people's names.\nSELECT 1;\nSELECT 2;\n"],
  ["a semicolon in a comment", "SELECT 1;\n-- names;\nSELECT 2;\n"],
])("the server cuts %s in the wrong place, where SQLite and wrangler do not", (_, sql) => {
  expect(splitExactly(sql)).toEqual(unstable_splitSqlQuery(sql));
  expect(splitLikeServer(sql)).not.toEqual(splitExactly(sql));
});
