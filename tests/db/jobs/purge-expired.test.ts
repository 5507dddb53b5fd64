import { eq, like, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents, auditSeals } from "~/db/schema/audit";
import { idempotency } from "~/db/schema/infrastructure";
import { liveDismissals, liveEvents } from "~/db/schema/live";
import { notifications } from "~/db/schema/notifications";
import { invitations, organizationMemberships } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { mfaAuditLog } from "~/db/schema/security";
import { authChallenges, authTokens, rateLimitAttempts, sessions } from "~/db/schema/sessions";
import { attachments } from "~/db/schema/subjects";
import { copyAudit, listCopies, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { inviteUser, resendInvitation } from "~/features/invitations/sending.server";
import { resendConfirmation, signUp } from "~/features/sign-in/sign-up.server";
import { purgeAudit } from "~/jobs/purge-audit.server";
import {
  PURGE_CHUNK,
  purgeExpired,
  removeUnansweredInvitations,
  removeUnconfirmedAccounts,
  sweepOrphans,
} from "~/jobs/purge-expired.server";
import { days, hours, type Instant, minutes } from "~/lib/time";
import { bindings, type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSession } from "../../support/factories";
import { inviteTo, makeTeam, memberOf, pendingMembership, staff } from "../../support/invitations";
import { visitorContext } from "../../support/visitor";

/** Runs the job until it reports no more work. */
async function purge(ctx: TestContext) {
  for (let report = await purgeExpired(ctx); report.more; report = await purgeExpired(ctx));
}

test("a session is deleted thirty days after its end, and not before", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx);
  await makeSession(ctx, person);
  ctx.clock.advance(days(30) + hours(12));
  await purge(ctx);
  expect(await ctx.db.$count(sessions, eq(sessions.user_id, person.id))).toBe(1);
  ctx.clock.advance(1);
  await purge(ctx);
  expect(await ctx.db.$count(sessions, eq(sessions.user_id, person.id))).toBe(0);
});

test("a challenge is deleted a day after it expired", async () => {
  const ctx = testContext();
  const { id } = await makePerson(ctx);
  await ctx.db.insert(authChallenges).values({
    id_hash: id,
    user_id: id,
    kind: "verify",
    max_attempts: 5,
    epoch: 0,
    created_at: ctx.now(),
    expires_at: ctx.now() + minutes(10),
  });
  ctx.clock.advance(days(1));
  await purge(ctx);
  expect(await ctx.db.$count(authChallenges, eq(authChallenges.user_id, id))).toBe(1);
  ctx.clock.advance(minutes(10) + 1);
  await purge(ctx);
  expect(await ctx.db.$count(authChallenges, eq(authChallenges.user_id, id))).toBe(0);
});

test("attempts are kept for thirty days, accepted forms for forty-eight hours", async () => {
  const ctx = testContext();
  const now = ctx.now();
  const attempt = (identifier: string, at: Instant) => ({
    attempt_type: "mfa",
    identifier,
    attempts: 1,
    last_attempt_at: at,
  });
  const form = (key: string, at: Instant) => ({ key, scope: "test", result_location: "/", created_at: at });
  await ctx.db
    .insert(rateLimitAttempts)
    .values([attempt("kept", now - days(30)), attempt("deleted", now - days(30) - 1)]);
  await ctx.db.insert(idempotency).values([form("kept", now - hours(48)), form("deleted", now - hours(48) - 1)]);
  await purge(ctx);
  const attempts = await ctx.db.select({ name: rateLimitAttempts.identifier }).from(rateLimitAttempts);
  expect(attempts).toEqual([{ name: "kept" }]);
  expect(await ctx.db.select({ key: idempotency.key }).from(idempotency)).toEqual([{ key: "kept" }]);
});

test("sent mail is deleted after fourteen days; mail that is pending or needs a person is not", async () => {
  const ctx = testContext();
  const old = ctx.now() - days(15);
  const mail = (id: string, status: "sent" | "pending" | "uncertain" | "dead", sentAt: Instant | null) => ({
    id,
    kind: "submission-received",
    to_hash: "x",
    priority: 1,
    status,
    next_at: old,
    created_at: old,
    sent_at: sentAt,
  });
  await ctx.db
    .insert(outbox)
    .values([
      mail("sent-long-ago", "sent", old),
      mail("sent-late", "sent", ctx.now() - days(13)),
      mail("pending", "pending", null),
      mail("uncertain", "uncertain", null),
      mail("dead", "dead", null),
    ]);
  await purge(ctx);
  const left = (await ctx.db.select({ id: outbox.id }).from(outbox)).map(({ id }) => id).sort();
  expect(left).toEqual(["dead", "pending", "sent-late", "uncertain"]);
});

