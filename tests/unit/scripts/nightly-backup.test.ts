import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { listForFetch, readForFetch } from "~/features/backup/fetch.server";
import {
  BACKUPS_PREFIX,
  backupIdAt,
  CHANGES,
  CONTENT_TABLES,
  fileName,
  keptBackups,
  MANIFEST_NAME,
} from "~/features/backup/model";
import { backUp } from "~/features/backup/nightly.server";
import { days, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { Files } from "~/platform/files.server";
import { recordOfRestore } from "../../../scripts/lib/database-restore.mjs";
import { fetchBackups } from "../../../scripts/lib/fetch-backup.mjs";
import { findBackup, openBackup, openForRestore, restoreRows } from "../../../scripts/lib/restore-backup.mjs";
import { seededRandom } from "../../../scripts/lib/seeded-random.mjs";
import { demoDatabase, migratedDatabase, migrations, NOW } from "../../support/node-database";
import { dbOfNode, filesOfNode, type StoredFiles } from "../../support/node-stores";
import { testSecrets } from "../../support/test-variables.mjs";

const root = mkdtempSync(path.join(tmpdir(), "wrenfield-nightly-"));
afterAll(() => rmSync(root, { recursive: true }));

/** The platform's fails, too, when what comes is not as long as it was told. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(size: number) {
    let left = size;
    super({
      transform: (part, controller) => {
        left -= part.length;
        controller.enqueue(part);
      },
      flush: () => {
        if (left !== 0) throw new Error(`${left} bytes are missing`);
      },
    });
  }
}
Object.assign(globalThis, { FixedLengthStream });

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);

const seeded = path.join(root, "seeded.sqlite");
const world = demoDatabase(seeded);
world.exec("INSERT INTO calendars_in_force(since, calendar) VALUES (0, '{}')");
world.close();

/** Has no rows but those that migrations write: for runs of many nights. */
const empty = path.join(root, "empty.sqlite");
migratedDatabase(empty).close();

const text = (words: string) => new TextEncoder().encode(words);

type Site = ReturnType<typeof siteOf>;

/** A site with database and files. */
function siteOf(name: string, from = seeded, stored: StoredFiles = new Map()) {
  const file = path.join(root, `${name}.sqlite`);
  copyFileSync(from, file);
  const database = new DatabaseSync(file);
  const files = filesOfNode(stored);
  const site = {
    file,
    database,
    stored,
    files,
    now: NOW as Instant,
    taken: {} as Record<string, unknown[]>,
    publicKey: recipient as string | undefined,
    /** Comes between two calls of a run: people work on. */
    meanwhile: () => undefined as unknown,
    /** `isCut` is asked before each call that a run makes: a batch of statements, or one to the file store. */
    slice: async ({ pieces = Number.POSITIVE_INFINITY, isCut = (_call: string): boolean => false } = {}) => {
      let calls = 0;
      const call = (what: string) => {
        calls += 1;
        if (isCut(what)) throw new Error("cut off");
        if (calls % 6 === 0) site.meanwhile();
      };
      const db = dbOfNode(database, (queries) => {
        call(queries.join(";"));
        if (queries.some((query) => /table_name AS "table"/.test(query))) site.taken = rowsOf(database);
      });
      const counted = Object.fromEntries(
        Object.entries(files).map(([method, run]) => [
          method,
          async (...values: unknown[]) => {
            call(`${method} ${values[0]}`);
            return (run as (...values: unknown[]) => unknown)(...values);
          },
        ]),
      ) as Files;
      let asked = 0;
      return backUp({
        config: { ...testSecrets, BACKUP_PUBLIC_KEY: site.publicKey } as unknown as Ctx["config"],
        db,
        files: counted,
        now: () => site.now,
        budget: {
          isUsedUp: () => {
            asked += 1;
            return asked >= pieces;
          },
        },
      });
    },
    /** Until there is nothing more to do. */
    run: async () => {
      while ((await site.slice()).more);
    },
    backups: () =>
      [...stored.keys()].filter((key) => key.endsWith(MANIFEST_NAME)).map((key) => key.split("/")[1] ?? ""),
  };
  for (const [key, words] of [
    ["att/00/one", "what was sent"],
    ["att/00/two", "what was sent"],
    ["erased/1-usr.json", '{"at":1}'],
    ["mail/raw", "a letter"],
  ] as const) {
    files.put(key, text(words));
  }
  return site;
}

let backedUp: Promise<Site> | undefined;

/** A site with one whole backup of the demo world. */
async function backedUpSite(name: string): Promise<Site> {
  backedUp ??= (async () => {
    const site = siteOf("backed-up");
    await site.run();
    return site;
  })();
  const { file, stored } = await backedUp;
  return siteOf(name, file, new Map(stored));
}

const rowsOf = (database: DatabaseSync): Record<string, unknown[]> =>
  Object.fromEntries(
    CONTENT_TABLES.map((table) => [
      table,
      database.prepare(`SELECT rowid AS _row, * FROM "${table}" ORDER BY 1`).all(),
    ]),
  );

/** Puts what lies in the file store into a folder, as it is fetched. */
function fetched({ stored }: Site, name: string): string {
  const folder = path.join(root, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [key, { bytes }] of stored) {
    if (!key.startsWith(BACKUPS_PREFIX)) continue;
    const target = path.join(folder, key.slice(BACKUPS_PREFIX.length));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  return folder;
}

/** Tables that the restore itself writes to. */
const TOUCHED = ["audit_events", "counters", "invitations", "outbox", "users"];

/** Returns what a folder restores, and how many rows that is. */
async function restoredFrom(folder: string) {
  const asked = { folder, identity, keys: testSecrets, migrations, now: () => NOW + days(2), print: () => undefined };
  const restored = new DatabaseSync(":memory:");
  const { rows } = await restoreRows(restored, await openForRestore(path.join(root, "restored"), asked));
  return { restored, rows };
}

async function expectRestored(site: Site, name: string, expected: Record<string, unknown[]>) {
  const { restored } = await restoredFrom(fetched(site, name));
  const rows = rowsOf(restored);
  for (const table of CONTENT_TABLES.filter((table) => !TOUCHED.includes(table))) {
    expect(rows[table], table).toEqual(expected[table]);
  }
  const people = (list: unknown[] | undefined) =>
    (list as { id: string; email: string; full_name: string }[]).map(({ id, email, full_name }) => [
      id,
      email,
      full_name,
    ]);
  expect(people(rows.users)).toEqual(people(expected.users));
  restored.close();
}

const triggersOf = ({ database }: Site) =>
  database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'backup_*'").get()?.n;

/** Rows are added, changed and deleted, an address goes from one person to another, and a file comes and goes. */
function peopleAtWork({ database, files }: Site, random: () => number) {
  let round = 0;
  return () => {
    round += 1;
    const any = (table: string) =>
      database
        .prepare(`SELECT rowid AS row FROM ${table} ORDER BY rowid LIMIT 1 OFFSET ?`)
        .get(Math.floor(random() * 5))?.row as number;
    database
      .prepare("UPDATE support_tickets SET title = ? WHERE rowid = ?")
      .run(`Title ${round}`, any("support_tickets"));
    database.prepare("DELETE FROM canned_replies WHERE rowid = ?").run(any("canned_replies") ?? 0);
    database.exec(`INSERT INTO canned_replies(id, created_at, updated_at, title, message)
      VALUES ('cr_${round}', ${round}, ${round}, 'Reply ${round}', 'Words')`);
    // Each of them is found anew by it, in many places.
    if (round % 5 === 1)
      database.exec(`UPDATE users SET email = 'x' || rowid WHERE rowid IN (1, 2);
      UPDATE users SET email = 'p' || (3 - rowid + ${round}) || '@example.test' WHERE rowid IN (1, 2)`);
    files.put(`att/${round % 7}/new`, text(`file ${round}`));
    files.delete([`att/${(round + 3) % 7}/new`]);
  };
}

test("a backup that was made in slices while people worked on is the state of one moment", async () => {
  const site = siteOf("busy");
  site.meanwhile = peopleAtWork(site, seededRandom(1).next);
  for (let more: boolean | undefined = true; more; ) ({ more } = await site.slice({ pieces: 7 }));
  expect(site.backups()).toHaveLength(1);
  expect(triggersOf(site)).toBe(0);
  expect([...site.stored.keys()].some((key) => key.includes(`/${CHANGES}-`))).toBe(true);
  await expectRestored(site, "busy", site.taken);
});

/** What a run does one after the other, until it records that it is finished. */
const STEPS: [string, RegExp][] = [
  ["begins, and sets the triggers", /^insert into "backups"|;insert into "backups"/],
  ["takes a slice for itself", /^update "backups" set "version"/],
  ["writes a page", /^put backups\/2026/],
  ["records how far it is", /update "backups" set "progress"/],
  ["takes what has changed", /table_name AS "table"/],
  ["writes what has changed", /^put backups\/2026.*changes-/],
  ["takes the triggers away", /DROP TRIGGER/],
  ["seals a file", /^put backups\/files/],
  ["notes the file", /insert into "backup_files"/],
  ["writes the manifest", new RegExp(`^put .*${MANIFEST_NAME}`)],
];

test("cut off before or after whatever it does, it goes on, and there is never half of a backup", async () => {
  const known = { identity, keys: testSecrets, migrations };
  const site = siteOf("cut");
  site.meanwhile = peopleAtWork(site, seededRandom(1).next);
  for (const [step, pattern] of STEPS) {
    for (const isDone of [false, true]) {
      let isReached = false;
      const isCut = (call: string) => {
        const before = isReached;
        isReached ||= pattern.test(call);
        return isDone ? before : isReached;
      };
      const error = await site.slice({ isCut }).catch((reason: Error) => reason);
      expect(`${(error as Error).message} ${(error as Error).cause}`, step).toMatch(/cut off/);
      site.now += 60_000;
      for (const id of site.backups()) await openBackup(fetched(site, "cut"), id, known);
    }
  }
  await site.run();
  const [id = "", ...others] = site.backups();
  expect([others, triggersOf(site)]).toEqual([[], 0]);
  const { pages } = await openBackup(fetched(site, "cut"), id, known);
  // Nothing is left of what was written and is not of it.
  expect([...site.stored.keys()].filter((key) => key.startsWith(`${BACKUPS_PREFIX}${id}/`)).toSorted()).toEqual(
    [...pages.map(({ name }: { name: string }) => name), MANIFEST_NAME]
      .map((name) => `${BACKUPS_PREFIX}${id}/${name}`)
      .toSorted(),
  );
  await expectRestored(site, "cut", site.taken);
});

test("two runs at once: one goes on, and the other one writes nothing that counts", async () => {
  const site = siteOf("twice");
  await site.slice({ pieces: 3 });
  const [one, other] = await Promise.allSettled([site.slice({ pieces: 5 }), site.slice({ pieces: 5 })]);
  expect([one.status, other.status].toSorted()).toEqual(["fulfilled", "rejected"]);
  await site.run();
  expect(site.backups()).toHaveLength(1);
  await expectRestored(site, "twice", site.taken);
});

test("without a public key there is none, and what was begun is given up with its triggers", async () => {
  const site = siteOf("no-key");
  await site.slice({ pieces: 3 });
  expect(triggersOf(site)).toBeGreaterThan(100);
  site.publicKey = undefined;
  await site.run();
  expect([triggersOf(site), site.backups()]).toEqual([0, []]);
  site.publicKey = "age1notakey";
  expect(await site.slice()).toEqual({ count: 0 });
});

test.each([
  ["the database was migrated", "DROP TRIGGER backup_users_changed", /was migrated/],
  [
    "more has changed than one answer holds",
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20001)
     INSERT INTO missing_paths(day, path, number, hits) SELECT '2020-01-01', '/' || i, i, 1 FROM n`,
    /More than 20000 rows/,
  ],
])("a backup during which %s is given up, and the next one is whole", async (what, change, message) => {
  const site = siteOf(`given up, ${what}`);
  await site.slice({ pieces: 3 });
  site.database.exec(change);
  await expect(site.run()).rejects.toThrow(message);
  expect(triggersOf(site)).toBe(0);
  site.now += 60_000;
  await site.run();
  expect(site.backups()).toHaveLength(1);
  const pages = [...site.stored.keys()].filter((key) => /backups\/2026.*users-/.test(key));
  expect(new Set(pages.map((key) => key.split("/")[1]))).toEqual(new Set(site.backups()));
});

test("a backup that runs while the database goes back to a bookmark ends, and the next one needs nothing of before", async () => {
  const site = await backedUpSite("bookmark");
  site.now += days(1);
  await site.slice({ pieces: 3 });
  const unknown = { bookmark: "b", undo: null, state: null, lostThrough: null, numbers: {}, host: null };
  let isBack = false;
  // In the middle of a slice.
  site.meanwhile = () => {
    if (isBack) return;
    isBack = true;
    for (const statement of recordOfRestore({ ...unknown, epoch: site.now }, site.now)) site.database.exec(statement);
  };
  await expect(site.slice({ pieces: 20 })).rejects.toThrow(/Another run/);
  const [before] = site.backups();
  // The bookmark knows of files that were taken away since.
  for (const key of site.stored.keys()) if (key.startsWith(`${BACKUPS_PREFIX}files/`)) site.stored.delete(key);
  site.now += 60_000;
  await site.run();
  const ids = site.backups();
  expect([ids.length, ids[0], triggersOf(site)]).toEqual([2, before, 0]);
  const folders = [...site.stored.keys()].flatMap((key) => /^backups\/(2026[^/]*)/.exec(key)?.[1] ?? []);
  expect(new Set(folders)).toEqual(new Set(ids));
  await expectRestored(site, "bookmark", site.taken);
});

test("a file is sealed once for one key, and goes when no backup that is kept refers to it", async () => {
  const site = siteOf("files", empty);
  const sealedFiles = () => [...site.stored.keys()].filter((key) => key.startsWith(`${BACKUPS_PREFIX}files/`));
  const puts: string[] = [];
  const { put } = site.files;
  site.files.put = async (key, ...rest) => {
    puts.push(key);
    return put(key, ...rest);
  };
  site.files.put("att/99/large", new Uint8Array(9_000_000).fill(7));
  await site.run();
  // Two of the five hold the same.
  expect(sealedFiles()).toHaveLength(4);
  const nextNight = () => {
    site.now += days(1);
    puts.length = 0;
    return site.run();
  };
  site.files.delete(["mail/raw"]);
  await nextNight();
  expect(puts.filter((key) => key.includes("/files/"))).toEqual([]);
  expect(sealedFiles()).toHaveLength(4);
  // After them the first two are not the newest of a day, week or month that counts.
  for (let night = 2; night < 9; night += 1) {
    const at = NOW + days(night);
    site.database
      .prepare("INSERT INTO backups(id, started_at, finished_at, version, recipient) VALUES (?, ?, ?, 1, ?)")
      .run(backupIdAt(at), at, at, recipient);
  }
  site.now = NOW + days(8);
  await nextNight();
  expect(site.backups()).toEqual([backupIdAt(site.now)]);
  expect(sealedFiles()).toHaveLength(3);
  const other = await identityToRecipient(await generateX25519Identity());
  site.publicKey = other;
  await nextNight();
  expect(sealedFiles().filter((key) => key.startsWith(BACKUPS_PREFIX + fileName(other, "").slice(0, 14)))).toHaveLength(
    3,
  );
  expect(sealedFiles()).toHaveLength(6);
});

test("seven days, four weeks and twelve months are kept, each by its newest backup", () => {
  const ids = Array.from({ length: 500 }, (_, ago) =>
    new Date(NOW - days(ago) + hours(1)).toISOString().slice(0, 19).replaceAll(":", "-"),
  );
  const kept = [...keptBackups(ids)]
    .map((id) => id.slice(0, 10))
    .sort()
    .reverse();
  expect(kept.slice(0, 7)).toEqual(ids.slice(0, 7).map((id) => id.slice(0, 10)));
  expect(kept.slice(7)).toEqual([
    ...["2026-11-08", "2026-11-01", "2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30"],
    ...["2026-05-31", "2026-04-30", "2026-03-31", "2026-02-28", "2026-01-31", "2025-12-31"],
  ]);
  expect(keptBackups([])).toEqual(new Set());
});

const FETCH_KEY = "k".repeat(43);

/** Answers as the routes of a site do. `spoil` may cut an answer, change it, or leave it out. */
async function served(site: Site) {
  const answers = {
    asked: [] as string[],
    ranges: [] as string[],
    said: [] as string[],
    spoil: (_path: string, bytes: Uint8Array): Uint8Array | null => bytes,
    fetchTo: (to: string, key = FETCH_KEY) =>
      fetchBackups({ from: `http://127.0.0.1:${port}`, key, to, print: (line: string) => answers.said.push(line) }),
  };
  const server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const request = new Request(url, { headers: incoming.headers as Record<string, string> });
    const ctx = {
      ...{ config: { ...testSecrets, BACKUP_FETCH_KEY: FETCH_KEY }, files: site.files, now: () => site.now },
      ...{ db: dbOfNode(site.database), log: () => undefined, signedIn: null },
      request: { id: "test", url, network: "203.0.113.7", ip: "203.0.113.7" },
    } as unknown as Ctx;
    const name = decodeURIComponent(url.pathname.slice("/backups/".length));
    const response = name ? await readForFetch(ctx, request, name) : await listForFetch(ctx, request);
    answers.asked.push(url.pathname);
    answers.ranges.push(...[request.headers.get("Range")].filter((range) => range !== null));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const spoiled = answers.spoil(url.pathname, bytes);
    if (spoiled === null) return outgoing.destroy();
    const head = outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (spoiled.length === bytes.length) return head.end(spoiled);
    // A line that breaks within a file.
    head.write(spoiled, () => setImmediate(() => outgoing.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return answers;
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));

test("what is fetched from a site restores; a second fetch brings only what is new", async () => {
  const site = await backedUpSite("fetched");
  const { asked, fetchTo } = await served(site);
  const to = path.join(root, "fetched-folder");
  await fetchTo(to);
  expect(filesIn(to)).toContain("erased/1-usr.json");
  asked.length = 0;
  site.now += days(1);
  site.files.put("att/00/three", text("another one"));
  await site.run();
  await fetchTo(to);
  const files = asked.filter((path) => path.includes("/files/"));
  expect(files).toHaveLength(1);
  expect(asked.at(-1)).toMatch(/manifest/);
  expect((await restoredFrom(to)).rows).toBeGreaterThan(1000);
});

test("a backup of a state that was undone is no newest one: the fetch names it, and goes by what the site knows", async () => {
  const site = siteOf("undone", empty);
  await site.run();
  const [first = ""] = site.backups();
  const { said, fetchTo } = await served(site);
  const to = path.join(root, "undone-folder");
  site.now += days(1);
  await site.run();
  const undone = site.backups().find((id) => id !== first) ?? "";
  expect((await fetchTo(to)).newest).toBe(undone);
  expect(said.join()).not.toContain("went back");
  // As after a bookmark of between the two: the file store is not put back.
  site.database.prepare("DELETE FROM backups WHERE id = ?").run(undone);
  expect((await fetchTo(to)).newest).toBe(first);
  expect(said.at(-1)).toMatch(`${undone} is of a state that was undone`);
  expect(findBackup(to)).toBe(undone);
});

test("a fetch that is cut off or spoiled leaves nothing half of a backup, and goes on the next time, within a file too", async () => {
  const site = await backedUpSite("spoiled");
  const answers = await served(site);
  const { asked, ranges, fetchTo } = answers;
  const to = path.join(root, "spoiled-folder");
  const left = (end: string) => filesIn(to).filter((name) => name.endsWith(end));
  let good = 20;
  const breaks: typeof answers.spoil = (asking, bytes) => {
    if (asking !== "/backups") good -= 1;
    return asking === "/backups" || good >= 0 ? bytes : bytes.slice(0, bytes.length / 2);
  };
  const { spoil: asItIs } = answers;
  answers.spoil = breaks;
  await expect(fetchTo(to)).rejects.toThrow();
  expect([left(".part").length > 0, left(MANIFEST_NAME)]).toEqual([true, []]);
  const there = filesIn(to).length - left(".part").length;
  expect(there).toBeGreaterThan(10);
  answers.spoil = (asking, bytes) =>
    asking === "/backups" ? bytes : bytes.map((byte, at) => (at === 50 ? byte ^ 1 : byte));
  await expect(fetchTo(to)).rejects.toThrow(/did not arrive as it is there/);
  answers.spoil = () => null;
  await expect(fetchTo(to)).rejects.toThrow();
  answers.spoil = breaks;
  await expect(fetchTo(to)).rejects.toThrow();
  answers.spoil = asItIs;
  asked.length = 0;
  ranges.length = 0;
  const begun = left(".part").map((name) => statSync(path.join(to, name)).size);
  expect(begun.length).toBeGreaterThan(0);
  await fetchTo(to);
  expect(ranges.toSorted()).toEqual(begun.map((size) => `bytes=${size}-`).toSorted());
  expect(left(".part")).toEqual([]);
  expect(asked.filter((path) => path !== "/backups")).toHaveLength(filesIn(to).length - there);
  expect((await restoredFrom(to)).rows).toBeGreaterThan(1000);
});

test("a wrong key, a site without backups, an address without https and a full disk are said in words", async () => {
  const site = siteOf("refused", empty);
  const { fetchTo } = await served(site);
  const to = path.join(root, "refused-folder");
  await expect(fetchTo(to)).rejects.toThrow(/has no backup yet/);
  await site.run();
  await expect(fetchTo(to, "w".repeat(43))).rejects.toThrow(/This key does not open the backups/);
  const others = { key: FETCH_KEY, to, print: () => undefined };
  await expect(fetchBackups({ from: "http://wrenfield.example", ...others })).rejects.toThrow(/not the https address/);
  expect(existsSync(to)).toBe(false);
  const list = site.files.list;
  site.files.list = async (...place) => {
    const { found, hasMore } = await list(...place);
    return { found: found.map((file) => ({ ...file, size: 1e16 })), hasMore };
  };
  await expect(fetchTo(to)).rejects.toThrow(/There is no room for it/);
  expect(filesIn(to)).toEqual([]);
});
