import { desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mfaBackupCodes, userMfaSettings } from "~/db/schema/security";
import { rateLimitAttempts } from "~/db/schema/sessions";
import type { StaffActor } from "~/features/auth/guards.server";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findAccount, findSignedIn } from "~/features/auth/queries.server";
import { listAcknowledged, listOpenAlerts, raiseAlerts } from "~/features/security/alerts.server";
import {
  changeUserRole,
  deactivateUser,
  endUserSession,
  endUserSessions,
  reactivateUser,
  requirePasswordChange,
  resetUserMfa,
  sendSetupLink,
  unlockUser,
} from "~/features/user-management/commands.server";
import { fail, ok } from "~/lib/errors";
import { takeLimit } from "~/platform/rate-limits.server";
import { type TestContext, testContext } from "../../support/context";
import {
  as,
  makeMember,
  makeOrganization,
  makePerson,
  makeSession,
  PASSWORD,
  type Person,
  signedInAs,
} from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

let ctx: TestContext;
let admin: Person;

beforeEach(async () => {
  ctx = testContext();
  // The administrators of other tests: each of these worlds has its own.
  await ctx.db.delete(userRoles);
  admin = await makePerson(ctx, { role: "admin" });
});

type Command = typeof deactivateUser;

const reason = "Left the company";
const run = (command: Command, person: { id: string }, { by = admin, context = ctx } = {}) =>
  command(as(context, by), signedInAs(by, ctx.now()) as StaffActor, { userId: person.id, reason });
const lastEvent = async ({ id }: Person) => {
  const about = eq(auditEvents.subject_id, id);
  return (await ctx.db.select().from(auditEvents).where(about).orderBy(desc(auditEvents.id)).limit(1))[0];
};
const signIn = async (person: Person) =>
  (await verifyPassword(ctx, { email: person.email, password: PASSWORD }, async () => undefined)).ok;
const isSignedIn = async (hash: string) => (await findSignedIn(ctx.db, hash, ctx.now())) !== null;
/** Returns a context in which the administrator is one no more just before what they do next is stored. */
const demotedMeanwhile = () =>
  interruptedBeforeCommit(ctx, () =>
    ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, admin.id)),
  );
/** Types a wrong password until the account is blocked. */
const block = async (person: Person) => {
  for (let attempt = 0; attempt < 6; attempt += 1)
    await takeLimit(ctx.db, "login_account", `user:${person.id}`, ctx.now());
};

type Ending = [string, Command, string, string];
const ENDINGS: Ending[] = [
  ["deactivating", deactivateUser, "user.deactivated", "Your account was deactivated"],
  ["ending the sessions", endUserSessions, "user.signed_out", "You were signed out everywhere"],
  ["requiring a new password", requirePasswordChange, "user.password_change_required", "Please choose a new password"],
  ["resetting the second factor", resetUserMfa, "mfa.reset", "Your two-step sign-in was reset"],
];

test.each(
  ENDINGS,
)("%s ends access at once, with the reason in the audit and a mail to the person", async (_, command, action, subject) => {
  const person = await makePerson(ctx, { withTotp: true });
  const { signedIn } = await makeSession(ctx, person);
  expect(await run(command, person)).toEqual(ok(undefined));
  expect(await isSignedIn(signedIn.sessionHash)).toBe(false);
  expect(await lastEvent(person)).toMatchObject({ action, actor_id: admin.id, meta_json: JSON.stringify({ reason }) });
  await ctx.settle();
  expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `u:${person.id}` });
  const toPerson = ctx.sent.filter(({ to }) => to === person.email);
  expect(toPerson.map((mail) => mail.subject)).toEqual([subject]);
  expect(toPerson[0]?.text).not.toContain(reason);
});

test("one session of somebody ends with its sockets, and their others stay", async () => {
  const [person, stranger] = [await makePerson(ctx), await makePerson(ctx)];
  const [one, other] = [(await makeSession(ctx, person)).signedIn, (await makeSession(ctx, person)).signedIn];
  const foreign = (await makeSession(ctx, stranger)).signedIn;
  const rowOf = async ({ sessionHash }: { sessionHash: string }) =>
    (await ctx.db.all<{ id: number }>(sql`SELECT rowid AS id FROM sessions WHERE id_hash = ${sessionHash}`))[0]?.id;
  const session = String(await rowOf(one));
  const end: Command = (context, actor, input) => endUserSession(context, actor, { ...input, session });
  expect(await run(end, stranger)).toEqual(fail("session_ended"));
  expect(await run(end, admin)).toMatchObject({ ok: false });
  expect(await run(end, person)).toEqual(ok(undefined));
  await ctx.settle();
  const open = await Promise.all([one, other, foreign].map(({ sessionHash }) => isSignedIn(sessionHash)));
  expect(open).toEqual([false, true, true]);
  const event = { action: "user.session_ended", meta_json: JSON.stringify({ reason }) };
  expect(await lastEvent(person)).toMatchObject(event);
  expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `s:${one.sessionHash}` });
  expect(ctx.disconnected).not.toContainEqual({ audience: "staff", tag: `u:${person.id}` });
  expect(ctx.sent.filter(({ to }) => to === person.email).map(({ subject }) => subject)).toEqual([
    "You were signed out in one browser",
  ]);
  expect(await run(end, person)).toEqual(fail("session_ended"));
});

