import { desc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { addNote } from "~/features/notes/add-note.server";
import { deleteNote } from "~/features/notes/delete-note.server";
import { editNote } from "~/features/notes/edit-note.server";
import { listNotes } from "~/features/notes/queries.server";
import { fail, ok } from "~/lib/result";
import { minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, type Person, signedInAs } from "../../support/world";

const aboutSubmission = (id: string) => ({ type: "submission" as const, id });
const nonce = () => crypto.randomUUID();

async function staffMember() {
  const world = testContext();
  const jordan = await makePerson(world, { role: "moderator", fullName: "Jordan Vale" });
  const submission = await makeSubmission(world, { firstName: "Priya" });
  await addNote(as(world, jordan), signedInAs(jordan, world.now()), {
    subject: aboutSubmission(submission.id),
    note: "Call back",
    nonce: nonce(),
  });
  const [note] = await listNotes(world.db, aboutSubmission(submission.id));
  return { world, jordan, submissionId: submission.id, noteId: note?.id ?? "" };
}

const actorOf = (world: TestContext, person: Person) => ({
  ...signedInAs(person, world.now()),
  role: person.role,
  membership: null,
});

test("a note on nothing is refused", async () => {
  const { world, jordan } = await staffMember();
  const note = { subject: aboutSubmission("sub_unknown"), note: "x", nonce: nonce() };
  expect(await addNote(as(world, jordan), signedInAs(jordan, 0), note)).toEqual(fail("subject_not_found"));
});

test("a new note is not edited, and the others hear of it without its words", async () => {
  const { world, jordan, submissionId } = await staffMember();
  expect(await listNotes(world.db, aboutSubmission(submissionId))).toMatchObject([
    { text: "Call back", author: "Jordan Vale", edited: false },
  ]);
  const [event] = await world.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(event).toMatchObject({
    type: "new_note",
    subject_type: "submission",
    subject_id: submissionId,
    label: "Priya Raman",
    actor_id: jordan.id,
  });
});

test("only the author edits a note, even an admin only reads it", async () => {
  const { world, submissionId, noteId } = await staffMember();
  for (const role of ["admin", "moderator"] as const) {
    const other = await makePerson(world, { role });
    const edit = { subject: aboutSubmission(submissionId), noteId, note: "Mine now", version: 1, nonce: nonce() };
    expect(await editNote(as(world, other), actorOf(world, other), edit)).toEqual(fail("note_not_found"));
  }
});

test("an edit is marked, keeps the text before in the audit, and the slower of two writes nothing", async () => {
  const { world, jordan, submissionId, noteId } = await staffMember();
  const ctx = as(world, jordan);
  const edit = (note: string) =>
    editNote(ctx, actorOf(world, jordan), {
      subject: aboutSubmission(submissionId),
      noteId,
      note,
      version: 1,
      nonce: nonce(),
    });
  expect(await edit("Called on Monday")).toEqual(ok(null));
  world.clock.advance(minutes(1));
  expect(await edit("Never called")).toEqual(fail("note_changed"));
  expect(await listNotes(world.db, aboutSubmission(submissionId))).toMatchObject([
    { text: "Called on Monday", edited: true, version: 2 },
  ]);
  const events = await world.db.select().from(auditEvents).where(sql`meta_json ->> '$.note' = ${noteId}`);
  expect(events.map(({ action }) => action)).toEqual(["note.added", "note.edited"]);
  expect(JSON.parse(events[1]?.meta_json ?? "")).toEqual({ note: noteId, before: "Call back" });
  expect(events[1]).toMatchObject({
    subject_type: "submission",
    subject_id: submissionId,
    subject_label: "Priya Raman",
  });
});

test("a note is not found under another submission", async () => {
  const { world, jordan, noteId } = await staffMember();
  const other = await makeSubmission(world);
  const deletion = { subject: aboutSubmission(other.id), noteId, nonce: nonce() };
  expect(await deleteNote(as(world, jordan), actorOf(world, jordan), deletion)).toEqual(fail("note_not_found"));
});

test("an admin deletes any note, a technician only their own", async () => {
  const { world, submissionId, noteId } = await staffMember();
  const technician = await makePerson(world, { role: "moderator" });
  const admin = await makePerson(world, { role: "admin" });
  const remove = (person: Person) =>
    deleteNote(as(world, person), actorOf(world, person), {
      subject: aboutSubmission(submissionId),
      noteId,
      nonce: nonce(),
    });
  expect(await remove(technician)).toEqual(fail("note_not_found"));
  expect(await remove(admin)).toEqual(ok(null));
  expect(await listNotes(world.db, aboutSubmission(submissionId))).toEqual([]);
});
