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
import { r2Files } from "~/platform/files.server";
import { bindings, type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSession } from "../../support/factories";
import { inviteTo, makeTeam, memberOf, pendingMembership, staff } from "../../support/invitations";
import { storeEvent } from "../../support/live";
import { emptyAudit } from "../../support/time-travel";
import { visitorContext } from "../../support/visitor";

/** Runs the job until it reports no more work. */
async function purge(ctx: TestContext) {
  for (let report = await purgeExpired(ctx); report.more; report = await purgeExpired(ctx));
}

const countOf = (ctx: TestContext, table: typeof sessions | typeof authChallenges | typeof notifications, id: string) =>
  ctx.db.$count(table, eq(table.user_id, id));

test("a session is deleted thirty days after its end, and a challenge a day after it expired, and not before", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx);
  await makeSession(ctx, person);
  await ctx.db.insert(authChallenges).values({
    ...{ id_hash: person.id, user_id: person.id, kind: "verify", max_attempts: 5, epoch: 0 },
    ...{ created_at: ctx.now(), expires_at: ctx.now() + minutes(10) },
  });
  const left = async (later: number) => {
    ctx.clock.advance(later);
    await purge(ctx);
    return [await countOf(ctx, authChallenges, person.id), await countOf(ctx, sessions, person.id)];
  };
  expect(await left(days(1) + minutes(10))).toEqual([1, 1]);
  expect(await left(1)).toEqual([0, 1]);
  expect(await left(days(29) + hours(12) - minutes(10) - 1)).toEqual([0, 1]);
  expect(await left(1)).toEqual([0, 0]);
});

