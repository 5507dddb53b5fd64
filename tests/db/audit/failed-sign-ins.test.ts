import { and, asc, eq, isNull } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents, refusedSignIns } from "~/db/schema/audit";
import { recordFailedSignIn, reportFailedSignIns } from "~/features/audit/failed-sign-ins.server";
import { toAuditActor } from "~/features/audit/model";
import { hours } from "~/lib/time";
import { derive, type TestContext, testContext } from "../../support/context";
import { makePerson, type Person } from "../../support/factories";

let ctx: TestContext;
let person: Person;

beforeEach(async () => {
  ctx = testContext();
  person = await makePerson(ctx, { fullName: "Tessa Lindqvist" });
  await ctx.db.delete(refusedSignIns);
});

const from = (network: string) => derive(ctx, { request: { ...ctx.request, ip: network, network } });
const fail = (context = ctx, reason = "credentials") => {
  const account = toAuditActor({ userId: person.id, role: "user", fullName: person.fullName, email: person.email });
  return commit(context.db, recordFailedSignIn(context, { account, reason }));
};
const recorded = () =>
  ctx.db
    .select({ meta: auditEvents.meta_json, ip: auditEvents.ip, text: auditEvents.search_text })
    .from(auditEvents)
    .where(and(eq(auditEvents.action, "session.refused"), eq(auditEvents.subject_id, person.id)))
    .orderBy(asc(auditEvents.id));
const facts = async () => (await recorded()).map(({ meta }) => JSON.parse(meta ?? "{}") as unknown);

test("forty failures at once in one hour are one event, and forty are counted", async () => {
  await Promise.all(Array.from({ length: 40 }, () => fail()));
  expect(await facts()).toEqual([{ reason: "credentials" }]);
  expect(await ctx.db.select().from(refusedSignIns)).toMatchObject([{ account_id: person.id, count: 40 }]);
});

test("another network, another reason and another hour are events of their own", async () => {
  await fail();
  await fail(from("198.51.100.9"));
  await fail(ctx, "wrong_code");
  ctx.clock.advance(hours(1));
  await fail();
  expect(await recorded()).toHaveLength(4);
});

test("when the hour is over, one more event says how often it went on, and where", async () => {
  for (let attempt = 0; attempt < 12; attempt += 1) await fail(from("198.51.100.9"));
  expect(await reportFailedSignIns(ctx)).toEqual({ count: 0, more: false });
  ctx.clock.advance(hours(2));
  expect(await reportFailedSignIns(ctx)).toEqual({ count: 1, more: false });
  expect(await facts()).toEqual([{ reason: "credentials" }, { reason: "credentials", repeated: 11 }]);
  expect((await recorded()).at(-1)).toMatchObject({ ip: "198.51.100.9" });
  expect((await recorded()).at(-1)?.text).toContain("11 more times within the hour");
  expect(await ctx.db.select().from(refusedSignIns)).toEqual([]);
});

test("a single failure is not reported again", async () => {
  await fail();
  ctx.clock.advance(hours(2));
  expect(await reportFailedSignIns(ctx)).toEqual({ count: 1, more: false });
  expect(await recorded()).toHaveLength(1);
});

test("runs at the same time report each count once", async () => {
  for (let attempt = 0; attempt < 3; attempt += 1) await fail();
  ctx.clock.advance(hours(2));
  await Promise.all([reportFailedSignIns(ctx), reportFailedSignIns(ctx), reportFailedSignIns(ctx)]);
  expect(await facts()).toEqual([{ reason: "credentials" }, { reason: "credentials", repeated: 2 }]);
});

test("addresses without an account are counted together for each network, and none of them is stored", async () => {
  const ofVisitors = and(eq(auditEvents.action, "session.refused"), isNull(auditEvents.subject_id));
  const before = await ctx.db.$count(auditEvents, ofVisitors);
  for (let attempt = 0; attempt < 5; attempt += 1)
    await commit(ctx.db, recordFailedSignIn(ctx, { account: null, reason: "credentials" }));
  expect(await ctx.db.$count(auditEvents, ofVisitors)).toBe(before + 1);
  expect(await ctx.db.select().from(refusedSignIns)).toMatchObject([{ account_id: "", count: 5 }]);
});
