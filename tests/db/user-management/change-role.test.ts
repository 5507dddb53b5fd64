import { desc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import type { StaffActor } from "~/features/auth/guards.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { changeUserRole } from "~/features/user-management/commands.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSession, type Person, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

let ctx: TestContext;
let admin: Person;

beforeEach(async () => {
  ctx = testContext();
  // The administrators of other tests: each of these worlds has its own.
  await ctx.db.delete(userRoles);
  admin = await makePerson(ctx, { role: "admin" });
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
  expect(await change(admin, person, "moderator")).toEqual({ ok: true, value: { changed: true } });
  expect(await roleOf(person)).toBe("moderator");
  expect(await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now())).toBeNull();
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
  expect(await change(admin, person, "moderator")).toEqual({ ok: true, value: { changed: false } });
  expect(await findSignedIn(ctx.db, signedIn.sessionHash, ctx.now())).not.toBeNull();
  expect(await eventsAbout(person)).toEqual([]);
});

test("nobody changes their own role, and the last administrator is told why", async () => {
  expect(await change(admin, admin, "user")).toEqual({ ok: false, code: "last_admin" });
  await makePerson(ctx, { role: "admin" });
  expect(await change(admin, admin, "user")).toEqual({ ok: false, code: "own_role" });
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
  expect(await change(admin, colleague, "user", racing)).toEqual({ ok: false, code: "last_admin" });
  expect(await roleOf(colleague)).toBe("admin");
});

describe("a change is rejected", () => {
  test("for a person who is gone, and for an address that nobody has confirmed", async () => {
    const unknown = { ...admin, id: "usr_unknown" };
    expect(await change(admin, unknown, "admin")).toEqual({ ok: false, code: "user_not_found" });
    const claimed = await makePerson(ctx, { status: "unverified" });
    expect(await change(admin, claimed, "admin")).toEqual({ ok: false, code: "user_not_found" });
  });

  test("when whoever changes it is no administrator any more at that moment", async () => {
    const person = await makePerson(ctx);
    await makePerson(ctx, { role: "admin" });
    const racing = interruptedBeforeCommit(ctx, () =>
      ctx.db.update(userRoles).set({ role: "moderator" }).where(eq(userRoles.user_id, admin.id)),
    );
    expect(await change(admin, person, "admin", racing)).toEqual({ ok: false, code: "denied" });
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
    expect(await choose(role)).toEqual({ ok: true, value: { changed: true } });
    expect(await roleOf(person)).toBe(role);
  }
  const other = await makePerson(ctx, { role: "admin" });
  await change(other, person, "admin");
  expect(await choose("moderator")).toEqual({ ok: false, code: "changed_since" });
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
