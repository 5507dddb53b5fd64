import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { mutedSubjects, notifications } from "~/db/schema/notifications";
import { legalHolds } from "~/db/schema/privacy";
import { eraseSubjects } from "~/features/subjects/erase-subjects.server";
import type { Ctx } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { makeSubmission } from "../../support/factories";
import { storeAttachment } from "../../support/stored-files";
import { submissionStaff } from "../../support/submissions";

/**
 * Reads the rows of every table that stores something about subjects, whichever tables there are. `erasures` has the
 * ids of subjects that are gone already.
 */
async function writtenAbout(ctx: Ctx, id: string): Promise<Record<string, object[]>> {
  const tables = await ctx.db.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND instr(sql, 'subject_id') > 0
      AND name <> 'erasures'`,
  );
  const written: Record<string, object[]> = {};
  for (const { name } of tables) {
    written[name] = await ctx.db.all<object>(sql`SELECT * FROM ${sql.identifier(name)} WHERE subject_id = ${id}`);
  }
  return written;
}

/** Creates a submission with everything that can be written about one. */
async function known(firstName: string) {
  const staff = await submissionStaff(testContext(), { role: "moderator" });
  const { base, ctx, person } = staff;
  const { id } = await makeSubmission(base, { firstName });
  const subject = { type: "submission" as const, id };
  await staff.note(id, `${firstName} calls back`);
  base.outcomes.push({ kind: "transient", reason: "503" });
  await staff.reply(id, { message: `Dear ${firstName}` });
  const bytes = new Uint8Array(Buffer.from("%PDF-1.7"));
  const { statement } = await storeAttachment(ctx, { name: `${firstName}.pdf`, kind: "pdf", bytes }, subject);
  const about = { user_id: person.id, subject_type: subject.type, subject_id: id };
  await commit(ctx.db, [
    statement,
    ctx.db.insert(notifications).values({ ...about, event: "test", label: `${firstName} wrote`, at: base.now() }),
    ctx.db.insert(mutedSubjects).values(about),
    ctx.db.insert(legalHolds).values({
      ...{ id: ctx.newId("hld"), subject_type: subject.type, subject_id: id, reason: `${firstName} sues` },
      ...{ placed_by_name: "Avery Quinn", placed_at: base.now(), lifted_at: base.now() },
    }),
  ]);
  await base.settle();
  return { ctx, id };
}

test("of what is deleted no table keeps a name, a text, a file or a mail, and the record of what happened stays", async () => {
  const { ctx, id } = await known("Gonzalo");
  const kept = await known("Kestrel");
  const before = await writtenAbout(ctx, id);
  const keptBefore = await writtenAbout(ctx, kept.id);
  for (const [table, rows] of Object.entries(before)) expect(rows, table).not.toEqual([]);
  expect(JSON.stringify(before)).toMatch(/Gonzalo/);

  await commit(ctx.db, eraseSubjects(ctx.db, "submission", sql`SELECT ${id}`));
  const after = await writtenAbout(ctx, id);
  expect(JSON.stringify(after)).not.toMatch(/gonzalo/i);
  expect(after).toMatchObject({
    admin_notes: [],
    attachments: [],
    legal_holds: [],
    live_events: [],
    notifications: [],
  });
  expect(after.audit_events).toHaveLength(before.audit_events?.length ?? 0);
  expect(after.outbox).toMatchObject([{ status: "dead", params_enc: null }]);
  expect(await writtenAbout(ctx, kept.id)).toEqual(keptBefore);
});

test("what is erased of one kind is left alone of another with the same id", async () => {
  const { ctx, id } = await known("Priya");
  const before = await writtenAbout(ctx, id);
  await commit(ctx.db, eraseSubjects(ctx.db, "user", sql`SELECT ${id}`));
  expect(await writtenAbout(ctx, id)).toEqual(before);
});
