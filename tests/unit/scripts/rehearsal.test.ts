import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONTENT_TABLES } from "~/features/backup/model";
import { NAME_PLACES } from "~/features/privacy/erase-person.server";
import { days } from "~/lib/time";
import { missingConfiguration } from "../../../scripts/lib/production-settings.mjs";
import { makeVisitors } from "../../../scripts/lib/rehearsal.mjs";
import { KEPT, personalDataReplacer, REPLACED } from "../../../scripts/lib/replace-personal-data.mjs";
import { openForRestore, restoreFiles, restoreRows } from "../../../scripts/lib/restore-backup.mjs";
import { rehearseAtCloudflare } from "../../../scripts/lib/state-for-cloudflare.mjs";
import { scriptFlags } from "../../../scripts/lib/toolchain.mjs";
import { remoteDatabase } from "../../../scripts/lib/wrangler.mjs";
import { writeBackup } from "../../../scripts/lib/write-backup.mjs";
import { ANSWERS, deployedSite, newInstallation } from "../../support/deployment";
import { demoDatabase, migrations, migrationTexts, NOW, withCheapHashes } from "../../support/node-database";
import { bucketOfNode } from "../../support/node-stores";
import { testSecrets } from "../../support/test-variables.mjs";

const root = mkdtempSync(path.join(tmpdir(), "wrenfield-rehearsal-"));
afterAll(() => {
  rehearsed.close();
  rmSync(root, { recursive: true });
});

const replaced: Record<string, Record<string, string>> = REPLACED;
const kept: Record<string, string[]> = KEPT;
const columns = Object.entries(replaced).flatMap(([table, kinds]) =>
  Object.entries(kinds).map(([column, kind]) => ({ table, column, kind })),
);

/** The columns with text that is neither a key nor one of a list of words, as "table.column". */
async function textColumns(): Promise<string[]> {
  const folder = path.resolve("app/db/schema");
  const modules = await Promise.all(readdirSync(folder).map((name) => import(path.join(folder, name))));
  const tables = modules
    .flatMap((module) => Object.values(module))
    .filter((table): table is SQLiteTable => is(table, SQLiteTable));
  return tables.flatMap((table) => {
    const keys = getTableConfig(table).foreignKeys.flatMap((key) => key.reference().columns.map(({ name }) => name));
    return Object.values(getTableColumns(table))
      .filter(({ dataType, enumValues, generated }) => dataType === "string" && !generated && !enumValues?.length)
      .filter(({ name }) => !keys.includes(name) && !/^id$|_id$/.test(name))
      .map(({ name }) => `${getTableName(table)}.${name}`);
  });
}

test("each column with text is replaced in a rehearsal, or kept because it names nobody", async () => {
  const { leftOut } = personalDataReplacer();
  const tables = CONTENT_TABLES.filter((table) => !leftOut.includes(table));
  const wanted = (await textColumns()).filter((name) => tables.some((table) => name.startsWith(`${table}.`)));
  const declared = [
    ...columns.map(({ table, column }) => `${table}.${column}`),
    ...Object.entries(kept).flatMap(([table, names]) => names.map((name) => `${table}.${name}`)),
  ];
  expect(declared.toSorted()).toEqual(wanted.toSorted());
});

test("whatever column the erasure of a person goes through is replaced", () => {
  for (const { table, name } of NAME_PLACES) {
    if (name) expect(replaced[table]?.[name], `${table}.${name}`).toMatch(/^words?$/);
  }
});

const SECRET = "Dana Whitlock, dana.whitlock@brightsmile.test, 415-867-5309, of Brightsmile";
const TELLING = /dana|whitlock|brightsmile|867/i;

test("no kind of replacement lets a name, an address or a number through", () => {
  const { row } = personalDataReplacer();
  for (const { table, column, kind } of columns.filter((one) => one.kind !== "derived")) {
    const written = {
      address: "dana.whitlock@brightsmile.test",
      domain: "brightsmile.test",
      network: "203.0.113.86",
      query: `q=${encodeURIComponent(SECRET)}`,
      json: JSON.stringify({ people: [{ label: SECRET, "dana@brightsmile.test": "Dana" }], note: SECRET.repeat(9) }),
      setting: JSON.stringify({ admin: "dana.whitlock@brightsmile.test" }),
      limited: "address dana.whitlock@brightsmile.test",
    }[kind];
    const changed = row(table, {
      title: "",
      description: "",
      first_name: "",
      last_name: "",
      email: "",
      name: "",
      full_name: "",
      search_name: "",
      size: 0,
      number: 1,
      letter_json: null,
      action: "user.created",
      [column]: written ?? SECRET,
    })[column];
    expect(String(changed), `${table}.${column} ${kind}`).not.toMatch(TELLING);
    if (kind === "network") expect(changed).toMatch(/^198\.18\./);
  }
});