const ALL: [string, Command][] = [
  ...ENDINGS.map(([name, command]): [string, Command] => [name, command]),
  ["reactivating", reactivateUser],
  ["unlocking", unlockUser],
  ["sending a set-up link", sendSetupLink],
];

describe.each(ALL)("%s is rejected", (_, command) => {
  test("for one's own account, for one that is gone, and by somebody who is no administrator any more", async () => {
    expect(await run(command, admin)).toEqual(fail("own_account"));
    expect(await run(command, { id: "usr_unknown" })).toEqual(fail("user_not_found"));
    await makePerson(ctx, { role: "admin" });
    const person = await makePerson(ctx, { withTotp: true });
    // There is something to unlock.
    await ctx.db.update(users).set({ password_failures: 1 }).where(eq(users.id, person.id));
    expect(await run(command, person, { context: demotedMeanwhile() })).toEqual(fail("denied"));
    expect(await lastEvent(person)).toBeUndefined();
  });

  test("for an account that is only invited or not confirmed", async () => {
    for (const status of ["pending", "unverified"] as const) {
      expect(await run(command, await makePerson(ctx, { status }))).toMatchObject({ ok: false });
    }
  });
});

describe("deactivating", () => {
  test("keeps people out until somebody reactivates the account, and brings no session back", async () => {
    const person = await makePerson(ctx, { withPassword: true });
    const { signedIn } = await makeSession(ctx, person, 1);
    await run(deactivateUser, person);
    expect(await signIn(person)).toBe(false);
    expect(await run(deactivateUser, person)).toEqual(fail("denied"));
    expect(await run(reactivateUser, person)).toMatchObject({ ok: true });
    expect(await isSignedIn(signedIn.sessionHash)).toBe(false);
    expect(await signIn(person)).toBe(true);
    expect(await run(reactivateUser, person)).toEqual(fail("denied"));
  });

  test("is rejected for the only owner of an organization, even one who becomes it at that moment", async () => {
    const organization = await makeOrganization(ctx, "Cedar Dental");
    const [owner, member] = [await makePerson(ctx), await makePerson(ctx)];
    await makeMember(ctx, organization.id, owner, "owner");
    await makeMember(ctx, organization.id, member, "member");
    expect(await run(deactivateUser, owner)).toEqual(fail("sole_owner"));
    const racing = interruptedBeforeCommit(ctx, () =>
      ctx.db.run(sql`UPDATE organization_memberships SET role = iif(user_id = ${member.id}, 'owner', 'member')
        WHERE organization_id = ${organization.id}`),
    );
    expect(await run(deactivateUser, member, { context: racing })).toEqual(fail("sole_owner"));
    expect((await findAccount(ctx.db, member.id))?.status).toBe("active");
    expect(await run(deactivateUser, owner)).toMatchObject({ ok: true });
  });

  test("of two administrators who deactivate each other at once, exactly one succeeds", async () => {
    const other = await makePerson(ctx, { role: "admin" });
    await makePerson(ctx, { role: "admin" });
    const outcomes = await Promise.all([run(deactivateUser, other), run(deactivateUser, admin, { by: other })]);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const states = await ctx.db.select({ status: users.status }).from(users).where(eq(users.status, "deactivated"));
    expect(states.length).toBeGreaterThanOrEqual(1);
  });

  test("of twenty at once exactly one is written", async () => {
    const person = await makePerson(ctx);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run(deactivateUser, person)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    await ctx.settle();
    expect(ctx.sent).toHaveLength(1);
  });
});