test("what a mail says of which nobody knows whether it was sent is kept for fourteen days", async () => {
  const ctx = testContext();
  const mail = { kind: "submission-received", to_hash: "x", priority: 1, status: "uncertain", next_at: 0 } as const;
  const at = ctx.now() - days(14);
  await ctx.db.insert(outbox).values([
    { ...mail, id: "uncertain-old", params_enc: "x", created_at: at - 1 },
    { ...mail, id: "uncertain-new", params_enc: "x", created_at: at },
  ]);
  await purge(ctx);
  const rows = await ctx.db
    .select({ id: outbox.id, text: outbox.params_enc })
    .from(outbox)
    .where(like(outbox.id, "uncertain-%"));
  expect(rows.sort((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: "uncertain-new", text: "x" },
    { id: "uncertain-old", text: null },
  ]);
});

test("live events are deleted after seven days, together with their dismissals", async () => {
  const ctx = testContext();
  const reader = await makePerson(ctx);
  const event = (at: Instant) => ({
    audience: "staff",
    type: "new_note" as const,
    subject_type: "submission",
    subject_id: "x",
    label: "x",
    at,
  });
  const seqs: number[] = [];
  for (const at of [ctx.now() - days(8), ctx.now() - days(7) - 1, ctx.now() - days(7), ctx.now()]) {
    const [row] = await ctx.db.insert(liveEvents).values(event(at)).returning({ seq: liveEvents.seq });
    seqs.push(row?.seq ?? 0);
  }
  await ctx.db.insert(liveDismissals).values(seqs.map((seq) => ({ user_id: reader.id, seq })));
  await purge(ctx);
  expect((await ctx.db.select({ seq: liveEvents.seq }).from(liveEvents)).map(({ seq }) => seq)).toEqual(seqs.slice(2));
  const dismissed = await ctx.db.select({ seq: liveDismissals.seq }).from(liveDismissals);
  expect(dismissed.map(({ seq }) => seq)).toEqual(seqs.slice(2));
  ctx.clock.advance(days(8));
  await purge(ctx);
  expect(await ctx.db.$count(liveDismissals)).toBe(0);
});

test("notifications are kept for ninety days", async () => {
  const ctx = testContext();
  const { id } = await makePerson(ctx);
  const told = { user_id: id, event: "staff_replied", subject_type: "ticket", subject_id: "x", label: "T-1" };
  for (const age of [days(90), days(90) + 1])
    await ctx.db.insert(notifications).values({ ...told, at: ctx.now() - age });
  await purge(ctx);
  expect(await ctx.db.$count(notifications, eq(notifications.user_id, id))).toBe(1);
});

test("many rows are deleted in chunks, the rest by the next run, and a third run finds nothing", async () => {
  const ctx = testContext();
  const rows = 21 * PURGE_CHUNK;
  await ctx.db.run(sql`
    insert into idempotency(key, scope, result_location, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
    select 'bulk' || i, 'test', '/', 0 from n`);
  const first = await purgeExpired(ctx);
  expect(first.more).toBe(true);
  expect(first.count).toBeLessThanOrEqual(27 * PURGE_CHUNK);
  expect(await ctx.db.$count(idempotency, like(idempotency.key, "bulk%"))).toBeGreaterThan(0);
  const second = await purgeExpired(ctx);
  expect(second.more).toBeFalsy();
  expect(first.count + second.count).toBe(rows);
  expect(await purgeExpired(ctx)).toEqual({ count: 0 });
});

// The database keeps, by its own clock, what is younger than 400 days.
const NOW = Date.now();

test("events of the audit go with seal and copy after 400 days, and the chain stays whole", async () => {
  const ctx = testContext();
  const record = async (at: Instant, name: string) => {
    ctx.clock.set(at);
    await recordAudit(ctx, "user.profile_changed", { subject: { type: "user", id: name, label: null } });
    await sealAudit(ctx);
    await copyAudit(ctx);
  };
  for (const [age, name] of [
    [450, "usr_old"],
    [403, "usr_older"],
    [399, "usr_young"],
    [1, "usr_new"],
  ] as const) {
    await record(NOW - days(age), name);
  }
  ctx.clock.set(NOW);
  const countsOf = async () => [
    await ctx.db.$count(auditEvents),
    await ctx.db.$count(auditSeals),
    (await listCopies(ctx)).length,
  ];
  expect(await countsOf()).toEqual([4, 4, 4]);
  expect(await purgeAudit(ctx)).toEqual({ count: 2 });
  expect(await countsOf()).toEqual([2, 2, 2]);
  expect(await ctx.db.$count(auditEvents, eq(auditEvents.subject_id, "usr_older"))).toBe(0);
  expect(await verifyAudit(ctx)).toMatchObject({ count: 2 });
  const [total] = await ctx.db.all<{ value: number }>(sql`SELECT value FROM totals WHERE name = 'activity.all'`);
  expect(total?.value).toBe(2);
  expect(await purgeAudit(ctx)).toEqual({ count: 0 });
  // A clock that is days ahead deletes nothing early, and does not make the run fail.
  ctx.clock.set(NOW + days(3));
  expect(await purgeAudit(ctx)).toEqual({ count: 0 });
  expect(await countsOf()).toEqual([2, 2, 2]);
});