test("the same address and name are the same again wherever they stand, and other ones in the next rehearsal", () => {
  const [one, next] = [personalDataReplacer(), personalDataReplacer()];
  const email = "dana@brightsmile.test";
  const contact = one.row("contacts", { email, full_name: "Dana Whitlock", search_name: "dana whitlock", phone: "" });
  const domain = one.row("organization_domains", { domain: "brightsmile.test" });
  expect(contact.email.endsWith(`@${domain.domain}`)).toBe(true);
  expect(one.row("ticket_copies", { email, stopped_mailbox: null })).toEqual({
    email: contact.email,
    stopped_mailbox: null,
  });
  const submission = one.row("contact_submissions", {
    first_name: "Dana",
    last_name: "Whitlock",
    email,
    company: null,
  });
  expect(`${submission.first_name} ${submission.last_name}`).toBe(contact.full_name);
  expect(contact.search_name).toBe(contact.full_name.toLowerCase());
  const tagged = one.row("ticket_copies", { email: "dana+home@brightsmile.test", stopped_mailbox: email });
  expect(tagged.email).not.toBe(contact.email);
  expect(tagged.email.replace(/\+[0-9a-f]+/, "")).toBe(tagged.stopped_mailbox);
  expect(next.row("contacts", { email, full_name: "Dana Whitlock", search_name: "", phone: "" }).email).not.toBe(
    contact.email,
  );
});

test("what the product reads in stored words, ids, numbers and times stays as it is", () => {
  const { row } = personalDataReplacer();
  const meta = { from: "open", to: "in_progress", month: "2026-10", people: { from: "usr_01abc" }, count: 3, on: true };
  const event = { action: "ticket.status_changed", meta_json: JSON.stringify(meta), subject_label: "T-1042: " };
  expect(row("audit_events", event)).toMatchObject({ meta_json: JSON.stringify(meta), subject_label: "T-1042: " });
  expect(row("ticket_events", { from_value: "low", to_value: "Former member" })).toMatchObject({
    from_value: "low",
    to_value: "Former member",
  });
  const facts = JSON.stringify({ firstResponse: { n: 1 }, zone: "America/Chicago", waiting: [{ ticket: "T-1" }] });
  expect(row("letters", { facts_json: facts, letter_json: null }).facts_json).toBe(facts);
});

const identity = await generateX25519Identity();
const folder = path.join(root, "kept");
const state = path.join(root, "state.sqlite");
const world = demoDatabase();
const rehearsed = new DatabaseSync(state);
const rehearsedFiles: Record<string, string> = {};
const FILES: Record<string, Uint8Array> = {
  "attachments/one": new TextEncoder().encode("The password of Dana Whitlock"),
  "audit/2026-11-18/copy": new TextEncoder().encode("{}"),
};

beforeAll(async () => {
  const recipient = await identityToRecipient(identity);
  const files = bucketOfNode(FILES);
  await writeBackup({ database: world, files, recipient, keys: testSecrets, to: folder, now: NOW });
  const asked = { folder, identity, keys: null, migrations, now: () => NOW + days(1), print: () => undefined };
  const backup = await openForRestore(state, { ...asked, replace: personalDataReplacer() });
  await restoreRows(rehearsed, backup);
  await restoreFiles(backup, async (key: string, bytes: Uint8Array) => {
    rehearsedFiles[key] = Buffer.from(bytes).toString();
  });
});

const listed = (sql: string): string[] =>
  world
    .prepare(sql)
    .all()
    .map(({ value }) => String(value).toLowerCase())
    .filter((value) => value.length > 5);