describe("a reset second factor", () => {
  test("is gone with its backup codes, and all administrators are told", async () => {
    const colleague = await makePerson(ctx, { role: "admin" });
    const person = await makePerson(ctx, { role: "moderator", withTotp: true });
    const code = { user_id: person.id, set_id: "set", salt: "salt", created_at: ctx.now() };
    await ctx.db.insert(mfaBackupCodes).values({ id: ctx.newId("mbc"), code_hash: "hash", ...code });
    await run(resetUserMfa, person);
    const [factor] = await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, person.id));
    expect(factor).toMatchObject({ is_enabled: 0, totp_secret: null, setup_needs_link: 1 });
    expect(await ctx.db.select().from(mfaBackupCodes).where(eq(mfaBackupCodes.user_id, person.id))).toEqual([]);
    await ctx.settle();
    expect(ctx.sent.map(({ to }) => to).sort()).toEqual([admin.email, colleague.email, person.email].sort());
    const notice = ctx.sent.find(({ to }) => to === colleague.email);
    expect(notice?.text).toContain(reason);
    // Only the owner of the account gets the link.
    expect(notice?.text).not.toContain("token=");
    expect(ctx.notified).toContain("staff");
  });

  test("cannot be reset twice; a new link can be sent until it was used", async () => {
    const person = await makePerson(ctx, { withTotp: true });
    expect(await run(sendSetupLink, person)).toEqual(fail("denied"));
    await run(resetUserMfa, person);
    expect(await run(resetUserMfa, person)).toEqual(fail("denied"));
    expect(await run(sendSetupLink, person)).toMatchObject({ ok: true });
    await ctx.settle();
    const links = ctx.sent.filter(({ to }) => to === person.email).map(({ text }) => /token=([\w-]+)/.exec(text)?.[1]);
    expect(new Set(links).size).toBe(2);
    const open = await ctx.db.all(sql`SELECT 1 FROM auth_tokens
      WHERE user_id = ${person.id} AND purpose = 'mfa_setup' AND consumed_at IS NULL`);
    expect(open).toHaveLength(1);
  });
});

test("a person who must choose a new password signs in and can do nothing else", async () => {
  const person = await makePerson(ctx, { withPassword: true });
  await run(requirePasswordChange, person);
  expect(await signIn(person)).toBe(true);
  const { signedIn } = await makeSession(ctx, person, 1);
  expect(await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now())).toMatchObject({ mustChangePassword: true });
});

test("an alert of a blocked account offers to unlock it, and ends with the unlocking, in the name of whoever did it", async () => {
  const person = await makePerson(ctx, { withPassword: true });
  await block(person);
  await raiseAlerts(ctx);
  const open = async () => (await listOpenAlerts(ctx.db)).filter((alert) => alert.person?.id === person.id);
  expect(await open()).toMatchObject([{ kind: "account_lockout", canUnlock: true }]);
  expect(await run(unlockUser, person)).toMatchObject({ ok: true });
  await raiseAlerts(ctx);
  expect(await open()).toEqual([]);
  const [ended] = (await listAcknowledged(ctx.db)).filter((alert) => alert.person?.id === person.id);
  expect(ended).toMatchObject({ acknowledgedBy: admin.fullName, note: "Unlocked the account" });
});

test("an alert offers no unlocking once its person has signed in, and stays until somebody has seen it", async () => {
  const person = await makePerson(ctx, { withPassword: true });
  await block(person);
  await raiseAlerts(ctx);
  await ctx.db.delete(rateLimitAttempts);
  await raiseAlerts(ctx);
  const open = (await listOpenAlerts(ctx.db)).filter((alert) => alert.person?.id === person.id);
  expect(open).toMatchObject([{ kind: "account_lockout", canUnlock: false }]);
});

test("an unlocked account can be signed in to at once, whatever was typed before, and keeps its sessions", async () => {
  const person = await makePerson(ctx, { withPassword: true });
  const { signedIn } = await makeSession(ctx, person, 1);
  await block(person);
  await ctx.db.update(users).set({ password_failures: 100 }).where(eq(users.id, person.id));
  expect(await signIn(person)).toBe(false);
  expect(await run(unlockUser, person)).toMatchObject({ ok: true });
  // A colleague was as fast: there is nothing left to unlock, and nobody gets a second mail.
  expect(await run(unlockUser, person)).toEqual(fail("denied"));
  expect(await signIn(person)).toBe(true);
  expect(await isSignedIn(signedIn.sessionHash)).toBe(true);
});

const acting = (person: Person) => signedInAs(person, ctx.now()) as StaffActor;
const change = (by: Person, person: Person, role: Person["role"], context: TestContext = ctx) =>
  changeUserRole(as(context, by), acting(by), { userId: person.id, role, nonce: ctx.newToken() });
const roleOf = async ({ id }: Person) =>
  (await ctx.db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.user_id, id)))[0]?.role ?? "user";
const eventsAbout = ({ id }: Person) =>
  ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, id)).orderBy(desc(auditEvents.id));

