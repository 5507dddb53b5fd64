import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { contactSubmissions } from "~/db/schema/submissions";
import { countViews } from "~/features/submissions/list/read-list.server";
import { testContext } from "../../support/context";
import { makePerson, makeSubmission } from "../../support/factories";

const TODAY = "2026-11-18";

test("what is mine and what is to be followed up is counted as the views show it, up to the limit", async () => {
  const ctx = testContext();
  await ctx.db.delete(contactSubmissions);
  const person = await makePerson(ctx, { role: "moderator" });
  const counts = () => countViews(ctx.db, { userId: person.id, today: TODAY });
  const add = async (fields: Partial<typeof contactSubmissions.$inferInsert>, options = {}) => {
    const { id } = await makeSubmission(ctx, options);
    await ctx.db.update(contactSubmissions).set(fields).where(eq(contactSubmissions.id, id));
  };
  expect(await counts()).toEqual({ mine: "0", follow_up: "0" });
  await add({ owner_id: person.id, follow_up_on: TODAY });
  await add({ owner_id: person.id, status: "resolved", follow_up_on: TODAY });
  await add({ follow_up_on: "2026-11-17" });
  await add({ follow_up_on: "2026-11-19" });
  await add({ owner_id: person.id, follow_up_on: TODAY }, { moderationReason: "content" });
  expect(await counts()).toEqual({ mine: "2", follow_up: "2" });
  for (let more = 0; more < 24; more++) await add({ owner_id: person.id });
  expect(await counts()).toEqual({ mine: "25+", follow_up: "2" });
});
