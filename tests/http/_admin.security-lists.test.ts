import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { userMfaSettings } from "~/db/schema/security";
import { sessions } from "~/db/schema/sessions";
import { SESSIONS_PER_PAGE } from "~/features/security/model";
import { hours, minutes } from "~/lib/time";
import * as eventsRoute from "~/routes/_admin.admin.security.events";
import * as factorsRoute from "~/routes/_admin.admin.security.mfa";
import * as sessionsRoute from "~/routes/_admin.admin.security.sessions";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makePerson, makeSession } from "../support/factories";
import { pageAt } from "../support/page";
import { openMonitoring, recordMfaEvent } from "../support/security-pages";

const events = pageAt("/admin/security/events", eventsRoute);
const factors = pageAt("/admin/security/mfa", factorsRoute);
const sessionsPage = pageAt("/admin/security/sessions", sessionsRoute);

const listed = async (ctx: TestContext, query: string) => {
  const { list } = await events.read(ctx, `/admin/security/events?${query}`);
  return list?.page.rows ?? [];
};

const people = async (ctx: TestContext, query: string) => {
  const { list } = await factors.read(ctx, `/admin/security/mfa?${query}`);
  if (!list) throw new Error("The list could not be read");
  return list;
};

test("events are found by person and address, by what happened, by whether it succeeded, and by day", async () => {
  const { ctx } = await staffMember();
  const mila = await makePerson(ctx, { fullName: "Mila Österlund", email: "mila@larkspur.example" });
  await recordMfaEvent(ctx, mila, { ago: hours(50), action: "setup" });
  await recordMfaEvent(ctx, mila, { ago: hours(1), failure: "replayed_code", ip: "198.51.100.23" });
  await recordMfaEvent(ctx, mila, { ago: 1, action: "backup_code_used", method: "backup_code" });
  const found = async (query: string) => (await listed(ctx, query)).map(({ action: of }) => of);
  expect(await found("q=oster")).toEqual(["backup_code_used", "verify_challenge", "setup"]);
  expect(await found("q=%C3%96s")).toEqual(["backup_code_used", "verify_challenge", "setup"]);
  expect(await found("q=rk&to=2026-11-17")).toEqual(["setup"]);
  expect(await found("q=23&result=failed")).toEqual(["verify_challenge"]);
  expect(await found("q=mila%40lark&result=failed")).toEqual(["verify_challenge"]);
  expect(await found("q=198.51.100.23")).toEqual(["verify_challenge"]);
  expect(await found("q=mila&action=setup&result=failed")).toEqual([]);
  expect(await found("q=mila&method=backup_code")).toEqual(["backup_code_used"]);
  expect(await found("q=mila&to=2026-11-17")).toEqual(["setup"]);
  expect(await found("q=mila&sort=oldest")).toEqual(["setup", "verify_challenge", "backup_code_used"]);
  // By the name of today; once the account is gone by its address only.
  await ctx.db.update(users).set({ search_name: "mila berg", full_name: "Mila Berg" }).where(eq(users.id, mila.id));
  for (const former of ["q=oster", "q=os"]) expect(await found(former), former).toEqual([]);
  expect(await found("q=mila+berg&result=failed")).toEqual(["verify_challenge"]);
  await ctx.db.delete(users).where(eq(users.id, mila.id));
  expect(await found("q=mila")).toEqual([]);
  expect(await listed(ctx, "q=198.51.100.23")).toMatchObject([{ name: null, email: null, userId: mila.id }]);
});

test("two letters find the event of one person among those of more people than are looked up beforehand", async () => {
  const { ctx } = await staffMember();
  const mila = await makePerson(ctx, { fullName: "Mila Xqvist" });
  await recordMfaEvent(ctx, mila, { ago: hours(1), ip: "198.51.100.23" });
  const found = async () => (await listed(ctx, "q=xq")).map(({ userId }) => userId);
  expect(await found()).toEqual([mila.id]);
  await ctx.db.run(sql`
    INSERT INTO mfa_audit_log(user_id, action, method, success, ip_address, created_at)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
    SELECT 'usr_gone' || i, 'setup', 'totp', 1, '198.51.100.23', ${ctx.now()} FROM n`);
  expect(await found()).toEqual([mila.id]);
});

test("people are listed with status, last use and codes left, and found by side, factor and name", async () => {
  const { ctx } = await staffMember();
  const on = await makePerson(ctx, { fullName: "Quill Ashdown", withTotp: true });
  const off = await makePerson(ctx, { fullName: "Quill Barrow", role: "moderator" });
  const step = Math.floor((ctx.now() - hours(2)) / 30_000);
  await ctx.db.update(userMfaSettings).set({ last_totp_step: step }).where(eq(userMfaSettings.user_id, on.id));
  const used = ctx.now() - hours(1);
  await ctx.db.run(sql`
    INSERT INTO mfa_backup_codes(id, user_id, set_id, salt, code_hash, used_at, created_at)
    VALUES ('a', ${on.id}, 's', 's', 'a', ${used}, 1), ('b', ${on.id}, 's', 's', 'b', NULL, 1)`);
  const ids = async (query: string) => (await people(ctx, query)).page.rows.map(({ id }) => id);
  expect(await ids("q=quill")).toEqual([off.id, on.id]);
  expect(await ids("q=qu")).toEqual([off.id, on.id]);
  expect(await ids("q=qu&factor=off&side=staff")).toEqual([off.id]);
  expect(await ids("q=quill&side=client")).toEqual([on.id]);
  expect(await ids("q=quill&factor=off")).toEqual([off.id]);
  expect((await ids("side=staff&factor=off"))[0]).toBe(off.id);
  const { page, isOfClients } = await people(ctx, "q=quill+ashdown");
  expect(isOfClients).toBe(false);
  expect(page.rows).toEqual([
    expect.objectContaining({ factor: "on", lastUsedAt: used, codesLeft: 1, role: "user", status: "active" }),
  ]);
  expect(JSON.stringify(page.rows)).not.toContain("secret");
});

test("sessions are those that are valid now, last used first, page by page, without what could open them", async () => {
  const { ctx, person } = await staffMember();
  await ctx.db.delete(sessions);
  const gone = await makePerson(ctx, { status: "deactivated" });
  const { signedIn } = await makeSession(ctx, person);
  await makeSession(ctx, gone);
  ctx.clock.advance(minutes(20));
  for (let count = 0; count < SESSIONS_PER_PAGE; count += 1) await makeSession(ctx, await makePerson(ctx));
  const read = async (before = "") => (await sessionsPage.read(ctx, `/admin/security/sessions?before=${before}`)).page;
  const first = await read();
  expect(first?.sessions).toHaveLength(SESSIONS_PER_PAGE);
  const second = await read(first?.next ?? "");
  expect(second?.sessions.map(({ userId }) => userId)).toEqual([person.id]);
  expect(second?.next).toBeNull();
  expect(JSON.stringify([first, second])).not.toContain(signedIn.sessionHash);
  expect((await openMonitoring(ctx)).sessions).toEqual({ count: SESSIONS_PER_PAGE + 1, isMore: false });
  ctx.clock.advance(minutes(11));
  expect((await read("nonsense"))?.sessions).toHaveLength(SESSIONS_PER_PAGE);
});