test("a role changes in one step with the end of every session, an audit event, a mail and closed sockets", async () => {
  const person = await makePerson(ctx);
  const { signedIn } = await makeSession(ctx, person);
  expect(await change(admin, person, "moderator")).toEqual(ok({ changed: true }));
  expect(await roleOf(person)).toBe("moderator");
  expect(await isSignedIn(signedIn.sessionHash)).toBe(false);
  const [event] = await eventsAbout(person);
  expect(event).toMatchObject({ action: "user.role_changed", actor_id: admin.id, subject_label: person.fullName });
  expect(JSON.parse(event?.meta_json ?? "")).toEqual({ from: "user", to: "moderator" });
  await ctx.settle();
  expect(ctx.sent.map(({ to, subject }) => [to, subject])).toEqual([[person.email, "Your role was changed"]]);
  expect(ctx.disconnected).toContainEqual({ audience: "staff", tag: `u:${person.id}` });
});

test("the role a person has already changes nothing and leaves no trace", async () => {
  const person = await makePerson(ctx, { role: "moderator" });
  const { signedIn } = await makeSession(ctx, person);
  expect(await change(admin, person, "moderator")).toEqual(ok({ changed: false }));
  expect(await isSignedIn(signedIn.sessionHash)).toBe(true);
  expect(await eventsAbout(person)).toEqual([]);
});

test("nobody changes their own role, and the last administrator is told why", async () => {
  expect(await change(admin, admin, "user")).toEqual(fail("last_admin"));
  await makePerson(ctx, { role: "admin" });
  expect(await change(admin, admin, "user")).toEqual(fail("own_role"));
  expect(await roleOf(admin)).toBe("admin");
});

test.each([
  "deactivated",
  "pending",
] as const)("an administrator whose account is %s is not the one who stays", async (status) => {
  const colleague = await makePerson(ctx, { role: "admin" });
  await makePerson(ctx, { role: "admin", status });
  const racing = interruptedBeforeCommit(ctx, () =>
    ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, admin.id)),
  );
  expect(await change(admin, colleague, "user", racing)).toEqual(fail("last_admin"));
  expect(await roleOf(colleague)).toBe("admin");
});

describe("a change is rejected", () => {
  test("for a person who is gone, and for an address that nobody has confirmed", async () => {
    expect(await change(admin, { ...admin, id: "usr_unknown" }, "admin")).toEqual(fail("user_not_found"));
    const claimed = await makePerson(ctx, { status: "unverified" });
    expect(await change(admin, claimed, "admin")).toEqual(fail("user_not_found"));
  });

  test("when whoever changes it is no administrator any more at that moment", async () => {
    const person = await makePerson(ctx);
    await makePerson(ctx, { role: "admin" });
    expect(await change(admin, person, "admin", demotedMeanwhile())).toEqual(fail("denied"));
    expect(await roleOf(person)).toBe("user");
    expect(await eventsAbout(person)).toEqual([]);
  });
});

test.each([
  2, 5,
])("of two administrators among %i who demote each other at once, exactly one succeeds", async (count) => {
  const other = await makePerson(ctx, { role: "admin" });
  for (let index = 2; index < count; index += 1) await makePerson(ctx, { role: "admin" });
  const outcomes = await Promise.all([change(admin, other, "user"), change(other, admin, "user")]);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect([await roleOf(admin), await roleOf(other)].sort()).toEqual(["admin", "user"]);
});

test("a role that is chosen again after another one, with one token, is theirs, and a late post takes none back", async () => {
  const person = await makePerson(ctx);
  const nonce = ctx.newToken();
  const choose = (role: Person["role"]) =>
    changeUserRole(as(ctx, admin), acting(admin), { userId: person.id, role, nonce });
  for (const role of ["moderator", "user", "moderator"] as const) {
    expect(await choose(role)).toEqual(ok({ changed: true }));
    expect(await roleOf(person)).toBe(role);
  }
  const other = await makePerson(ctx, { role: "admin" });
  await change(other, person, "admin");
  expect(await choose("moderator")).toEqual(fail("changed_since"));
  expect(await roleOf(person)).toBe("admin");
});

test("of twenty changes of one person at once exactly one is written", async () => {
  const person = await makePerson(ctx);
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => change(admin, person, "moderator")));
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
  expect(await eventsAbout(person)).toHaveLength(1);
  await ctx.settle();
  expect(ctx.sent).toHaveLength(1);
});

test("all administrators taking the role from the others at once leave one of them", async () => {
  const admins = [admin];
  for (let index = 1; index < 6; index += 1) admins.push(await makePerson(ctx, { role: "admin" }));
  await Promise.all(
    admins.flatMap((by) => admins.filter((person) => person !== by).map((person) => change(by, person, "user"))),
  );
  const roles = await Promise.all(admins.map(roleOf));
  expect(roles.filter((role) => role === "admin").length).toBeGreaterThanOrEqual(1);
});
