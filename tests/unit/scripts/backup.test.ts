import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { CONTENT_TABLES, ENDED_TABLES, MANIFEST_NAME, type Manifest, REBUILT_TABLES } from "~/features/backup/model";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { ERASED_PREFIX } from "~/features/privacy/model";
import { days } from "~/lib/time";
import { isAlive } from "../../../scripts/lib/child-process.mjs";
import { openLocalDatabase } from "../../../scripts/lib/local-state.mjs";
import { openLocalStores } from "../../../scripts/lib/local-stores.mjs";
import {
  findBackup,
  isEmptyFolder,
  openBackup,
  openForRestore,
  restoreInto,
  restoreRows,
} from "../../../scripts/lib/restore-backup.mjs";
import { restoreAtCloudflare, statementsOf } from "../../../scripts/lib/state-for-cloudflare.mjs";
import { scriptFlags } from "../../../scripts/lib/toolchain.mjs";
import { writeBackup } from "../../../scripts/lib/write-backup.mjs";
import { deployedSite, newInstallation } from "../../support/deployment";
import { demoDatabase, migratedDatabase, migrations, migrationTexts, NOW } from "../../support/node-database";
import { bucketOfNode } from "../../support/node-stores";
import { testSecrets } from "../../support/test-variables.mjs";

const root = mkdtempSync(path.join(tmpdir(), "wrenfield-backup-"));
afterAll(() => rmSync(root, { recursive: true }));
const inFolder = (...names: string[]) => path.join(root, ...names);

const FILES: Record<string, Uint8Array> = {
  "attachments/one": new TextEncoder().encode("what was sent"),
  "attachments/two": new TextEncoder().encode("what was sent"),
  "audit/2026-11-17/copy.ndjson": new TextEncoder().encode("what was recorded"),
  "mail/large": new Uint8Array(300_000).fill(7),
};

const identity = await generateX25519Identity();
const recipient = await identityToRecipient(identity);
const world = demoDatabase();
const kept = inFolder("kept");
let manifest: Manifest;

beforeAll(async () => {
  world.exec("DELETE FROM canned_replies WHERE rowid = 2; DELETE FROM live_events WHERE seq > 10");
  world.exec("INSERT OR REPLACE INTO calendars_in_force(since, calendar) VALUES (0, '{}')");
  world.exec(`INSERT INTO other_addresses(email, user_id, added_by, added_at)
    SELECT 'member@home.example', id, id, 0 FROM users WHERE email = 'member@brightsmile.example'`);
  manifest = await writeBackup({
    ...{ database: world, files: bucketOfNode(FILES), recipient, keys: testSecrets, to: kept, now: NOW },
  });
});

let copies = 0;

/** A copy of the backup that may be damaged. */
function copyOfBackup(): string {
  copies += 1;
  cpSync(kept, inFolder(`copy-${copies}`), { recursive: true });
  return inFolder(`copy-${copies}`);
}

const into = () => inFolder(`state-${copies}`);

const asked = (folder: string) => ({
  ...{ folder, identity, keys: testSecrets, migrations, now: () => NOW + days(2), print: () => undefined },
});

async function refusal(folder: string, others: object = {}): Promise<string> {
  const error = await restoreInto(into(), { ...asked(folder), ...others }).then(
    () => "",
    (reason: Error) => reason.message,
  );
  expect(isEmptyFolder(into()) && isEmptyFolder(`${into()}.unfinished`), "nothing is written").toBe(true);
  return error;
}

/** What makes a row of a sum, wherever it stands. A period that has come to nothing may be missing. */
const sumsOf = (rows: object[]) =>
  rows
    .filter((row) => Object.values(row).some((value) => value !== 0))
    .map((row) => JSON.stringify(row))
    .toSorted();

test("every table of the schema is content, rebuilt or ended", () => {
  const names = world
    .prepare(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
       AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name));
  expect([...CONTENT_TABLES, ...REBUILT_TABLES, ...ENDED_TABLES].toSorted()).toEqual(names);
});

