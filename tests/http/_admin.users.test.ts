import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { verifyPassword } from "~/features/auth/passwords.server";
import { findAccountByEmail } from "~/features/auth/queries.server";
import { hours, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { keepSessionData, sessionDataKey } from "~/platform/session-data.server";
import * as listRoute from "~/routes/_admin.admin.users._index";
import * as personRoute from "~/routes/_admin.admin.users.$userId";
import * as newRoute from "~/routes/_admin.admin.users.new";
import { flash, staffMember } from "../support/admin-area";
import { derive, type TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSession, PASSWORD, TOTP_SECRET } from "../support/factories";
import { pageAt } from "../support/page";
import { costOf, type Fields } from "../support/requests";

const LIST = "/admin/users";
const list = pageAt(LIST, listRoute);
const addition = pageAt(`${LIST}/new`, newRoute);
const personPage = pageAt(`${LIST}/:userId`, personRoute);

const roleOf = async (ctx: TestContext, id: string) =>
  (await ctx.db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.user_id, id)))[0]?.role ?? "user";

/** Sends the form of the rows as a page of two rows posts it. */
const saveRole = (ctx: TestContext, save: string, fields: Fields = {}) =>
  list.send(ctx, LIST, "user-list", {
    ...{ save, intent: "role", role: ["nonsense", "moderator"], return_to: `${LIST}?q=person` },
    ...fields,
  });

test("the select of a row changes the role and leads back to the same list", async () => {
  const { ctx, base } = await staffMember();
  const person = await makePerson(ctx);
  const response = await saveRole(ctx, `1.${person.id}`);
  expect(response.headers.get("Location")).toBe(`/admin/users?q=person#${person.id}`);
  expect(flash(base)).toBe("Success: User role updated successfully");
  expect(await roleOf(ctx, person.id)).toBe("moderator");
});

test("without a fresh proof of identity the page of the person asks for it, with the choice kept", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx);
  ctx.clock.advance(minutes(11));
  const response = await saveRole(ctx, `1.${person.id}`);
  expect(response.headers.get("Location")).toBe(
    `/admin/users/${person.id}?do=role&role=moderator&from=%2Fadmin%2Fusers%3Fq%3Dperson`,
  );
  expect(await roleOf(ctx, person.id)).toBe("user");
});

test("a hand-made change of one's own role is rejected, and so is a role that does not exist, or a forged token", async () => {
  const { ctx } = await staffMember();
  await makePerson(ctx, { role: "admin" });
  const own = ctx.signedIn?.userId ?? "";
  const rejected = await saveRole(ctx, `1.${own}`);
  expect([rejected.status, await rejected.json()]).toEqual([400, { rejection: "You can't change your own role." }]);
  expect(await roleOf(ctx, own)).toBe("admin");
  const person = await makePerson(ctx);
  const unknown = await saveRole(ctx, `0.${person.id}`);
  expect([unknown.status, await unknown.json()]).toEqual([400, { rejection: "Failed to update user role" }]);
  expect((await saveRole(ctx, `1.${person.id}`, { form_token: "v1.forged" })).status).toBe(400);
  expect(await roleOf(ctx, person.id)).toBe("user");
});

const listed = async (ctx: TestContext, query: string) => {
  const { list: found } = await list.read(ctx, LIST + query);
  return found;
};

