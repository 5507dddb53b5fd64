import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { notificationPreferences } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMails } from "~/features/mail/enqueue-mail.server";
import { sendDailySummary } from "~/jobs/send-daily-summary.server";
import { hours } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { makeMember, makeOrganization, makePerson } from "../../support/factories";

const HALF = hours(0.5);

let ctx: TestContext;
beforeEach(async () => {
  ctx = testContext();
  await ctx.db.delete(outbox);
  await ctx.db.run(sql`DELETE FROM user_roles`);
});

/** Lets the provider fail for each mail that waits, and returns who gets one at the next attempt. */
async function toldAfter(change: () => Promise<unknown>): Promise<string[]> {
  ctx.outcomes.push(...Array.from({ length: 10 }, () => ({ kind: "transient", reason: "http_503" }) as const));
  const { pending } = await deliverOutbox(ctx);
  expect(pending).toBe(2);
  ctx.outcomes.length = 0;
  await change();
  ctx.clock.advance(HALF);
  await deliverOutbox(ctx);
  return ctx.sent.map(({ to }) => to);
}

test("a letter that waits does not reach who has left the organization or is no admin of it any more", async () => {
  const organization = await makeOrganization(ctx);
  const people = [await makePerson(ctx), await makePerson(ctx)];
  const [left] = people;
  for (const person of people) await makeMember(ctx, organization.id, person, "admin");
  const data = {
    ...{ title: "November", organization: "Larkspur Row", verdict: "Fine", sentences: [], numbers: [], misses: [] },
    ...{ signedBy: "Sam Lee", path: "/client/letters/let_1", unsubscribePath: null },
  };
  const about = { type: "organization", id: organization.id } as const;
  await commit(
    ctx.db,
    enqueueMails(
      ctx,
      "letter",
      people.map(({ id, email }) => ({ to: email, reader: id, about, data })),
    ),
  );
  const told = await toldAfter(() =>
    ctx.db.run(sql`UPDATE organization_memberships SET role = 'member' WHERE user_id = ${left?.id}`),
  );
  expect(told).toEqual([people[1]?.email]);
  expect(await ctx.db.$count(outbox)).toBe(1);
});

test("a summary that waits does not reach who no longer works here", async () => {
  const people = [await makePerson(ctx, { role: "moderator" }), await makePerson(ctx, { role: "admin" })];
  await ctx.db
    .insert(notificationPreferences)
    .values(people.map(({ id }) => ({ user_id: id, event: "daily_summary", by_mail: true, in_app: false })));
  ctx.clock.advance(-hours(1));
  expect(await sendDailySummary(ctx)).toEqual({ count: 2 });
  const told = await toldAfter(() =>
    ctx.db
      .update(users)
      .set({ status: "deactivated" })
      .where(eq(users.id, people[0]?.id ?? "")),
  );
  expect(told).toEqual([people[1]?.email]);
});
