import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { attachments } from "~/db/schema/subjects";
import { downloadAttachment } from "~/features/attachments/queries.server";
import type { Subject } from "~/lib/subject";
import { testContext } from "../../support/context";
import { as, makeOrganization, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { storeAttachment } from "../../support/stored-files";

const pdf = new Uint8Array(Buffer.from("%PDF-1.7"));

async function stored(subject: (ctx: ReturnType<typeof testContext>) => Promise<Subject>) {
  const ctx = testContext();
  const { id, statement } = await storeAttachment(
    ctx,
    { name: "plan.pdf", kind: "pdf", bytes: pdf },
    await subject(ctx),
  );
  await commit(ctx.db, [statement]);
  return { ctx, id };
}

const submission = async (ctx: ReturnType<typeof testContext>): Promise<Subject> => ({
  type: "submission",
  id: (await makeSubmission(ctx)).id,
});

async function download({ ctx, id }: Awaited<ReturnType<typeof stored>>, role: "moderator" | "user") {
  const person = await makePerson(ctx, { role });
  const file = await downloadAttachment(as(ctx, person), signedInAs(person, ctx.now()), id);
  return file && new Response(file.content).text();
}

test("a file is handed to whoever may see what it belongs to, and the record says so first", async () => {
  const file = await stored(submission);
  expect(await download(file, "user")).toBeNull();
  expect(await file.ctx.db.select().from(auditEvents)).toEqual([]);
  expect(await download(file, "moderator")).toBe("%PDF-1.7");
  expect(await file.ctx.db.select().from(auditEvents)).toMatchObject([
    { action: "submission.file_downloaded", subject_type: "submission", subject_label: "Priya Raman" },
  ]);
});

test("a file of nothing, of something that is gone, or of a kind that has no files is not found", async () => {
  const gone = await stored(async () => ({ type: "submission", id: "sub_gone" }));
  expect(await download(gone, "moderator")).toBeNull();
  const kind = await stored(async (ctx) => ({ type: "organization", id: (await makeOrganization(ctx)).id }));
  expect(await download(kind, "moderator")).toBeNull();
  const nothing = await stored(submission);
  await nothing.ctx.db.update(attachments).set({ subject_type: null, subject_id: null });
  expect(await download(nothing, "moderator")).toBeNull();
});
