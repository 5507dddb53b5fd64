import type { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { totpSecretContext } from "~/features/auth/model";
import { DEFAULT_SETTINGS } from "~/features/settings/settings.server";
import { days } from "~/lib/time";
import { decrypt, isPassword } from "~/platform/crypto.server";
import { accounts, PASSWORD } from "../../../scripts/lib/demo-world/people.mjs";
import { addDemoFiles } from "../../../scripts/lib/demo-world/seed.mjs";
import { demoDatabase, NOW } from "../../support/node-database";
import { testSecrets } from "../../support/test-variables.mjs";

const world = demoDatabase();
const rows = (sql: string, ...values: string[]) => world.prepare(sql).all(...values);
const one = (sql: string, ...values: string[]) => rows(sql, ...values)[0] ?? {};

test.each(accounts)("$email signs in with the password of the demo", ({ email }) => {
  const { password_hash } = one("select password_hash from users where email = ?", email);
  expect(isPassword(testSecrets.PASSWORD_PEPPER_1, PASSWORD, String(password_hash))).toBe(true);
});

test.each(accounts.filter(({ totp }) => totp))("$email has the authenticator secret of the demo", ({ email, totp }) => {
  const { id, totp_secret } = one(
    "select id, totp_secret from users join user_mfa_settings on user_id = id where email = ?",
    email,
  );
  expect(decrypt(testSecrets.DATA_KEK_1, totpSecretContext(String(id)), String(totp_secret))).toBe(totp);
});

test("there are at least forty submissions of the last ninety days, in every status, and some held ones", () => {
  expect(one("select count(*) as n from contact_submissions where held_reason is null").n).toBeGreaterThanOrEqual(40);
  expect(one("select min(created_at) as first from contact_submissions").first).toBeGreaterThan(NOW - days(90));
  expect(rows("select distinct status from contact_submissions order by 1").map((row) => row.status)).toEqual([
    "contacted",
    "new",
    "resolved",
  ]);
  expect(one("select count(*) as n from contact_submissions where held_reason is not null").n).toBeGreaterThan(0);
});

test("a promise of the month before was missed, so that a letter waits for its reason", () => {
  const missed = `select count(*) as n from ticket_events e join support_tickets t on t.id = e.ticket_id
    join organizations o on o.id = t.organization_id
    where e.kind = 'promise_missed' and o.slug = 'brightsmile-dental' and e.at between ? and ?`;
  const [first, last] = ["2026-10-01T06:00:00Z", "2026-11-01T05:00:00Z"].map((at) => String(Date.parse(at)));
  expect(one(missed, String(first), String(last)).n).toBe(1);
});

test("there are sixty tickets of three organizations and ninety days, in every status and of every priority, some late, some private, with conversations and notes", () => {
  expect(
    one(`select count(*) as tickets, count(distinct status) as statuses, count(distinct priority) as priorities,
      count(distinct organization_id) as organizations from support_tickets`),
  ).toEqual({ tickets: 60, statuses: 5, priorities: 4, organizations: 3 });
  expect(one("select min(created_at) as first from support_tickets").first).toBeGreaterThan(NOW - days(90));
  const some = (condition: string) => one(`select count(*) as n from support_tickets where ${condition}`).n;
  for (const condition of ["is_private", "assigned_to is null and is_active", "due_at is not null", "resolution <> ''"])
    expect(some(condition), condition).toBeGreaterThan(0);
  expect(some("status = 'resolved' and coalesce(resolution, '') = ''")).toBe(0);
  expect(some("updated_at > $now or last_message_at > $now".replaceAll("$now", String(NOW)))).toBe(0);
  expect(one("select count(*) as n from ticket_messages where is_internal").n).toBeGreaterThan(3);
  expect(one("select max(number) as last from support_tickets").last).toBe(
    one("select value from counters where name = 'ticket'").value,
  );
});

test("a ticket sends copies to an address without an account where the organization allows it, and somebody has quiet hours", () => {
  const copies = `select c.email, o.allows_copies as allowed, e.to_value as told, t.is_private as isPrivate
    from ticket_copies c join organizations o on o.id = c.organization_id join support_tickets t on t.id = c.ticket_id
    join ticket_events e on e.ticket_id = c.ticket_id and e.kind = 'person_added'`;
  expect(rows(copies)).toEqual([
    { email: "office@acorn-property.example", allowed: 1, told: "o…@acorn-property.example", isPrivate: 0 },
  ]);
  expect(rows("select email, from_clock from quiet_hours join users on id = user_id")).toEqual([
    { email: "member@brightsmile.example", from_clock: "19:00" },
  ]);
});

test("the jobs find no ticket to remind of, to end, to warn about or to call late", () => {
  const { remindWaitingAfter, resolveWaitingAfter, announceClosingAfter, closeResolvedAfter } = DEFAULT_SETTINGS;
  for (const due of [
    `status = 'waiting_for_customer' and reminded_at is null and waiting_since <= ${NOW - days(remindWaitingAfter)}`,
    `status = 'waiting_for_customer' and reminded_at <= ${NOW - days(resolveWaitingAfter)}`,
    `status = 'resolved' and reminded_at is null and resolved_at <= ${NOW - days(announceClosingAfter)}`,
    `status = 'resolved' and reminded_at <= ${NOW - days(closeResolvedAfter - announceClosingAfter)}`,
    `miss_at < ${NOW}`,
    `warn_at <= ${NOW}`,
  ])
    expect(rows(`select title from support_tickets where ${due}`), due).toEqual([]);
});

test("a ticket that was resolved more than a week ago is closed, and its history says by whom", () => {
  const closed = rows(`select distinct actor_side from ticket_events
    where kind = 'status' and from_value = 'resolved' and to_value = 'closed' order by 1`);
  expect(closed.map((row) => row.actor_side)).toEqual(["staff", "system"]);
  expect(
    one(`select count(*) as n from support_tickets as t where status = 'closed' and not exists (select 1
    from ticket_events as e where e.ticket_id = t.id and kind = 'status' and to_value = 'closed' and e.at = t.closed_at)`)
      .n,
  ).toBe(0);
});

test("submissions that were answered have an owner, and notes among them", () => {
  expect(one("select count(*) as n from contact_submissions where status <> 'new' and owner_id is null").n).toBe(0);
  expect(one("select count(*) as n from admin_notes").n).toBeGreaterThan(10);
});

test("settings say who has chosen them", () => {
  const [chosen, ...others] = rows("select distinct full_name from settings left join users u on u.id = updated_by");
  expect([chosen, others]).toEqual([{ full_name: "Avery Quinn" }, []]);
});

test("addresses without a page were asked for today and on days that are still shown", () => {
  const asked = rows(`select p.day, count(*) as paths, sum(p.hits) as hits, whole.number as last, whole.hits as total
    from missing_paths p join missing_paths whole on whole.day = p.day and whole.path = ''
    where p.path <> '' group by p.day order by p.day`);
  expect(asked.at(-1)?.day).toBe("2026-11-18");
  expect(String(asked[0]?.day) > "2026-10-19").toBe(true);
  for (const { paths, hits, last, total } of asked) expect([last, total]).toEqual([paths, hits]);
});

test("the security center has an open alert, an acknowledged one, and a browser that is blocked, of which nobody is told again", () => {
  const alerts = rows(`select kind, severity, closed_at is null as open, acknowledged_name, mailed_at is null as untold
    from security_alerts order by opened_at`);
  expect(alerts).toMatchObject([
    { kind: "suspicious_activity", severity: "medium", open: 0, acknowledged_name: "Morgan Hale" },
    { kind: "account_lockout", severity: "high", open: 1, untold: 0 },
  ]);
  const blocked = rows(`select 1 from rate_limit_attempts r join security_alerts a
    on a.subject = r.attempt_type || ' ' || r.identifier and a.last_at = r.last_attempt_at and a.attempts = r.attempts
    where r.blocked_until > ${NOW}`);
  expect(blocked).toHaveLength(1);
  expect(one("select count(*) as n from rate_limit_attempts where attempt_type <> 'login_device'").n).toBe(0);
});

test("the history of an organization names no note of staff, and nobody of them by full name", () => {
  const told = rows("select action, meta_json from audit_events where org_id is not null and action like 'ticket.%'");
  expect(told.length).toBeGreaterThan(100);
  expect(JSON.stringify(told)).not.toMatch(/note_added|Vale|Quinn/);
});

test("submissions can be searched", () => {
  expect(one("select count(*) as n from submission_search where search_text match 'riverbend'").n).toBe(1);
});

test("counters and totals say what the tables hold", () => {
  expect(one("select value from counters where name = 'submission'").value).toBe(
    one("select max(number) as last from contact_submissions").last,
  );
  for (const status of ["new", "contacted", "resolved"]) {
    const { n } = one("select count(*) as n from contact_submissions where held_reason is null and status = ?", status);
    expect(one("select value from totals where name = ?", `submission.${status}`).value).toBe(n);
    for (const periods of ["period like 'm%'", "period not like 'm%'"]) {
      expect(one(`select sum(${status}) as n from submission_counts where ${periods}`).n).toBe(n);
    }
  }
});

test.each([
  ["contact_submissions", "updated_at"],
  ["submission_events", "at"],
  ["audit_events", "at"],
  ["live_events", "at"],
  ["ticket_events", "at"],
  ["ticket_messages", "created_at"],
  ["mfa_audit_log", "created_at"],
])("nothing in %s lies in the future", (table, column) => {
  expect(one(`select max(${column}) as last from ${table}`).last).toBeLessThanOrEqual(NOW);
});

test("two runs on the same day tell the same story", () => {
  const story = (database: DatabaseSync) =>
    database.prepare("select id, number, email, status, created_at, updated_at from contact_submissions").all();
  expect(story(demoDatabase())).toEqual(story(world));
});

test("files, and mails that wait for staff, are in the store with the bytes that their rows name", async () => {
  const stored = new Map<string, number>();
  const put = async (key: string, bytes: Uint8Array) => stored.set(key, bytes.length);
  await addDemoFiles(world, { put }, NOW);
  expect(
    rows(`select t.number, s.email, a.r2_key as key, a.size from attachments a
      left join support_tickets t on t.id = a.subject_id left join contact_submissions s on s.id = a.subject_id
      order by a.subject_type`).map(({ number, email, key, size }) => [
      number ?? email,
      stored.get(String(key)) === size,
    ]),
  ).toEqual([
    ["freya@lundarchitects.example", true],
    [1060, true],
  ]);
  expect(
    rows("select state, reason, object_key as key, size from inbound_mail order by received_at").map(
      ({ state, reason, key, size }) => [state, reason, stored.get(String(key)) === size],
    ),
  ).toEqual([
    ["automatic", "automatic", true],
    ["held", "unknown_sender", true],
    ["held", "unknown_sender", true],
  ]);
});
