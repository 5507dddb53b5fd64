import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mfaAuditLog, userMfaSettings } from "~/db/schema/security";
import { authTokens } from "~/db/schema/sessions";
import { recordAudit, recordMfaEvent } from "~/features/audit/record-audit.server";
import { findSignedIn } from "~/features/auth/queries.server";
import { userSubject } from "~/features/users/model";
import { hashToken } from "~/platform/crypto.server";
import { recoverRemotely, recoveryFor } from "../../../scripts/lib/admin-recovery.mjs";
import { bindings, type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person } from "../../support/factories";
import { fakeWrangler } from "../../support/fake-wrangler";

let ctx: TestContext;
let admin: Person;

beforeEach(async () => {
  ctx = testContext();
  admin = await makePerson(ctx, { role: "admin", withTotp: true, fullName: "Dana O'Hara" });
});

/** Carries a recovery out and returns the path of its link. */
async function recover(email: string): Promise<string> {
  const { statements, path } = recoveryFor(email, ctx.now());
  await bindings.DB.batch(statements.map((statement) => bindings.DB.prepare(statement)));
  return path;
}

const factorOf = async ({ id }: Person) =>
  (await ctx.db.select().from(userMfaSettings).where(eq(userMfaSettings.user_id, id)))[0];
const lastEvent = async () =>
  (await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, admin.id)).orderBy(auditEvents.id)).at(-1);
const lastMfaEvent = async () => {
  const isReset = and(eq(mfaAuditLog.user_id, admin.id), eq(mfaAuditLog.action, "admin_reset"));
  return (await ctx.db.select().from(mfaAuditLog).where(isReset).orderBy(mfaAuditLog.id)).at(-1);
};

test("a recovery ends every session, takes the factor away and makes one link to set up another", async () => {
  const { sessionId } = await makeSession(ctx, admin);
  const path = await recover(admin.email.toUpperCase());
  expect(await findSignedIn(ctx.db, hashToken(sessionId), ctx.now())).toBeNull();
  expect(await factorOf(admin)).toMatchObject({ is_enabled: 0, totp_secret: null, setup_needs_link: 1 });
  const [page, token = ""] = path.split("&token=");
  expect(page).toBe("/login?mode=setup");
  const links = await ctx.db.select().from(authTokens).where(eq(authTokens.user_id, admin.id));
  expect(links).toMatchObject([{ id_hash: hashToken(token), purpose: "mfa_setup", consumed_at: null }]);
});

test("its events have the columns of those that the product records", async () => {
  await recover(admin.email);
  const [event, mfaEvent] = [await lastEvent(), await lastMfaEvent()];
  await commit(ctx.db, [
    recordAudit(ctx, "mfa.recovery_link_made", {
      subject: userSubject({ userId: admin.id, fullName: admin.fullName }),
      actor: { id: null, role: "operator", name: null, email: null },
    }),
    ...recordMfaEvent(ctx, { userId: admin.id, fullName: admin.fullName }, { action: "admin_reset", method: "totp" }),
  ]);
  const outsideRequests = { ip: null, request_id: null };
  const [expected, expectedMfa] = [await lastEvent(), await lastMfaEvent()];
  expect(event).toEqual({ ...expected, ...outsideRequests, id: event?.id });
  expect(mfaEvent).toEqual({ ...expectedMfa, ip_address: null, request_id: null, id: mfaEvent?.id });
  expect(event?.id).toBeLessThan(expected?.id ?? 0);
});

test.each([
  ["a technician", { role: "moderator" }],
  ["a client", { role: "user" }],
  ["a deactivated administrator", { role: "admin", status: "deactivated" }],
] as const)("nothing changes for %s", async (_who, options) => {
  const person = await makePerson(ctx, { ...options, withTotp: true });
  const before = await ctx.db.select().from(users).where(eq(users.id, person.id));
  await recover(person.email);
  expect(await ctx.db.select().from(users).where(eq(users.id, person.id))).toEqual(before);
  expect((await factorOf(person))?.is_enabled).toBe(1);
});

test("on a deployed database it asks for the administrator, then carries everything out as one file", async () => {
  const wrangler = fakeWrangler();
  const site = { run: wrangler.run, env: "staging" };
  await recoverRemotely(site, recoveryFor(admin.email, ctx.now()));
  expect(await factorOf(admin)).toMatchObject({ is_enabled: 0, setup_needs_link: 1 });
  expect(wrangler.calls).toHaveLength(2);
  for (const args of wrangler.calls) expect(args.join(" ")).toContain("d1 execute DB --remote --env staging");
});

test("on a deployed database it refuses an address that no administrator has, and writes nothing", async () => {
  const wrangler = fakeWrangler();
  const technician = await makePerson(ctx, { role: "moderator", withTotp: true });
  for (const email of [technician.email, "no-one@example.org"]) {
    await expect(recoverRemotely({ run: wrangler.run, env: undefined }, recoveryFor(email, ctx.now()))).rejects.toThrow(
      "There is no administrator with that address.",
    );
  }
  expect(wrangler.calls.flat()).not.toContain("--file");
});
