import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { days } from "~/lib/time";
import { restoreDatabase } from "../../../scripts/lib/database-restore.mjs";
import { rememberHost } from "../../../scripts/lib/deployment.mjs";
import { bookmarkOf, livedDatabase, removeDatabases, WANTED } from "../../support/lived-database";
import { NOW } from "../../support/node-database";

let db: ReturnType<typeof livedDatabase>;

beforeEach(() => {
  db = livedDatabase();
});
afterEach(() => db.close());
afterAll(removeDatabases);

const restore = (options = {}) => restoreDatabase({ bookmark: WANTED, ...options }, db.tools);

const restores = () =>
  db
    .rows("SELECT meta_json FROM audit_events WHERE subject_type = 'database'")
    .map(({ meta_json }) => JSON.parse(String(meta_json)));

/** Expects the state in which every restore ends, however often it was interrupted. */
function expectFinished() {
  expect(restores()).toEqual([expect.objectContaining({ bookmark: WANTED, lostThrough: 5, kept: 0 })]);
  expect(db.rows("SELECT name FROM counters WHERE name LIKE 'audit.epoch.%'")).toHaveLength(1);
  expect(db.rows("SELECT action FROM audit_events ORDER BY id")).toEqual([
    { action: "session.started" },
    { action: "security.database_restored" },
  ]);
  expect(db.rows("SELECT * FROM sessions")).toEqual([]);
  expect(db.rows("SELECT value FROM counters WHERE name = 'ticket'")).toEqual([{ value: 1040 }]);
  expect(db.hasNotes()).toBe(false);
}