test("as statements for Cloudflare it fills an empty database of the same version, long texts too, and fails in any other", () => {
  world.exec("BEGIN");
  onTestFinished(() => world.exec("ROLLBACK"));
  const long = ["😀".repeat(24_000), `Ünïcode\n${"'".repeat(99_000)}`, "\0".repeat(60_000), "'".repeat(60_000)];
  const ids = world.prepare("SELECT id FROM canned_replies").all();
  for (const [index, text] of long.entries())
    world.prepare("UPDATE canned_replies SET title = ?1, message = ?1 WHERE id = ?2").run(text, String(ids[index]?.id));
  const statements = [...statementsOf(world)];
  // What D1 takes.
  expect(Math.max(...statements.map((statement) => Buffer.byteLength(statement)))).toBeLessThan(100_000);
  const target = migratedDatabase();
  const fill = () => target.exec(`BEGIN; ${statements.join(";\n")}; COMMIT`);
  fill();
  for (const table of [...CONTENT_TABLES, ...REBUILT_TABLES]) {
    const rows = (database: DatabaseSync) => database.prepare(`SELECT rowid AS _row, * FROM "${table}"`).all();
    const [was, is] = [rows(world), rows(target)];
    if (CONTENT_TABLES.some((name) => name === table)) expect(is, table).toEqual(was);
    else expect(sumsOf(is.map(({ _row, ...row }) => row)), table).toEqual(sumsOf(was.map(({ _row, ...row }) => row)));
  }
  const triggers = (database: DatabaseSync) =>
    database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").all();
  expect(triggers(target)).toEqual(triggers(world));
  expect(fill).toThrow(/must_hold/);
  target.exec("ROLLBACK; DELETE FROM users; INSERT INTO d1_migrations(name) VALUES ('9999_later.sql')");
  expect(fill).toThrow(/must_hold/);
});

/** Tables that the restore itself writes to: who was let in before is not any more, and that is on record. */
const TOUCHED = ["audit_events", "counters", "invitations", "outbox", "users"];

/** Where it dies, and of what. Files come first. While rows are written, nothing but the process itself can be lost. */
const DEATHS = [
  { victim: "self", step: 5, rehearses: true },
  { victim: "writer", step: 5, rehearses: false },
  { victim: "self", step: 1_000, rehearses: false },
];

async function expectDeath(death: (typeof DEATHS)[number]) {
  const given = { ...asked(kept), ...death, keys: death.rehearses ? null : testSecrets, into: into() };
  const program = path.resolve("tests/support/restore-until.mjs");
  const { status, stdout } = spawnSync(process.execPath, [...scriptFlags, program, JSON.stringify(given)]);
  expect(status).not.toBe(0);
  for (const pid of stdout.toString().split(" ").filter(Boolean)) {
    await expect.poll(() => isAlive(Number(pid)), { timeout: 30_000, message: `${pid} outlives it` }).toBe(false);
  }
  expect(isEmptyFolder(into()), "there is no state").toBe(true);
  expect(isEmptyFolder(`${into()}.unfinished`), "it was at it").toBe(false);
}