test("nothing that names a person of the demo world is anywhere in the data that are rehearsed with", () => {
  const text = [readFileSync(state, "utf8"), ...Object.values(rehearsedFiles)].map((stored) => stored.toLowerCase());
  const telling = [
    ...listed(
      "SELECT email AS value FROM users UNION SELECT email FROM contact_submissions UNION SELECT email FROM contacts",
    ),
    ...listed(
      "SELECT full_name AS value FROM users UNION SELECT first_name || ' ' || last_name FROM contact_submissions",
    ),
    ...listed("SELECT name AS value FROM organizations UNION SELECT domain FROM organization_domains"),
    ...listed("SELECT title AS value FROM support_tickets UNION SELECT message FROM ticket_messages"),
    ...listed("SELECT phone AS value FROM contact_submissions UNION SELECT name FROM attachments"),
    ...listed("SELECT message AS value FROM contact_submissions UNION SELECT note FROM admin_notes"),
    ...listed("SELECT ip AS value FROM audit_events WHERE ip IS NOT NULL UNION SELECT password_hash FROM users"),
  ];
  expect(telling.length).toBeGreaterThan(200);
  expect(telling.filter((value) => text.some((file) => file.includes(value)))).toEqual([]);
});

test("who belongs to what, who wrote what and what is found is the same after names were replaced", () => {
  const same = [
    "SELECT count(*) AS n FROM users u JOIN organization_memberships m ON m.user_id = u.id",
    "SELECT count(*) AS n FROM contact_submissions s JOIN users u ON u.email = s.email",
    "SELECT count(DISTINCT email) AS n FROM contact_submissions",
    "SELECT count(DISTINCT title) AS n FROM support_tickets",
    "SELECT count(*) AS n FROM ticket_messages m JOIN users u ON u.id = m.user_id AND u.full_name = m.author_name",
    "SELECT count(*) AS n FROM users u JOIN organization_domains d ON d.domain = substr(u.email, instr(u.email, '@') + 1)",
    "SELECT value AS n FROM totals WHERE name = 'ticket.open'",
  ];
  for (const sql of same) expect(rehearsed.prepare(sql).get()?.n, sql).toBe(world.prepare(sql).get()?.n);
  const { title, place } =
    rehearsed.prepare("SELECT title, opened_rank AS place FROM support_tickets LIMIT 1").get() ?? {};
  const [word] = String(title)
    .split(" ")
    .filter(({ length }) => length > 3);
  const found = rehearsed
    .prepare("SELECT rowid AS place FROM ticket_search WHERE ticket_search MATCH ?")
    .all(`"${word?.toLowerCase()}"`);
  expect(found).toContainEqual({ place });
  expect(rehearsed.prepare("SELECT count(*) AS n FROM audit_seals").get()).toEqual({ n: 0 });
  expect(rehearsed.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("files are as long as they were, with nothing of what was in them, and copies of the audit are left out", () => {
  expect(rehearsedFiles).toEqual({ "attachments/one": "What was in this file is repl" });
});

test("two who are let into a rehearsal are administrators, and one owns the organization with the newest ticket", () => {
  const { visitor, staff, client, statements } = withCheapHashes(() =>
    makeVisitors(rehearsed, testSecrets, NOW + days(2)),
  );
  rehearsed.exec(`BEGIN; ${statements.join(";")}`);
  const roleOf = ({ email }: { email: string }) =>
    rehearsed
      .prepare(
        `SELECT u.listed_role AS role, m.role AS membership, t.number AS newest FROM users u
         LEFT JOIN organization_memberships m ON m.user_id = u.id AND m.status = 'active'
         LEFT JOIN support_tickets t ON t.organization_id = m.organization_id WHERE u.email = ? ORDER BY 3 DESC LIMIT 1`,
      )
      .get(email);
  const newest = rehearsed.prepare("SELECT max(number) AS n FROM support_tickets").get()?.n;
  expect([visitor, staff].map(roleOf)).toEqual(
    Array.from({ length: 2 }, () => ({ role: "admin", membership: null, newest: null })),
  );
  expect(client && roleOf(client)).toEqual({ role: "user", membership: "owner", newest });
  rehearsed.exec("ROLLBACK");
});

/** A site, and an environment beside it that keeps its mails, with a migration that the backup has not seen. */
async function newSites() {
  const next = "9999_next.sql";
  const migration = "CREATE TABLE next AS SELECT count(*) AS people FROM users;";
  const site = await deployedSite({ ...migrationTexts, [next]: migration });
  const origin = "https://rehearsal.acme-it.net";
  await site.first({ ...ANSWERS, origin, "mail-provider": "capture" }, { env: "rehearsal" });
  await site.first({ ...ANSWERS, origin: "https://staging.acme-it.net" }, { env: "staging" });
  site.wrangler.calls.length = 0;
  const scratch = path.join(path.dirname(site.files.settings), "scratch");
  const rehearse = (
    env: string | undefined,
    keys: typeof testSecrets | null = null,
    build: () => Promise<unknown> = async () => undefined,
  ) =>
    rehearseAtCloudflare(
      {
        ...{ ...site.world, env, scratch, flags: {}, ask: null, build },
        lookAround: async (at: string, visitors: object | null) => [`${at} ${visitors ? "signed in" : "in public"}`],
      },
      {
        ...{ folder, id: undefined, identity, keys, migrations: [...migrations, next], now: () => NOW + days(1) },
        replace: personalDataReplacer(),
      },
    );
  const rows = (query: string) => remoteDatabase({ ...site.world, env: "rehearsal" }).query(query);
  /** Somebody uses it whom no rehearsal put there. */
  const come = () =>
    rows(
      "INSERT INTO users(id, email, full_name, status, created_at, updated_at) VALUES ('usr_1', 'a@b.example', 'Al', 'active', 0, 0) RETURNING id",
    );
  return { ...site, scratch, rehearse, rows, come };
}

test("only an environment beside the site can keep its mails, and a rehearsal can do nothing else", async () => {
  const site = newInstallation();
  await expect(site.first({ ...ANSWERS, "mail-provider": "capture" })).rejects.toThrow(/capture cannot be used/);
  const { vars } = await site.settings();
  const problemsOf = async (own: object) => (await missingConfiguration({ ...vars, ...own }, [])).problems;
  expect(await problemsOf({ APP_ENV: "rehearsal" })).toEqual([
    expect.stringMatching(/^MAIL_PROVIDER: must be capture/),
  ]);
  expect(await problemsOf({ APP_ENV: "rehearsal", MAIL_PROVIDER: "capture" })).toEqual([]);
  expect(await problemsOf({ MAIL_PROVIDER: "capture" })).toEqual([expect.stringMatching(/not allowed in production/)]);
});

test("a site that is in use, mails anybody or shares a store is refused, and nothing of it is touched", async () => {
  const site = await newSites();
  await expect(site.rehearse(undefined)).rejects.toThrow(/The top of wrangler.toml.*mails would leave/);
  await expect(site.rehearse("staging")).rejects.toThrow(/\[env.staging\].*mails would leave/);
  await expect(site.rehearse("elsewhere")).rejects.toThrow(
    /There is no \[env.elsewhere\].*--first --env elsewhere --mail-provider capture/,
  );
  const own = site.text();
  const { d1_databases, r2_buckets, kv_namespaces } = await site.settings();
  const rehearsal = await site.settings("rehearsal");
  const shared: [string | undefined, string | undefined][] = [
    [rehearsal.d1_databases[0]?.database_id, d1_databases[0]?.database_id],
    [rehearsal.r2_buckets[0]?.bucket_name, r2_buckets[0]?.bucket_name],
    [rehearsal.kv_namespaces[0]?.id, kv_namespaces[0]?.id],
  ];
  for (const [ours, theirs] of shared) {
    site.edit((text) => text.replace(String(ours), String(theirs)));
    await expect(site.rehearse("rehearsal")).rejects.toThrow(new RegExp(`shares ${theirs} with another`));
    site.edit(() => own);
  }
  // Wrangler calls an environment without a name by its own, and gives it the routes of the top.
  const [unnamed, ourName] = ['name = "wrenfield-staging"\n', 'name = "wrenfield-rehearsal"\n'];
  site.edit((text) => text.replace(unnamed, "").replace(ourName, unnamed));
  await expect(site.rehearse("rehearsal")).rejects.toThrow(/shares wrenfield-staging with another/);
  const ourRoutes = 'routes = [{ pattern = "rehearsal.acme-it.net", custom_domain = true }]\n';
  expect(own).toContain(ourRoutes);
  site.edit(() =>
    own
      .replace(ourRoutes, "")
      .replace(`${ourName}workers_dev = false`, `${ourName}workers_dev = true`)
      .replace("https://rehearsal.acme-it.net", "https://wrenfield-rehearsal.acme.workers.dev"),
  );
  await expect(site.rehearse("rehearsal")).rejects.toThrow(/the route support.acme-it.net is that of another/);
  site.edit(() => own);
  site.edit((text) => text.replace('APP_ENV = "rehearsal"', 'APP_ENV = "production"'));
  await expect(site.rehearse("rehearsal")).rejects.toThrow(/mails would leave/);
  site.edit(() => own);
  await site.come();
  await expect(site.rehearse("rehearsal")).rejects.toThrow(/is in use/);
  expect(site.changes()).toEqual([]);
  expect(existsSync(site.scratch)).toBe(false);
});

test("an environment that keeps its mails is filled with replaced rows of before, migrated there and deployed, and again, wherever it stopped", async () => {
  const site = await newSites();
  for (const name of ["r2 bulk put", "d1 migrations apply", "deploy"]) {
    site.wrangler.failOnce(name);
    await expect(site.rehearse("rehearsal"), name).rejects.toThrow(/cannot be reached/);
    expect(existsSync(site.scratch)).toBe(false);
  }
  const seen = await site.rehearse("rehearsal", testSecrets);
  expect(seen).toMatchObject({ lines: ["https://rehearsal.acme-it.net signed in"], migration: migrations.at(-1) });
  const people = world.prepare("SELECT count(*) AS n FROM users").get()?.n;
  // By then those who look around are not there.
  expect(await site.rows("SELECT people FROM next")).toEqual([{ people }]);
  expect(await site.rows("SELECT count(*) AS n FROM users")).toEqual([{ n: Number(people) + 3 }]);
  expect(await site.rows("SELECT count(*) AS n FROM users WHERE email LIKE '%brightsmile%'")).toEqual([{ n: 0 }]);
  const { buckets, workers } = site.wrangler.account();
  const bucket = buckets.find(({ name }: { name: string }) => name === "wrenfield-rehearsal-files");
  expect(Object.keys(bucket.files)).toEqual(["attachments/one"]);
  expect(Buffer.from(bucket.files["attachments/one"], "base64").toString()).not.toContain("Dana");
  expect(workers["wrenfield-rehearsal"].vars).toMatchObject({ APP_ENV: "rehearsal", MAIL_PROVIDER: "capture" });
  expect(existsSync(site.scratch)).toBe(false);
  expect((await site.rehearse("rehearsal")).lines).toEqual(["https://rehearsal.acme-it.net in public"]);
  expect(await site.rows("SELECT people FROM next")).toEqual([{ people }]);
  expect(await site.rows("SELECT count(*) AS n FROM users")).toEqual([{ n: people }]);
});

test("whoever comes into the database while a backup is opened for it stays there", async () => {
  const site = await newSites();
  await expect(site.rehearse("rehearsal", null, site.come)).rejects.toThrow(/Nothing was changed in rehearsal/);
  expect(await site.rows("SELECT id FROM users")).toEqual([{ id: "usr_1" }]);
});

const SCRATCH = path.resolve(".wrangler/rehearsal");

/** What the command says that ends without a rehearsal. */
function refusal(folder: string, key = identity): string {
  const file = path.join(root, "key");
  writeFileSync(file, key);
  const program = path.resolve("scripts/rehearse.mjs");
  const { stderr, status } = spawnSync(process.execPath, [...scriptFlags, program, folder, "--identity", file], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(existsSync(path.join(SCRATCH, "state")) || existsSync(path.join(SCRATCH, "state.unfinished"))).toBe(false);
  return stderr;
}

test("what cannot be rehearsed with is said before anything is written", async () => {
  const [id = ""] = readdirSync(folder).filter((name) => /^\d/.test(name));
  const flipped = path.join(root, "flipped");
  cpSync(folder, flipped, { recursive: true });
  const page = path.join(flipped, id, "users-00001.ndjson.gz.age");
  const bytes = readFileSync(page);
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
  writeFileSync(page, bytes);
  expect(refusal(flipped)).toMatch(/users-00001.*is damaged/);
  mkdirSync(SCRATCH, { recursive: true });
  writeFileSync(path.join(SCRATCH, "in-use"), String(process.pid));
  expect(refusal(folder)).toMatch(/in use by another command/);
  rmSync(SCRATCH, { recursive: true });
});
