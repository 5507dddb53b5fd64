import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { eraseAuditLabels, recordAudit } from "~/features/audit/record-audit.server";
import { REWORDED_PER_RUN, rewordAudit } from "~/features/audit/reword-audit.server";
import { submissionSubject } from "~/features/submissions/subject";
import { readFeed } from "../../support/activity";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

let ctx: TestContext;

beforeEach(async () => {
  const base = testContext();
  ctx = as(base, await makePerson(base, { role: "admin", fullName: "Avery Quinn" }));
  await startAgain();
  // Events of the test before have the right words, so that this one counts its own.
  while ((await rewordAudit(ctx)).more);
  await startAgain();
});

const startAgain = () => ctx.db.run(sql`DELETE FROM counters WHERE name LIKE 'audit.wording.%'`);

const priya = submissionSubject({ id: "sub_priya", name: "Priya Raman" });
const record = (count: number) =>
  commit(
    ctx.db,
    Array.from({ length: count }, () => recordAudit(ctx, "submission.replied", { subject: priya })),
  );

/** Gives all events the words of an earlier wording behind the name, as an earlier version stored them. */
const wordAsBefore = () =>
  ctx.db.run(sql`UPDATE audit_events
    SET search_text = substr(search_text, 1, instr(search_text, char(10))) || 'wrote back' || char(10)`);

const texts = async () =>
  (await ctx.db.all<{ text: string }>(sql`SELECT search_text AS text FROM audit_events ORDER BY id`)).map(
    ({ text }) => text,
  );

test("a run writes nothing where the words are right", async () => {
  await record(3);
  expect(await rewordAudit(ctx)).toEqual({ count: 0, more: false });
});

test("the chain still fits, and so does the index of the search", async () => {
  await record(3);
  await wordAsBefore();
  await sealAudit(ctx);
  await rewordAudit(ctx);
  await expect(verifyAudit(ctx)).resolves.toMatchObject({ more: false });
  await ctx.db.run(sql`INSERT INTO audit_search(audit_search, rank) VALUES ('integrity-check', 1)`);
  expect((await readFeed(ctx.db, "q=replied+to+a+submission")).entries.length).toBeGreaterThanOrEqual(3);
  expect((await readFeed(ctx.db, "q=wrote+back")).entries).toEqual([]);
});

describe("the name of a deleted subject", () => {
  const erase = () => commit(ctx.db, [eraseAuditLabels(ctx.db, "submission", sql`SELECT ${priya.id}`)]);

  test("does not come back with the new words", async () => {
    await record(2);
    await wordAsBefore();
    await erase();
    await rewordAudit(ctx);
    expect((await readFeed(ctx.db, "q=priya+raman")).entries).toEqual([]);
    expect((await readFeed(ctx.db, "q=replied+to+a+submission")).entries.length).toBeGreaterThanOrEqual(2);
  });

  test("nor when it is deleted between reading and writing", async () => {
    await record(2);
    await wordAsBefore();
    await rewordAudit(interruptedBeforeCommit(ctx, erase));
    expect((await texts()).join()).not.toContain("priya raman");
    expect((await readFeed(ctx.db, "q=priya+raman")).entries).toEqual([]);
  });
});

test("events are given the words of new ones in parts, newest first, and once only", async () => {
  await record(REWORDED_PER_RUN + 3);
  const expected = await texts();
  await wordAsBefore();
  expect(await rewordAudit(ctx)).toEqual({ count: REWORDED_PER_RUN, more: true });
  const halfway = await texts();
  expect(halfway.at(-1)).toBe(expected.at(-1));
  expect(halfway[0]).not.toBe(expected[0]);
  expect((await rewordAudit(ctx)).more).toBe(false);
  expect(await texts()).toEqual(expected);
  await wordAsBefore();
  expect(await rewordAudit(ctx)).toEqual({ count: 0, more: false });
});