test("the log of second factors is kept for 400 days, notifications for ninety", async () => {
  const ctx = testContext();
  ctx.clock.set(NOW);
  const person = await makePerson(ctx);
  const used = (age: number) => ({
    ...{ user_id: person.id, action: "verify_challenge", method: "totp", success: 1 },
    created_at: NOW - days(age),
  });
  await ctx.db.insert(mfaAuditLog).values([used(402), used(401), used(399)]);
  const told = (age: number) => ({
    ...{ user_id: person.id, event: "test", subject_type: "ticket", subject_id: "tkt_x", label: "x" },
    at: NOW - days(age) + hours(1),
  });
  await ctx.db.insert(notifications).values([told(91), told(90), told(1)]);
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
  expect(await ctx.db.$count(notifications)).toBe(2);
  ctx.clock.set(NOW + days(3));
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
});

test("what nobody has answered goes thirty days after its link has expired, and not what was sent again or accepted", async () => {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  const admin = await makePerson(ctx, { role: "admin" });
  const account = { fullName: "Jo Field", role: "moderator" } as const;
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "unanswered@larkspur.example" });
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "answered@larkspur.example" });
  await inviteTo(ctx, team, "ignored@larkspur.example", "again@larkspur.example");
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.email, "answered@larkspur.example"));
  ctx.clock.advance(days(37));
  await removeUnansweredInvitations(ctx);
  const left = async () => [
    ...(await ctx.db.select({ email: users.email }).from(users)).map(({ email }) => email),
    ...(await ctx.db.select({ email: organizationMemberships.invited_email }).from(organizationMemberships)).map(
      ({ email }) => email,
    ),
  ];
  expect(await left()).toEqual(expect.arrayContaining(["unanswered@larkspur.example", "ignored@larkspur.example"]));
  const { id: membershipId } = await pendingMembership(ctx, "again@larkspur.example");
  await resendInvitation(ctx, memberOf(ctx, team.owner, team.organization.id), { membershipId });
  ctx.clock.advance(1);
  await removeUnansweredInvitations(ctx);
  const kept = await left();
  expect(kept).toEqual(expect.arrayContaining(["answered@larkspur.example", "again@larkspur.example"]));
  expect(kept).not.toContain("unanswered@larkspur.example");
  expect(kept).not.toContain("ignored@larkspur.example");
});

test("links that expired are not deleted before what they were for, and those of people who are in already are", async () => {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  const admin = await makePerson(ctx, { role: "admin" });
  const account = { fullName: "Jo Field", role: "moderator" } as const;
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "silent@larkspur.example" });
  await inviteUser(as(ctx, admin), staff(ctx, admin), { ...account, email: "inside@larkspur.example" });
  await inviteTo(ctx, team, "quiet@larkspur.example");
  await ctx.db.update(users).set({ status: "active" }).where(eq(users.email, "inside@larkspur.example"));
  ctx.clock.advance(days(37) + 1);
  // Runs every ten minutes, the other job once an hour.
  await purgeExpired(ctx);
  expect((await removeUnansweredInvitations(ctx)).count).toBe(3);
  expect(await ctx.db.$count(users, eq(users.email, "silent@larkspur.example"))).toBe(0);
  expect(await ctx.db.$count(users, eq(users.email, "inside@larkspur.example"))).toBe(1);
  const quiet = eq(organizationMemberships.invited_email, "quiet@larkspur.example");
  expect(await ctx.db.$count(organizationMemberships, quiet)).toBe(0);
  expect(await ctx.db.$count(invitations, eq(invitations.email, "inside@larkspur.example"))).toBe(0);
  expect(await removeUnansweredInvitations(ctx)).toEqual({ count: 0 });
});