test("attempts are kept for thirty days, accepted forms for forty-eight hours", async () => {
  const ctx = testContext();
  const now = ctx.now();
  for (const table of [rateLimitAttempts, idempotency]) await ctx.db.delete(table);
  const attempt = (identifier: string, last_attempt_at: Instant) => ({
    ...{ attempt_type: "mfa", identifier, attempts: 1, last_attempt_at },
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

test("sent mail is deleted after fourteen days, mail that is pending or needs a person is not; what it says goes if nobody knows whether it was sent", async () => {
  const ctx = testContext();
  const at = ctx.now() - days(14);
  await ctx.db.delete(outbox);
  const mail = (id: string, status: "sent" | "pending" | "uncertain" | "dead", created_at: Instant, sent = false) => ({
    ...{ id, status, created_at, sent_at: sent ? created_at : null, kind: "submission-received", to_hash: "x" },
    ...{ priority: 1, next_at: 0, params_enc: "x" },
  });
  await ctx.db
    .insert(outbox)
    .values([
      mail("dead", "dead", at - 1),
      mail("pending", "pending", at - 1),
      mail("sent-late", "sent", ctx.now() - days(13), true),
      mail("sent-long-ago", "sent", ctx.now() - days(15), true),
      mail("uncertain-new", "uncertain", at),
      mail("uncertain-old", "uncertain", at - 1),
    ]);
  await purge(ctx);
  const left = await ctx.db.select({ id: outbox.id, text: outbox.params_enc }).from(outbox).orderBy(outbox.id);
  expect(left.map(({ id }) => id)).toEqual(["dead", "pending", "sent-late", "uncertain-new", "uncertain-old"]);
  expect(left.slice(-2).map(({ text }) => text)).toEqual(["x", null]);
});

test("live events are deleted after seven days, together with their dismissals", async () => {
  const ctx = testContext();
  const reader = await makePerson(ctx);
  const seqs: number[] = [];
  for (const at of [ctx.now() - days(8), ctx.now() - days(7) - 1, ctx.now() - days(7), ctx.now()])
    seqs.push(await storeEvent({ ...ctx, now: () => at }));
  await ctx.db.insert(liveDismissals).values(seqs.map((seq) => ({ user_id: reader.id, seq })));
  await purge(ctx);
  expect((await ctx.db.select({ seq: liveEvents.seq }).from(liveEvents)).map(({ seq }) => seq)).toEqual(seqs.slice(2));
  const dismissed = await ctx.db.select({ seq: liveDismissals.seq }).from(liveDismissals);
  expect(dismissed.map(({ seq }) => seq)).toEqual(seqs.slice(2));
  ctx.clock.advance(days(8));
  await purge(ctx);
  expect(await ctx.db.$count(liveDismissals)).toBe(0);
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
  const total = async () => {
    const query = sql`SELECT coalesce(sum(value), 0) AS value FROM totals WHERE name = 'activity.all'`;
    return (await ctx.db.get<{ value: number }>(query)).value;
  };
  await emptyAudit(ctx);
  const before = await total();
  for (const age of [450, 403, 399, 1]) await record(NOW - days(age), `usr_${age}`);
  ctx.clock.set(NOW);
  const countsOf = async () => [
    await ctx.db.$count(auditEvents),
    await ctx.db.$count(auditSeals),
    (await listCopies(ctx)).length,
  ];
  expect(await countsOf()).toEqual([4, 4, 4]);
  expect(await purgeAudit(ctx)).toEqual({ count: 2 });
  expect(await countsOf()).toEqual([2, 2, 2]);
  expect(await ctx.db.$count(auditEvents, eq(auditEvents.subject_id, "usr_403"))).toBe(0);
  expect(await verifyAudit(ctx)).toMatchObject({ count: 2 });
  expect((await total()) - before).toBe(2);
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
  const used = { user_id: person.id, action: "verify_challenge", method: "totp", success: 1 };
  await ctx.db.insert(mfaAuditLog).values([402, 401, 399].map((age) => ({ ...used, created_at: NOW - days(age) })));
  const told = { user_id: person.id, event: "test", subject_type: "ticket", subject_id: "tkt_x", label: "x" };
  const ages = [days(90) + 1, days(90), days(1)];
  await ctx.db.insert(notifications).values(ages.map((age) => ({ ...told, at: NOW - age })));
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
  expect(await countOf(ctx, notifications, person.id)).toBe(2);
  ctx.clock.set(NOW + days(3));
  await purgeExpired(ctx);
  expect(await ctx.db.$count(mfaAuditLog)).toBe(1);
});

/** Returns a visitor, a team that invites, and how an administrator prepares accounts. */
async function inviting() {
  const ctx = visitorContext();
  const team = await makeTeam(ctx);
  const admin = await makePerson(ctx, { role: "admin" });
  const prepare = (email: string) =>
    inviteUser(as(ctx, admin), staff(ctx, admin), { fullName: "Jo Field", role: "moderator", email });
  const isIn = (email: string) => ctx.db.update(users).set({ status: "active" }).where(eq(users.email, email));
  return { ctx, team, prepare, isIn };
}

test("what nobody has answered goes thirty days after its link has expired, and not what was sent again or accepted", async () => {
  const { ctx, team, prepare, isIn } = await inviting();
  await prepare("unanswered@larkspur.example");
  await prepare("answered@larkspur.example");
  await inviteTo(ctx, team, "ignored@larkspur.example", "again@larkspur.example");
  await isIn("answered@larkspur.example");
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
  const { ctx, team, prepare, isIn } = await inviting();
  await prepare("silent@larkspur.example");
  await prepare("inside@larkspur.example");
  await inviteTo(ctx, team, "quiet@larkspur.example");
  await isIn("inside@larkspur.example");
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
  let ctx: TestContext;
  let email: string;
  let accounts = 0;

  const options = { wait: async () => undefined, resendInvitations: async () => false };

  beforeEach(async () => {
    accounts += 1;
    ctx = visitorContext();
    email = `left${accounts}@larkspur.example`;
    const account = { fullName: "Priya Raman", email, password: "Correct!Horse7", organizationName: "Larkspur" };
    await signUp(ctx, account, options);
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
    await resendConfirmation(ctx, email, options);
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
    ...{ id: "att_attached", r2_key: "att/attached", name: "plan.pdf", kind: "pdf", size: bytes.byteLength },
    ...{ sha256: "x", created_at: ctx.now(), subject_type: "submission", subject_id: "sub_1" },
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
  const twoAPage = { list: (options: R2ListOptions) => bindings.FILES.list({ ...options, limit: 2 }) };
  const { listOlderThan } = r2Files(twoAPage as R2Bucket);
  const ctx = at(testContext(), days(2));
  ctx.files = { ...ctx.files, listOlderThan };
  await Promise.all(Array.from({ length: 7 }, (_, index) => store(ctx, `att/many-${index}`)));
  expect((await sweepOrphans(ctx)).count).toBeGreaterThanOrEqual(7);
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
