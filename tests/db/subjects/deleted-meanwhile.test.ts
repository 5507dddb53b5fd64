import { expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { adminNotes } from "~/db/schema/subjects";
import { downloadAttachment } from "~/features/attachments/queries.server";
import { addNote, deleteNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { deleteSubmissions } from "~/features/submissions/list/commands.server";
import { fail, ok } from "~/lib/errors";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { storeAttachment } from "../../support/stored-files";
import { selectSubmissions } from "../../support/submission-list";

const nonce = () => crypto.randomUUID();

/** Creates a submission with a note and a file, and a colleague who deletes it while somebody else works on it. */
async function submissionAndColleague() {
  const base = testContext();
  const jordan = await makePerson(base, { role: "admin", fullName: "Jordan Vale" });
  const { id } = await makeSubmission(base, { firstName: "Priya" });
  const subject = { type: "submission" as const, id };
  const ctx = as(base, jordan);
  const actor = { ...signedInAs(jordan, base.now()), role: "admin" as const, membership: null };
  await addNote(ctx, actor, { subject, note: "Call back", nonce: nonce() });
  const bytes = new Uint8Array(Buffer.from("%PDF-1.7"));
  const file = await storeAttachment(base, { name: "plan.pdf", kind: "pdf", bytes }, subject);
  await commit(base.db, [file.statement]);
  const [note] = await listNotes(base.db, subject);
  const meanwhile = interruptedBeforeCommit(ctx, () =>
    deleteSubmissions(ctx, { selection: selectSubmissions([{ id, version: 1 }]), nonce: nonce() }),
  );
  return { base, meanwhile, actor, subject, fileId: file.id, noteId: note?.id ?? "" };
}

/** Reads what is stored about a submission that was deleted: only nameless audit events may be left. */
async function leftovers({ base }: Awaited<ReturnType<typeof submissionAndColleague>>) {
  const [notes, events, audit] = await Promise.all([
    base.db.select().from(adminNotes),
    base.db.select().from(liveEvents),
    base.db.select().from(auditEvents),
  ]);
  return {
    notes: notes.length,
    events: events.length,
    names: audit.filter(({ subject_label }) => subject_label).length,
  };
}

const NOTHING = { notes: 0, events: 0, names: 0 };

test("a note on a submission that is deleted meanwhile is not stored, and its sender's name does not come back", async () => {
  const given = await submissionAndColleague();
  const note = { subject: given.subject, note: "Too late", nonce: nonce() };
  expect(await addNote(given.meanwhile, given.actor, note)).toEqual(fail("subject_not_found"));
  expect(await leftovers(given)).toEqual(NOTHING);
});

test("a note that is deleted with its submission meanwhile is not found", async () => {
  const given = await submissionAndColleague();
  const deletion = { subject: given.subject, noteId: given.noteId, nonce: nonce() };
  expect(await deleteNote(given.meanwhile, given.actor, deletion)).toEqual(fail("note_not_found"));
  expect(await leftovers(given)).toEqual(NOTHING);
});

test("a file whose submission is deleted meanwhile is not handed out", async () => {
  const given = await submissionAndColleague();
  expect(await downloadAttachment(given.meanwhile, given.actor, given.fileId)).toBeNull();
  expect(await leftovers(given)).toEqual(NOTHING);
});

test("the same form for a note, posted twice, succeeds twice and does its work once", async () => {
  const { base, actor, subject, noteId } = await submissionAndColleague();
  const note = { subject, note: "Once", nonce: nonce() };
  expect(await addNote(base, actor, note)).toMatchObject({ ok: true });
  expect(await addNote(base, actor, note)).toMatchObject({ ok: true });
  expect(await listNotes(base.db, subject)).toHaveLength(2);
  const deletion = { subject, noteId, nonce: nonce() };
  expect(await deleteNote(base, actor, deletion)).toEqual(ok(null));
  expect(await listNotes(base.db, subject)).toHaveLength(1);
});