test("a restore or rehearsal that dies leaves no state, and by the next one the demo world is the same as it was, but for what is ended", {
  timeout: 180_000,
}, async () => {
  for (const death of DEATHS) await expectDeath(death);
  const stray = path.join("v3", "of-another-backup");
  writeFileSync(path.join(`${into()}.unfinished`, stray), "");
  const { rows, duration } = await restoreInto(into(), asked(kept));
  expect([rows, duration]).toEqual([Object.values(manifest.counts).reduce((sum, count) => sum + count, 0), 0]);
  expect(isEmptyFolder(`${into()}.unfinished`)).toBe(true);
  expect(existsSync(path.join(into(), stray)), "it began anew").toBe(false);
  const restored = await openLocalDatabase(into());
  const all = (database: DatabaseSync, table: string, columns = "rowid AS _row, *") =>
    database.prepare(`SELECT ${columns} FROM "${table}" ORDER BY 1`).all();
  for (const table of CONTENT_TABLES.filter((name) => !TOUCHED.includes(name))) {
    expect(all(restored, table), table).toEqual(all(world, table));
  }
  for (const table of REBUILT_TABLES) {
    const [was, is] = [sumsOf(all(world, table, "*")), sumsOf(all(restored, table, "*"))];
    // The restore is an event, too.
    expect(
      is.filter((row) => !/activity\./.test(row)),
      table,
    ).toEqual(was.filter((row) => !/activity\./.test(row)));
  }
  const users = "SELECT id, email, password_hash, full_name, number, rowid FROM users ORDER BY id";
  expect(restored.prepare(users).all()).toEqual(world.prepare(users).all());
  const events = (database: DatabaseSync) =>
    database.prepare("SELECT * FROM audit_events WHERE action <> 'security.database_restored' ORDER BY id").all();
  expect(events(restored)).toEqual(events(world));
  const found = `SELECT rowid FROM ticket_search WHERE ticket_search MATCH '"printer"' ORDER BY rowid`;
  expect(restored.prepare(found).all()).toEqual(world.prepare(found).all());
  expect(restored.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'live_events'").get()).toEqual(
    world.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'live_events'").get(),
  );
  const recorded =
    "SELECT meta_json ->> 'backup' AS backup FROM audit_events WHERE action = 'security.database_restored'";
  expect(restored.prepare(recorded).all()).toEqual([{ backup: manifest.id }]);
  for (const table of ["sessions", "auth_tokens", "mfa_backup_codes"]) expect(all(restored, table), table).toEqual([]);
  restored.close();
  const stores = await openLocalStores(into());
  for (const [key, bytes] of Object.entries(FILES)) {
    const file = await stores.files.get(key);
    expect(file && new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
  }
  await stores.close();
});

test("who was erased after the backup is erased again, with and without an account, and nobody else", async () => {
  const folder = copyOfBackup();
  const keys = { config: testSecrets } as unknown as Parameters<typeof recipientHash>[0];
  const { id, email } = world
    .prepare("SELECT id, email FROM users WHERE email = 'member@brightsmile.example'")
    .get() as {
    id: string;
    email: string;
  };
  const sender = world.prepare("SELECT email FROM contact_submissions LIMIT 1").get() as { email: string };
  const note = (at: number, person: string, address: string) =>
    writeFileSync(
      path.join(folder, ERASED_PREFIX, `${at}-${person}.json`),
      JSON.stringify({ at, person, email: recipientHash(keys, address) }),
    );
  cpSync(path.join(folder, "files"), path.join(folder, ERASED_PREFIX), { recursive: true });
  note(NOW + days(1), id, email);
  note(NOW + days(1), "sub_that_came_later", sender.email);
  note(NOW + days(1), "con_later", "later@brightsmile.example");
  note(NOW - days(1), "usr_before", "owner@brightsmile.example");
  const restored = new DatabaseSync(":memory:");
  const { erased } = await restoreRows(restored, await openForRestore(into(), asked(folder)));
  expect(erased).toBe(2);
  const count = (sql: string, ...values: string[]) => restored.prepare(sql).get(...values)?.n;
  expect(count("SELECT count(*) AS n FROM users WHERE email = ?", email)).toBe(0);
  expect(count("SELECT count(*) AS n FROM users WHERE email = 'owner@brightsmile.example'")).toBe(1);
  expect(count("SELECT count(*) AS n FROM contact_submissions WHERE email = ?", sender.email)).toBe(0);
  expect(count("SELECT count(*) AS n FROM person_erasures WHERE user_id = ?", id)).toBe(1);
  expect(count("SELECT count(*) AS n FROM audit_events WHERE action = 'user.erased' AND subject_id = ?", id)).toBe(1);
  // No file brings them back by another address, nor anybody whom the backup did not know.
  for (const address of [email, "member@home.example", sender.email, "later@brightsmile.example"])
    expect(count("SELECT count(*) AS n FROM erased_addresses WHERE email_hash = ?", recipientHash(keys, address))).toBe(
      1,
    );
  restored.close();
});

const flip = (file: string) => {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * 0.7);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};
const page = (folder: string, name: string) => path.join(folder, manifest.id, name);