test("the figures count the database and the table its filter, and an address is found by any of its letters", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx, { fullName: "Žofia Größe", email: "zofia@unique-clinic.example" });
  const invited = await makePerson(ctx, { status: "pending", fullName: "Quentin Xavier Zed" });
  for (const query of ["?q=zofia gros", "?q=unique-clinic", "?q=ZOFIA&role=user", "?q=ŽO", "?q=fi&role=user"]) {
    expect((await listed(ctx, query))?.page.rows.map(({ id }) => id)).toEqual([person.id]);
  }
  expect((await listed(ctx, "?q=zofia&role=admin"))?.page.rows).toEqual([]);
  for (const query of ["?view=invited&q=xavier", "?view=invited&q=qu", "?view=invited&q=q"]) {
    expect((await listed(ctx, query))?.page.rows.map(({ id }) => id)).toEqual([invited.id]);
  }
  const all = await listed(ctx, "");
  expect(all?.counts.all).toBe((all?.counts.admin ?? 0) + (all?.counts.moderator ?? 0) + (all?.counts.user ?? 0));
  expect(all?.total).toEqual({ count: all?.counts.all, more: false });
  expect((await listed(ctx, "?role=user"))?.total).toEqual({ count: all?.counts.user, more: false });
});

describe("adding people", () => {
  let ctx: TestContext;
  let base: TestContext;
  let number = 0;
  let email = "";

  beforeEach(async () => {
    ({ ctx, base } = await staffMember());
    number += 1;
    email = `new${number}@added.example`;
  });

  const send = (fields: Fields, context = ctx) => addition.send(context, `${LIST}/new`, "user-new", fields);
  const typed = () => ({ email, full_name: "Nora Neu", role: "moderator" });
  const account = () => findAccountByEmail(ctx.db, email);

  test("an invited person gets a mail and an account nobody can sign in to until its link is used", async () => {
    const response = await send({ intent: "invite", ...typed(), email: ` ${email.toUpperCase()} ` });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/admin/users"]);
    expect(flash(base)).toBe(
      `User Invited Successfully: ${email} has been invited and will receive an email to set their password.`,
    );
    expect(await account()).toMatchObject({ status: "pending", passwordHash: null, role: "moderator" });
    await base.settle();
    expect(base.sent.map(({ to }) => to)).toEqual([email]);
  });

  test("a person who is added works with the handed password for 72 hours and must choose another one", async () => {
    const response = await send({ intent: "create", ...typed(), password: PASSWORD });
    expect(response.status).toBe(303);
    expect(flash(base)).toBe(
      `User Created Successfully: ${email} has been created. Make sure to share the login credentials securely.`,
    );
    const created = await account();
    expect(created).toMatchObject({ status: "active", mustChangePassword: true, role: "moderator" });
    const opens = async () => (await verifyPassword(ctx, { email, password: PASSWORD }, async () => undefined)).ok;
    expect(await opens()).toBe(true);
    ctx.clock.advance(hours(72));
    expect(await opens()).toBe(false);
    const [event] = await ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.subject_id, created?.userId ?? ""));
    expect(event).toMatchObject({ action: "user.created" });
    expect(JSON.stringify(event)).not.toContain(PASSWORD);
  });

  type Rejection = [Record<string, string>, Record<string, string>];

  const NOTHING = { email: "Email is required", full_name: "Full name is required" };
  const COMMON: Rejection[] = [
    [{ email: "", full_name: "" }, NOTHING],
    [{ email: "nora" }, { email: "Please enter a valid email address" }],
    [{ full_name: "  " }, { full_name: "Full name is required" }],
  ];
  const TOO_WEAK =
    "Password must contain at least one uppercase letter, lowercase letter, number, and special character";
  const PASSWORDS: Rejection[] = [
    [{ password: "" }, { password: "Password must be at least 8 characters long" }],
    [{ password: "alllowercase" }, { password: TOO_WEAK }],
  ];

  test.each([
    ...COMMON.map(([fields, errors]) => ["invite", fields, errors] as const),
    ...[...COMMON, ...PASSWORDS].map(([fields, errors]) => ["create", fields, errors] as const),
  ])("%s with %j is rejected, and what was typed stays, but never a password", async (intent, fields, errors) => {
    const response = await send({ intent, ...typed(), password: PASSWORD, ...fields });
    expect(response.status).toBe(400);
    const answer = await response.json();
    expect(answer.error?.errors).toEqual(errors);
    expect(answer.values).toMatchObject({ role: "moderator" });
    expect(JSON.stringify(answer)).not.toMatch(/Correct!Horse|alllowercase/);
    expect(await account()).toBeNull();
  });

  test.each(["invite", "create"])("%s rejects an address that somebody has, in any case of letters", async (intent) => {
    await makePerson(ctx, { email });
    const response = await send({ intent, ...typed(), email: email.toUpperCase(), password: PASSWORD });
    expect((await response.json()).error?.errors).toEqual({ email: "A user with this email already exists." });
  });

  test.each(["invite", "create"])("%s takes an address that a sign-up only claims", async (intent) => {
    const claimed = await makePerson(ctx, { email, status: "unverified" });
    expect((await send({ intent, ...typed(), password: PASSWORD })).status).toBe(303);
    expect((await account())?.userId).not.toBe(claimed.id);
  });

  test("the same form sent twice at once makes one account, and so do twenty with one address", async () => {
    const form_token = issueFormToken(ctx, "user-new");
    const twice = await Promise.all(
      [1, 2].map(() => send({ form_token, intent: "create", ...typed(), password: PASSWORD })),
    );
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
    email = `race${number}@added.example`;
    const many = await Promise.all(
      Array.from({ length: 20 }, () => send({ intent: "create", ...typed(), password: PASSWORD })),
    );
    expect(many.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(await ctx.db.select().from(users).where(eq(users.email, email))).toHaveLength(1);
  });

  test("what is changed in the form after a lost answer is not said to be created", async () => {
    const form_token = issueFormToken(ctx, "user-new");
    const create = async (changed: Record<string, string>) =>
      (await send({ form_token, intent: "create", ...typed(), password: PASSWORD, ...changed })).status;
    expect([await create({}), await create({})]).toEqual([303, 303]);
    expect([await create({ role: "admin" }), await create({ password: `${PASSWORD}-2` })]).toEqual([400, 400]);
    expect(await account()).toMatchObject({ role: "moderator" });
  });

  test("a failure on the way leaves nothing behind and says so beside what was typed", async () => {
    const batch = () => Promise.reject(new Error("D1_ERROR: no such table"));
    const broken = derive(ctx, { db: { ...ctx.db, batch } });
    const response = await send({ intent: "create", ...typed(), password: PASSWORD }, broken);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      error: { errors: { form: "Failed to create user. Please try again." } },
      values: { email, full_name: "Nora Neu" },
    });
    expect(await account()).toBeNull();
    const invited = await send({ intent: "invite", ...typed() }, broken);
    expect((await invited.json()).error?.errors).toEqual({ form: "Failed to invite user. Please try again." });
    expect(await account()).toBeNull();
  });

  test("a password is generated on the server, beside what was typed", async () => {
    const answer = await (await send({ intent: "generate", ...typed(), password: "what was there" })).json();
    expect(answer).toMatchObject({ error: null, values: { email, full_name: "Nora Neu", role: "moderator" } });
    expect(answer.password).toMatch(/^.{12}$/);
    expect((await send({ intent: "create", ...typed(), password: answer.password ?? "" })).status).toBe(303);
  });

  test("an old proof of identity is asked for in the form", async () => {
    ctx.clock.advance(minutes(11));
    for (const intent of ["invite", "create"]) {
      const response = await send({ intent, ...typed(), password: PASSWORD });
      expect((await response.json()).error).toMatchObject({ title: "Verification Required" });
      expect(await account()).toBeNull();
    }
  });

  test("an administrator who lost the role in the meantime adds nobody", async () => {
    const own = ctx.signedIn?.userId ?? "";
    await ctx.db.delete(userRoles).where(eq(userRoles.user_id, own));
    for (const intent of ["invite", "create"]) {
      expect((await send({ intent, ...typed(), password: PASSWORD })).status).toBe(400);
      expect(await account()).toBeNull();
    }
  });

  test("an invitation is sent again or taken back from its row and from the page of the person", async () => {
    await send({ intent: "invite", ...typed() });
    const id = (await account())?.userId ?? "";
    const fromList = (intent: string) => list.send(ctx, LIST, "user-list", { intent, id });
    const fromPage = (intent: string) => personPage.send(ctx, `${LIST}/${id}`, "user", { intent });
    expect((await fromList("resend")).status).toBe(303);
    expect(flash(base)).toContain("is queued");
    // Its mail has not failed, so there is no link to hand over.
    expect((await fromPage("copy_link")).status).toBe(400);
    const page = await personPage.read(ctx, `${LIST}/${id}`);
    expect(page).toMatchObject({ invitation: { email, state: "pending" }, allowed: ["role"] });
    expect((await fromPage("revoke")).headers.get("Location")).toBe("/admin/users");
    expect(await account()).toBeNull();
    const gone = await fromList("revoke");
    expect([gone.status, await gone.json()]).toEqual([400, { rejection: "This invitation is not open any more." }]);
  });
});

