import { expect, test } from "vitest";
import { listFollowUps } from "~/features/submissions/queue/list-follow-ups.server";
import { readQueue } from "~/features/submissions/queue/read-queue.server";
import { WEDNESDAY } from "../../support/context";
import { databaseBefore } from "../../support/earlier-database";

test("submissions from before the migration wait in the queue and are followed up", async () => {
  const database = await databaseBefore("0017");
  const submission = {
    first_name: "Priya",
    last_name: "Natarajan",
    email: "priya@kestrel.example",
    consent_at: WEDNESDAY,
    consent_terms_version: "2026-11-01",
    ip_hash: "",
    created_at: WEDNESDAY,
    updated_at: WEDNESDAY,
  };
  await database.insert("contact_submissions", { ...submission, id: "sub_1", number: 1001, status: "new" });
  await database.insert("contact_submissions", {
    ...submission,
    id: "sub_2",
    number: 1002,
    status: "contacted",
    follow_up_on: "2020-01-02",
  });
  const ctx = await database.migrate();
  const queue = await readQueue(ctx, { userId: "usr_1" }, "none");
  expect(queue.items.map(({ number }) => number)).toEqual(["L-1001"]);
  expect(queue.counts).toMatchObject({ all: { count: 1 }, none: { count: 1 } });
  const { items } = await listFollowUps(ctx);
  expect(items.map(({ number }) => number)).toEqual(["L-1002"]);
});