test("what is wrong with a backup is said before anything is written", async () => {
  const damages: [RegExp, (folder: string) => void][] = [
    [/^support_tickets-00001.* is damaged/, (folder) => flip(page(folder, "support_tickets-00001.ndjson.gz.age"))],
    [/does not open the backup/, (folder) => flip(page(folder, MANIFEST_NAME))],
    [/^users-00001.* is damaged/, (folder) => truncateSync(page(folder, "users-00001.ndjson.gz.age"), 900)],
    [/^users-00001.* is damaged/, (folder) => appendFileSync(page(folder, "users-00001.ndjson.gz.age"), "more")],
    [/^users-00001.* is missing/, (folder) => rmSync(page(folder, "users-00001.ndjson.gz.age"))],
    [/has no backup that is whole/, (folder) => rmSync(page(folder, MANIFEST_NAME))],
    [/is damaged: it is the file mail\/large/, (folder) => flip(largestFile(folder))],
    [/is missing: it is the file mail\/large/, (folder) => rmSync(largestFile(folder))],
    [
      /^users-00001.* is not the one of this backup/,
      (folder) => cpSync(page(folder, "settings-00001.ndjson.gz.age"), page(folder, "users-00001.ndjson.gz.age")),
    ],
  ];
  for (const [message, damage] of damages) {
    const folder = copyOfBackup();
    damage(folder);
    expect(await refusal(folder)).toMatch(message);
  }
});

function largestFile(folder: string): string {
  const names = readdirSync(path.join(folder, "files"), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".age")).map((name) => path.join(folder, "files", name));
  return files.toSorted((one, other) => readFileSync(other).length - readFileSync(one).length)[0] ?? "";
}

/** Seals a manifest that says something else, as whoever has the public key can. */
async function forged(change: Partial<Manifest>): Promise<string> {
  const folder = copyOfBackup();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  writeFileSync(page(folder, MANIFEST_NAME), await encrypter.encrypt(JSON.stringify({ ...manifest, ...change })));
  return folder;
}

test("a wrong key, other keys of the site, a newer version and a manifest that does not add up are refused", async () => {
  expect(await refusal(copyOfBackup(), { identity: await generateX25519Identity() })).toMatch(
    /does not open the backup/,
  );
  const otherKeys = { ...testSecrets, LOG_HMAC_KEY: testSecrets.FORM_KEY_1 };
  expect(await refusal(copyOfBackup(), { keys: otherKeys })).toMatch(/of another installation: LOG_HMAC_KEY differs/);
  expect(await refusal(await forged({ schema: { migration: "0999_later.sql", sha256: "" } }))).toMatch(/0999_later/);
  expect(await refusal(await forged({ counts: { ...manifest.counts, users: 1 } }))).toMatch(/rows of users and not 1/);
  const huge = manifest.pages.map((entry) => (entry.table === "users" ? { ...entry, bytes: 1e15 } : entry));
  expect(await refusal(await forged({ pages: huge }))).toMatch(/users-00001/);
  const files = { ...manifest.files, bytes: 1e16 };
  expect(await refusal(await forged({ files }))).toMatch(/There is no room for it/);
});

test("a folder that holds something is not written to", async () => {
  const before = readdirSync(kept, { recursive: true });
  await expect(restoreInto(kept, asked(kept))).rejects.toThrow(/holds something already/);
  expect(readdirSync(kept, { recursive: true })).toEqual(before);
});

/** A site that is deployed and that nobody uses, and the way to restore into its database. */
async function newSite() {
  const site = await deployedSite(migrationTexts);
  const scratch = path.join(path.dirname(site.files.settings), "scratch");
  return {
    ...site,
    scratch,
    calls: () =>
      site.wrangler.calls.map(({ name, args }) => (name === "d1 execute" && args.includes("--file") ? "import" : name)),
    kept: (): Record<string, string> => site.wrangler.account().buckets[0].files ?? {},
    restore: (others: object = {}, name = "wrenfield", folder = kept) =>
      restoreAtCloudflare(name, asked(folder), {
        run: site.wrangler.run,
        print: () => undefined,
        settings: site.files.settings,
        scratch,
        ...others,
      }),
  };
}

test("a deployed database that nobody uses takes a backup, its bucket takes the files, and no other backup after it", async () => {
  const site = await newSite();
  await site.restore();
  expect(site.calls()).toEqual(["whoami", "d1 execute", "import", "r2 bulk put", "r2 bulk put"]);
  const users = "SELECT id, email, password_hash FROM users ORDER BY id";
  expect(await site.rows(users)).toEqual(world.prepare(users).all());
  const base64 = Object.entries(FILES).map(([key, bytes]) => [key, Buffer.from(bytes).toString("base64")]);
  expect(site.kept()).toEqual(Object.fromEntries(base64));
  expect(existsSync(site.scratch), "opened data stay here").toBe(false);
  const folder = copyOfBackup();
  cpSync(page(folder, ""), path.join(folder, "2026-11-19T02-00-00"), { recursive: true });
  await expect(site.restore({}, "wrenfield", folder)).rejects.toThrow(/is in use/);
});

