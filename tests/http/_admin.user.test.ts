import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { hours, minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { keepSessionData, sessionDataKey } from "~/platform/session-data.server";
import { action, loader } from "~/routes/_admin.admin.users.$userId";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makeMember, makeOrganization, makePerson, makeSession, PASSWORD, TOTP_SECRET } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";

const read = async (ctx: TestContext, userId: string, query = "") =>
  (await loader(args(ctx, get(`/admin/users/${userId}${query}`), { userId }))).json();
const send = (ctx: TestContext, userId: string, fields: Record<string, string>) =>
  action(
    args(
      ctx,
      post(`/admin/users/${userId}?do=${fields.intent}`, { form_token: issueFormToken(ctx, "user"), ...fields }),
      {
        userId,
      },
    ),
  );
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
  Object.assign(base.cost, { trips: 0, rowsRead: 0 });
  const page = await read(ctx, person.id);
  // Whether mail to them waits is asked with the hash of their address, which the first one reads.
  expect([base.cost.trips, base.cost.rowsRead < 60]).toEqual([2, true]);
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

test.each(["usr_unknown", "org_unknown", "x"])("an account %j that does not exist is not found", async (userId) => {
  const { ctx } = await staffMember();
  expect((await thrownBy(read(ctx, userId))).status).toBe(404);
});
