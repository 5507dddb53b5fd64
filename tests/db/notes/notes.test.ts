import { desc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { addNote, deleteNote, editNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { fail, ok } from "~/lib/errors";
import { minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, type Person, signedInAs } from "../../support/factories";

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });
const nonce = () => crypto.randomUUID();

async function staffMember() {
  const base = testContext();
  const jordan = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const submission = await makeSubmission(base, { firstName: "Priya" });
  await addNote(as(base, jordan), signedInAs(jordan, base.now()), {
    subject: aboutSubmission(submission.id),
    note: "Call back",
    nonce: nonce(),
  });
  const [note] = await listNotes(base.db, aboutSubmission(submission.id));
  return { base, jordan, submissionId: submission.id, noteId: note?.id ?? "" };
}

const actorOf = (base: TestContext, person: Person) => ({
  ...signedInAs(person, base.now()),
  role: person.role,
  membership: null,
});

test("a note on nothing is rejected", async () => {
  const { base, jordan } = await staffMember();
  const note = { subject: aboutSubmission("sub_unknown"), note: "x", nonce: nonce() };
  expect(await addNote(as(base, jordan), signedInAs(jordan, 0), note)).toEqual(fail("subject_not_found"));
});

test("a new note is not edited, and the others hear of it without its words", async () => {
  const { base, jordan, submissionId } = await staffMember();
  expect(await listNotes(base.db, aboutSubmission(submissionId))).toMatchObject([
    { text: "Call back", author: "Jordan Vale", edited: false },
  ]);
  const [event] = await base.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(event).toMatchObject({
    type: "new_note",
    subject_type: "submission",
    subject_id: submissionId,
    label: "Priya Raman",
    actor_id: jordan.id,
  });
});

test("only the author edits a note, even an admin only reads it", async () => {
  const { base, submissionId, noteId } = await staffMember();
  for (const role of ["admin", "moderator"] as const) {
    const other = await makePerson(base, { role });
    const edit = { subject: aboutSubmission(submissionId), noteId, note: "Mine now", version: 1, nonce: nonce() };
    expect(await editNote(as(base, other), actorOf(base, other), edit)).toEqual(fail("note_not_found"));
  }
});

test("an edit is marked, keeps the text before in the audit, and the slower of two writes nothing", async () => {
  const { base, jordan, submissionId, noteId } = await staffMember();
  const ctx = as(base, jordan);
  const edit = (note: string) =>
    editNote(ctx, actorOf(base, jordan), {
      subject: aboutSubmission(submissionId),
      noteId,
      note,
      version: 1,
      nonce: nonce(),
    });
  expect(await edit("Called on Monday")).toEqual(ok(null));
  base.clock.advance(minutes(1));
  expect(await edit("Never called")).toEqual(fail("note_changed"));
  expect(await listNotes(base.db, aboutSubmission(submissionId))).toMatchObject([
    { text: "Called on Monday", edited: true, version: 2 },
  ]);
  const events = await base.db.select().from(auditEvents).where(sql`meta_json ->> '$.note' = ${noteId}`);
  expect(events.map(({ action }) => action)).toEqual(["note.added", "note.edited"]);
  expect(JSON.parse(events[1]?.meta_json ?? "")).toEqual({ note: noteId, before: "Call back" });
  expect(events[1]).toMatchObject({
    subject_type: "submission",
    subject_id: submissionId,
    subject_label: "Priya Raman",
  });
});

test("a note is not found under another submission", async () => {
  const { base, jordan, noteId } = await staffMember();
  const other = await makeSubmission(base);
  const deletion = { subject: aboutSubmission(other.id), noteId, nonce: nonce() };
  expect(await deleteNote(as(base, jordan), actorOf(base, jordan), deletion)).toEqual(fail("note_not_found"));
});

test("a note whose deletion arrives twice is deleted, and not said to be missing", async () => {
  const { base, submissionId, noteId } = await staffMember();
  const admin = await makePerson(base, { role: "admin" });
  const deletion = { subject: aboutSubmission(submissionId), noteId, nonce: nonce() };
  const remove = (more = {}) => deleteNote(as(base, admin), actorOf(base, admin), { ...deletion, ...more });
  expect([await remove(), await remove()]).toEqual([ok(null), ok(null)]);
  expect(await remove({ nonce: nonce() })).toEqual(fail("note_not_found"));
});

test("an admin deletes any note, a technician only their own", async () => {
  const { base, submissionId, noteId } = await staffMember();
  const technician = await makePerson(base, { role: "moderator" });
  const admin = await makePerson(base, { role: "admin" });
  const remove = (person: Person) =>
    deleteNote(as(base, person), actorOf(base, person), {
      subject: aboutSubmission(submissionId),
      noteId,
      nonce: nonce(),
    });
  expect(await remove(technician)).toEqual(fail("note_not_found"));
  expect(await remove(admin)).toEqual(ok(null));
  expect(await listNotes(base.db, aboutSubmission(submissionId))).toEqual([]);
});