test("rows that find no room here or are not imported leave no file at Cloudflare and nothing opened here", async () => {
  const site = await newSite();
  const huge = await forged({ files: { ...manifest.files, bytes: 1e16 } });
  await expect(site.restore({}, "wrenfield", huge)).rejects.toThrow(/There is no room for it/);
  expect(site.calls()).not.toContain("import");
  const run = async (args: string[], options?: { input?: string }) =>
    args.includes("--file") ? { code: 1, output: "fetch failed" } : site.wrangler.run(args, options);
  await expect(site.restore({ run })).rejects.toThrow(/Nothing was restored into wrenfield/);
  expect(site.kept()).toEqual({});
  expect(existsSync(site.scratch)).toBe(false);
});

test("a restore at Cloudflare that is ended while it imports has closed and removed what it opened here", async () => {
  const site = await newSite();
  const before = process.listeners("exit");
  const run = async (args: string[], options?: { input?: string }) => {
    if (!args.includes("--file")) return site.wrangler.run(args, options);
    const closes = vi.spyOn(DatabaseSync.prototype, "close");
    onTestFinished(() => closes.mockRestore());
    expect(statSync(site.scratch).mode & 0o077, "others may look into it").toBe(0);
    for (const end of process.listeners("exit")) if (!before.includes(end)) end(130);
    expect(closes).toHaveBeenCalled();
    expect(existsSync(site.scratch)).toBe(false);
    return { code: 130, output: "" };
  };
  await expect(site.restore({ run })).rejects.toThrow(/Nothing was restored into wrenfield/);
  expect(process.listeners("exit")).toEqual(before);
});

test.each([
  ["the rows", false],
  ["the rows and the files", true],
])("a restore at Cloudflare that stops after %s goes on, beside copies of the audit that are locked", async (_, isAfter) => {
  const site = await newSite();
  let left = isAfter ? 2 : 1;
  const run = async (args: string[], options?: { input?: string }) => {
    const fails = args.includes("bulk") && --left === 0;
    if (fails && !isAfter) return { code: 1, output: "fetch failed" };
    const result = await site.wrangler.run(args, options);
    return fails ? { code: 1, output: "fetch failed" } : result;
  };
  await expect(site.restore({ run })).rejects.toThrow(/files are lacking: run the same command again/);
  expect(existsSync(site.scratch)).toBe(false);
  await site.restore();
  expect(site.calls().filter((name) => name === "import")).toHaveLength(1);
  expect(Object.keys(site.kept()).toSorted()).toEqual(Object.keys(FILES).toSorted());
});

test("a database that is unknown, not made or of another version is refused before anything is opened", async () => {
  const site = await newSite();
  await expect(site.restore({}, "other")).rejects.toThrow(/no database other, but wrenfield/);
  const bare = newInstallation();
  await expect(site.restore({ settings: bare.files.settings })).rejects.toThrow(/database_id is a placeholder/);
  await site.rows("INSERT INTO d1_migrations(name) VALUES ('9999_later.sql') RETURNING id");
  await expect(site.restore()).rejects.toThrow(/of another version/);
  expect(existsSync(site.scratch)).toBe(false);
});

test("the newest backup that is whole is taken, or the one that is named", async () => {
  const folder = copyOfBackup();
  const later = "2026-11-19T02-00-00";
  cpSync(path.join(folder, manifest.id), path.join(folder, later), { recursive: true });
  expect(findBackup(folder)).toBe(later);
  expect(findBackup(folder, manifest.id)).toBe(manifest.id);
  const opened = openBackup(folder, later, { identity, keys: testSecrets, migrations });
  await expect(opened).rejects.toThrow(/holds the manifest of another backup/);
  rmSync(path.join(folder, later, MANIFEST_NAME));
  expect(findBackup(folder)).toBe(manifest.id);
});