describe("the page of a person", () => {
  const read = (ctx: TestContext, id: string, query = "") => personPage.read(ctx, `${LIST}/${id}${query}`);
  const send = (ctx: TestContext, id: string, fields: Record<string, string>) =>
    personPage.send(ctx, `${LIST}/${id}?do=${fields.intent}`, "user", fields);
  const statusOf = async (ctx: TestContext, id: string) =>
    (await ctx.db.select({ status: users.status }).from(users).where(eq(users.id, id)))[0]?.status;

  test("the page of a person shows factor, sessions, organizations and what happened, in two round trips", async () => {
    const { ctx, base } = await staffMember();
    const person = await makePerson(ctx, { withTotp: true });
    const { signedIn } = await makeSession(ctx, person);
    await keepSessionData(ctx, sessionDataKey("sess", signedIn.sessionHash), "Chrome on Linux", hours(12));
    const organization = await makeOrganization(ctx, "Cedar Dental");
    await makeMember(ctx, organization.id, person, "member", "suspended");
    await base.db.update(users).set({ password_failures: 5 }).where(eq(users.id, person.id));
    await send(ctx, person.id, { intent: "unlock", reason: "Called us" });
    await base.settle();
    const { trips, rows } = await costOf(base, () => read(ctx, person.id));
    // Whether mail to them waits is asked with the hash of their address, which the first one reads.
    expect([trips, rows < 60]).toEqual([2, true]);
    const page = await read(ctx, person.id);
    expect(page.account).toMatchObject({ name: person.fullName, hasFactor: true, codesLeft: 0, status: "active" });
    expect(page.sessions).toMatchObject([{ device: "Chrome on Linux", network: "203.0.113.0" }]);
    // What proves a session stays on the server.
    expect(JSON.stringify(page)).not.toContain("sessionHash");
    expect(page.memberships).toMatchObject([{ organization: "Cedar Dental", role: "member", status: "suspended" }]);
    expect(page.history.entries[0]).toMatchObject({ details: expect.stringContaining("Called us") });
  });

  test("of more organizations than the page names it leads to all", async () => {
    const { ctx } = await staffMember();
    const person = await makePerson(ctx);
    const join = async () => makeMember(ctx, (await makeOrganization(ctx)).id, person, "member");
    for (let count = 0; count < 30; count += 1) await join();
    expect(await read(ctx, person.id)).toMatchObject({ memberships: { length: 30 }, allMemberships: null });
    await join();
    expect(await read(ctx, person.id)).toMatchObject({
      memberships: { length: 30 },
      allMemberships: `/admin/members?q=${encodeURIComponent(person.email)}`,
    });
  });

  test("the history goes back page by page and shows each event once", async () => {
    const { ctx } = await staffMember();
    const person = await makePerson(ctx);
    for (let count = 0; count < 25; count += 1)
      await send(ctx, person.id, { intent: "end_sessions", reason: `No ${count}` });
    const first = await read(ctx, person.id);
    const second = await read(ctx, person.id, `?before=${first.history.older}`);
    const ids = [...first.history.entries, ...second.history.entries].map(({ id }) => id);
    expect([first.history.entries.length, ids.length, new Set(ids).size]).toEqual([20, 25, 25]);
    expect(second.history.older).toBeNull();
  });

  test("a change needs a reason and leads back to the page with a message", async () => {
    const { ctx, base } = await staffMember();
    const person = await makePerson(ctx);
    const rejected = await send(ctx, person.id, { intent: "deactivate", reason: "  " });
    expect([rejected.status, (await rejected.json()).errors]).toEqual([400, { reason: "Say why." }]);
    const done = await send(ctx, person.id, { intent: "deactivate", reason: "Left" });
    expect(done.headers.get("Location")).toBe(`/admin/users/${person.id}`);
    expect(flash(base)).toBe("Success: The account was deactivated.");
    expect(await statusOf(ctx, person.id)).toBe("deactivated");
  });

  test("an old proof of identity is asked for in the form, which keeps what was typed but no secret", async () => {
    const { ctx } = await staffMember();
    const person = await makePerson(ctx);
    ctx.clock.advance(minutes(11));
    expect((await read(ctx, person.id, "?do=deactivate")).identity).toMatchObject({ mfaEnabled: true, method: "totp" });
    const typed = { intent: "deactivate", reason: "Left", current_password: "wrong", code: "123456", method: "totp" };
    const rejected = await send(ctx, person.id, typed);
    expect(rejected.status).toBe(400);
    const { errors, values } = await rejected.json();
    expect([Object.keys(errors), values.reason]).toEqual([["current_password"], "Left"]);
    expect(JSON.stringify(values)).not.toMatch(/wrong|123456/);
    expect(await statusOf(ctx, person.id)).toBe("active");
    const code = codeAt(TOTP_SECRET, stepAt(ctx.now()));
    const done = await send(ctx, person.id, { ...typed, current_password: PASSWORD, code });
    expect(done.status).toBe(303);
    expect(await statusOf(ctx, person.id)).toBe("deactivated");
  });

  test("the only owner of an organization stays, and the page says which one it is", async () => {
    const { ctx } = await staffMember();
    const person = await makePerson(ctx);
    const organization = await makeOrganization(ctx, "Harbor House");
    await makeMember(ctx, organization.id, person, "owner");
    const rejected = await send(ctx, person.id, { intent: "deactivate", reason: "Left" });
    expect((await rejected.json()).errors).toEqual({
      form: "The person is the only owner of Harbor House. Transfer the ownership first.",
    });
  });

  test("one's own page offers no change, and a hand-made one is rejected", async () => {
    const { ctx, person } = await staffMember();
    const page = await read(ctx, person.id, "?do=deactivate");
    expect([page.isOwn, page.allowed, page.isOffered]).toEqual([true, [], false]);
    for (const intent of ["deactivate", "reset_mfa", "end_sessions"]) {
      const rejected = await send(ctx, person.id, { intent, reason: "Why not" });
      expect((await rejected.json()).errors).toEqual({ form: "You can't do this to your own account." });
    }
    const role = await send(ctx, person.id, { intent: "role", role: "user" });
    expect((await role.json()).errors.form).toMatch(/own role|at least one admin/);
  });

  test("a change of role that came from the list leads back to it, and to no other site", async () => {
    const { ctx } = await staffMember();
    const person = await makePerson(ctx);
    const changed = await send(ctx, person.id, { intent: "role", role: "moderator", from: "/admin/users?q=person" });
    expect(changed.headers.get("Location")).toBe("/admin/users?q=person");
    const outside = await send(ctx, person.id, { intent: "role", role: "user", from: "//evil.example" });
    expect(outside.headers.get("Location")).toBe(`/admin/users/${person.id}`);
  });
});