describe("accounts that nobody confirms", () => {
  let ctx: ReturnType<typeof visitorContext>;

  let email: string;

  let accounts = 0;

  const noWait = async () => undefined;

  beforeEach(async () => {
    accounts += 1;
    ctx = visitorContext();
    email = `left${accounts}@larkspur.example`;
    const account = { fullName: "Priya Raman", email, password: "Correct!Horse7", organizationName: "Larkspur" };
    await signUp(ctx, account, { wait: noWait, resendInvitations: async () => false });
  });

  const stored = async () => (await ctx.db.select().from(users).where(eq(users.email, email)))[0];

  test("an account nobody confirms is removed after a day, with its links and its name in the activity", async () => {
    const id = (await stored())?.id ?? "";
    ctx.clock.advance(days(1) - 1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stored()).toBeDefined();
    ctx.clock.advance(1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stored()).toBeUndefined();
    expect(await ctx.db.$count(authTokens, eq(authTokens.user_id, id))).toBe(0);
    const [event] = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id));
    expect(event).toMatchObject({ action: "user.signed_up", subject_label: null, actor_name: null, actor_email: null });
  });

  test("an account without a working link, as of a demonstration, stays for its day all the same", async () => {
    const { id } = await makePerson(ctx, { status: "unverified" });
    const stays = async () => (await ctx.db.$count(users, eq(users.id, id))) === 1;
    ctx.clock.advance(days(1) - 1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stays()).toBe(true);
    ctx.clock.advance(1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stays()).toBe(false);
  });

  test("it stays as long as a link that was sent again works", async () => {
    ctx.clock.advance(hours(23));
    await resendConfirmation(ctx, email, { wait: noWait, resendInvitations: async () => false });
    ctx.clock.advance(hours(24) - 1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stored()).toBeDefined();
    ctx.clock.advance(1);
    await removeUnconfirmedAccounts(ctx);
    expect(await stored()).toBeUndefined();
  });

  test("confirmed, invited and closed accounts stay", async () => {
    const kept = await Promise.all(
      (["active", "pending", "deactivated"] as const).map((status) => makePerson(ctx, { status })),
    );
    ctx.clock.advance(days(400));
    await removeUnconfirmedAccounts(ctx);
    for (const { id } of kept) expect(await ctx.db.$count(users, eq(users.id, id))).toBe(1);
  });
});

const bytes = new TextEncoder().encode("%PDF-1.7");

/** Stores a file; its time is that of the file store's own clock. */
const store = (ctx: TestContext, key: string) => ctx.files.put(key, bytes);

/** Sets the clock relative to that of the file store. */
function at(ctx: TestContext, later: number) {
  ctx.clock.set(Date.now() + later);
  return ctx;
}

const exists = async (key: string) => (await bindings.FILES.head(key)) !== null;

test("a file without a row is deleted after a day; files with a row and in other folders are kept", async () => {
  const ctx = at(testContext(), days(1) + hours(1));
  await store(ctx, "att/orphan");
  await store(ctx, "att/00-orphan");
  await store(ctx, "att/attached");
  await store(ctx, "exports/file");
  await ctx.db.insert(attachments).values({
    id: "att_attached",
    r2_key: "att/attached",
    name: "plan.pdf",
    kind: "pdf",
    size: bytes.byteLength,
    sha256: "x",
    created_at: ctx.now(),
    subject_type: "submission",
    subject_id: "sub_1",
  });
  expect(await sweepOrphans(ctx)).toEqual({ count: 2 });
  expect(await Promise.all(["att/orphan", "att/00-orphan", "att/attached", "exports/file"].map(exists))).toEqual([
    ...[false, false],
    ...[true, true],
  ]);
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
});

test("a file is kept while its form may still be in progress", async () => {
  const ctx = at(testContext(), hours(23));
  await store(ctx, "att/young");
  expect(await sweepOrphans(ctx)).toEqual({ count: 0 });
  expect(await exists("att/young")).toBe(true);
});

test("all pages of the file list are read", async () => {
  const ctx = at(testContext(), days(2));
  await Promise.all(Array.from({ length: 620 }, (_, index) => store(ctx, `att/many-${index}`)));
  expect((await sweepOrphans(ctx)).count).toBeGreaterThanOrEqual(620);
  expect((await bindings.FILES.list({ prefix: "att/many-" })).objects).toEqual([]);
});

test("where there are more files than a run can look at, each has its turn within days", async () => {
  const ctx = at(testContext(), days(2));
  const keys = Array.from({ length: 256 }, (_, index) => `att/${index.toString(16).padStart(2, "0")}-orphan`);
  const deleted = new Set<string>();
  ctx.files = {
    ...ctx.files,
    delete: async (gone) => {
      for (const key of gone) deleted.add(key);
    },
    listOlderThan: async (_prefix, _before, cursor, after = "") => {
      const from = cursor ?? after;
      const found = keys.filter((key) => key > from).slice(0, 10);
      return { keys: found, cursor: found.at(-1) === keys.at(-1) ? undefined : found.at(-1) };
    },
  };
  for (let run = 0; run < 20; run += 1) {
    await sweepOrphans(ctx, { maxPages: 4 });
    ctx.clock.advance(days(1));
  }
  expect(keys.filter((key) => !deleted.has(key))).toEqual([]);
});
