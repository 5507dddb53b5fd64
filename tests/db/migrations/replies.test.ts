import { expect, test } from "vitest";
import { listReplies } from "~/features/submissions/record/timeline.server";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore, PRIYAS_SUBMISSION } from "../../support/earlier-database";

test("replies from before the migration are kept, without a state of their mail", async () => {
  const database = await databaseBefore("0015");
  await database.insert("contact_submissions", PRIYAS_SUBMISSION);
  const reply = { id: "srp_1", actor_name: "Jordan Vale", message: "Monday works.", at: WEDNESDAY };
  await database.insert("submission_replies", { ...reply, submission_id: "sub_1" });
  const ctx = await database.migrate();
  expect(await listReplies(ctx.db, "sub_1", { limit: 5, before: null })).toEqual([
    {
      kind: "reply",
      id: "srp_1",
      actor: "Jordan Vale",
      at: WEDNESDAY,
      message: "Monday works.",
      delivery: null,
    },
  ]);
});
