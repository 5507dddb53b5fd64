import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { refusedSignIns } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { mfaAuditLog } from "~/db/schema/security";
import { accountOf, confirmIdentity } from "~/features/auth/confirm-identity.server";
import {
  beginEnrollment,
  completeEnrollment,
  disableTotp,
  findEnrollment,
  startChallenge,
} from "~/features/auth/factor-commands.server";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { verifyCode } from "~/features/sign-in/authenticator.server";
import { listLiveUpdates } from "~/features/workspace/queries.server";
import type { SignedIn } from "~/platform/context.server";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, PASSWORD, type Person, TOTP_SECRET } from "../../support/factories";

let ctx: TestContext;
let person: Person;
let own: TestContext;
let signedIn: SignedIn;

beforeEach(async () => {
  ctx = testContext();
  person = await makePerson(ctx, { role: "moderator", withPassword: true, withTotp: true });
  own = as(ctx, person);
  if (!own.signedIn) throw new Error("Nobody is signed in");
  signedIn = own.signedIn;
});

const code = (offset = 0) => codeAt(TOTP_SECRET, stepAt(ctx.now()) + offset);
const typed = (changes = {}) => ({ password: PASSWORD, method: "totp" as const, code: code(), ...changes });

/** Lists the notifications to administrators about this person, with the actor. */
const told = () =>
  ctx.db
    .select({ label: liveEvents.label, actor: liveEvents.actor_id, type: liveEvents.type })
    .from(liveEvents)
    .where(eq(liveEvents.subject_id, person.id))
    .orderBy(asc(liveEvents.seq));
const logged = () => ctx.db.select().from(mfaAuditLog).where(eq(mfaAuditLog.user_id, person.id));

async function challenge(): Promise<string> {
  await startChallenge(ctx, await accountOf(ctx, signedIn), { kind: "verify", redirectTo: null });
  return ctx.cookiesSet.at(-1)?.match(/^__Host-mfa=([\w-]{43});/)?.[1] ?? "";
}

describe("administrators are notified at once", () => {
  test("of a wrong code at a sign-in, by a person who is not signed in yet", async () => {
    await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code(10) });
    const label = `${person.fullName} entered a wrong code`;
    expect(await told()).toEqual([{ type: "mfa_event", actor: null, label }]);
    expect(await logged()).toMatchObject([{ success: 0, failure_reason: "wrong_code", ip_address: ctx.request.ip }]);
    await ctx.settle();
    expect(ctx.notified).toContain("staff");
  });

  test("of a wrong code in a session that may be stolen", async () => {
    await confirmIdentity(own, signedIn, typed({ code: code(10) }));
    expect(await told()).toMatchObject([{ type: "mfa_event", actor: person.id }]);
  });

  test("of a factor that was switched off, and of one that was set up", async () => {
    expect((await disableTotp(own, signedIn, typed())).ok).toBe(true);
    await commit(ctx.db, [beginEnrollment(ctx, person.id)]);
    const { secret } = (await findEnrollment(ctx, { userId: person.id, email: person.email })) ?? { secret: "" };
    const first = codeAt(secret, stepAt(ctx.now()));
    expect((await completeEnrollment(own, { person: await accountOf(ctx, signedIn), code: first })).ok).toBe(true);
    expect((await told()).map(({ label }) => label)).toEqual([
      `${person.fullName} switched off two-step sign-in`,
      `${person.fullName} set up two-step sign-in`,
    ]);
  });
});

test("of clients nobody is notified, whatever name they chose: their failed codes are in the log, and counted", async () => {
  person = await makePerson(ctx, { fullName: "Admin: call 555 now", withPassword: true, withTotp: true });
  own = as(ctx, person);
  if (!own.signedIn) throw new Error("Nobody is signed in");
  signedIn = own.signedIn;
  const challengeId = await challenge();
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await verifyCode(ctx, { challengeId, method: "totp", code: code(10 + attempt) });
  }
  await confirmIdentity(own, signedIn, typed({ code: code(10) }));
  expect((await disableTotp(own, signedIn, typed())).ok).toBe(true);
  expect(await told()).toEqual([]);
  expect((await logged()).filter(({ success }) => success === 0)).toHaveLength(4);
  const ofPerson = eq(refusedSignIns.account_id, person.id);
  expect(await ctx.db.select().from(refusedSignIns).where(ofPerson)).toMatchObject([
    { reason: "wrong_code", count: 3 },
  ]);
});

test("a right code is recorded in the log and notifies nobody", async () => {
  expect(await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code() })).toMatchObject({
    ok: true,
  });
  expect(await logged()).toMatchObject([{ action: "verify_challenge", success: 1 }]);
  expect(await told()).toEqual([]);
});

test("a technician's list does not show it, an administrator's does", async () => {
  await verifyCode(ctx, { challengeId: await challenge(), method: "totp", code: code(10) });
  const labels = async (role: "admin" | "moderator") =>
    (await listLiveUpdates(as(ctx, await makePerson(ctx, { role })))).updates.map(({ label }) => label);
  const line = `Sign-in: ${person.fullName} entered a wrong code`;
  expect(await labels("admin")).toContain(line);
  expect(await labels("moderator")).not.toContain(line);
});