test("what is to be done next names the environment that was restored, and never another", async () => {
  await restore({ env: "staging" });
  const commands = db.printed.join("\n").match(/npm run [^\n(]+/g) ?? [];
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(command).toContain("--env staging");
});

test("it says what will be lost, asks, restores, records the restore and ends what came back", async () => {
  await restore();
  expectFinished();
  const said = db.printed.join("\n");
  expect(said).toMatch(/state of about 2026-11-16 15:5\d UTC/);
  expect(said).toContain("      3  changed their password");
  expect(said).toContain("      1  erased a person");
  expect(said).toContain(`npm run restore:bookmark -- ${bookmarkOf(3)}`);
  expect(restores()[0]).toMatchObject({
    undo: bookmarkOf(3),
    state: expect.stringMatching(/^2026-11-16 15:5\d UTC$/),
  });
  expect(db.made.filter((call) => ["confirm", "travelTo", "execute"].includes(call))).toEqual([
    "confirm",
    "travelTo",
    "execute",
  ]);
});

test("migrations that the restored database lacks are named", async () => {
  db.exec("DELETE FROM d1_migrations WHERE name LIKE '0001%'");
  await restore({ bookmark: db.keep(NOW - days(1.5)) });
  expect(db.printed.join("\n")).toMatch(/npm run deploy: it lacks migrations \(0001_\w+\.sql\)/);
});

test("whoever says no has changed nothing", async () => {
  db.tools.confirm = () => Promise.reject(new Error("Nothing was changed."));
  await expect(restore()).rejects.toThrow("Nothing was changed.");
  expect(db.travelled).toEqual([]);
  expect(db.hasNotes()).toBe(false);
});

describe("interrupted, and started again", () => {
  /** Returns the calls of a restore that is not interrupted. */
  async function callsOfRestore() {
    await restore();
    const { made } = db;
    db.close();
    db = livedDatabase();
    return made;
  }

  test.each([
    ["did not reach the database", false],
    ["reached it, and only its answer was lost", true],
  ])("it finishes, whichever call %s, and nothing is done twice", async (_, isDone) => {
    const calls = await callsOfRestore();
    expect(new Set(calls).size).toBe(6);
    const survived = new Set<string>();
    for (const [index, call] of calls.entries()) {
      db.close();
      db = livedDatabase();
      db.failAt(index + 1, isDone);
      await restore().then(
        () => survived.add(call),
        () => restore(),
      );
      expectFinished();
      expect(db.travelled).toEqual([WANTED]);
    }
    // When that was, and which migrations are lacking, need not be known.
    expect([...survived].sort()).toEqual(["bookmarkAt", "query"]);
  });

  test("what was written between the restore and its record is kept, and the undo is the state of before", async () => {
    const calls = await callsOfRestore();
    db.failAt(calls.indexOf("execute") + 1, false);
    await expect(restore()).rejects.toThrow("A connection was lost");
    db.record(NOW, "submission.received");
    await restore();
    expect(db.rows("SELECT action FROM audit_events ORDER BY id").map(({ action }) => action)).toEqual([
      "session.started",
      "submission.received",
      "security.database_restored",
    ]);
    expect(db.travelled).toHaveLength(1);
    expect(restores()).toEqual([expect.objectContaining({ undo: bookmarkOf(3) })]);
  });

  test("another bookmark may be chosen then; the undo stays that of the first run", async () => {
    const calls = await callsOfRestore();
    const other = db.keep(NOW - days(0.5));
    db.failAt(calls.indexOf("execute") + 1, false);
    await expect(restore()).rejects.toThrow("A connection was lost");
    await restore({ bookmark: other });
    expect(db.travelled).toEqual([WANTED, other]);
    expect(restores()).toEqual([expect.objectContaining({ bookmark: other, undo: bookmarkOf(4) })]);
  });
});

describe("the host that was deployed to", () => {
  const deployTo = (host: string) => db.exec(rememberHost(host, NOW));
  const known = () => db.rows("SELECT value_json FROM settings WHERE key = 'deployed_host'");

  test("stays the one of the last deployment, and not that of the restored state", async () => {
    deployTo("old.acme-it.net");
    const bookmark = db.keep(NOW - days(0.5));
    deployTo("new.acme-it.net");
    await restore({ bookmark });
    expect(known()).toEqual([{ value_json: '"new.acme-it.net"' }]);
  });

  test("is unknown after a restore by hand, so the next deployment looks whose it is", async () => {
    deployTo("old.acme-it.net");
    const bookmark = db.keep(NOW - days(0.5));
    await db.tools.database.travelTo(bookmark);
    await restore({ bookmark, isRestored: true });
    expect(known()).toEqual([]);
  });
});

test("the same bookmark again changes nothing, unless that is said", async () => {
  await restore();
  db.record(NOW, "submission.received");
  const before = db.rows("SELECT * FROM audit_events");
  await restore();
  expect(db.rows("SELECT * FROM audit_events")).toEqual(before);
  expect(db.printed.at(-1)).toContain("add --again");
  await restore({ again: true });
  expect(db.travelled).toEqual([WANTED, WANTED]);
  expect(restores()).toHaveLength(1);
});

test("a restore by hand is only recorded", async () => {
  await db.tools.database.travelTo(WANTED);
  db.openSession("revived");
  await restore({ isRestored: true });
  expect(db.travelled).toEqual([WANTED]);
  expect(restores()).toEqual([expect.objectContaining({ bookmark: WANTED, undo: null })]);
  expect(db.rows("SELECT * FROM sessions")).toEqual([]);
});

test("a database that lost its tables can be restored all the same", async () => {
  db.exec("DROP TABLE audit_events");
  await restore();
  expect(restores()).toEqual([expect.objectContaining({ bookmark: WANTED, lostThrough: null })]);
  expect(db.printed.join("\n")).toContain("The database lacks tables");
});

test.each([
  ["none", undefined],
  ["no bookmark", "yesterday"],
  ["one with a quote", `${bookmarkOf(1)}'`],
])("%s is refused before anything is asked", async (_, typed) => {
  await expect(restore({ bookmark: typed })).rejects.toThrow("Name the bookmark");
  expect(db.made).toEqual([]);
});

test("a bookmark of the present or later is refused", async () => {
  await expect(restore({ bookmark: bookmarkOf(9) })).rejects.toThrow("not older than the database");
  expect(db.travelled).toEqual([]);
});
