import { desc, eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { auditEvents } from "~/db/schema/audit";
import { liveEvents } from "~/db/schema/live";
import { downloadAttachment } from "~/features/attachments/queries.server";
import { addNote, deleteNote, editNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { deleteSubmissions } from "~/features/submissions/list/commands.server";
import { fail, ok } from "~/lib/errors";
import { minutes } from "~/lib/time";
import { type TestContext, testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { storeAttachment } from "../../support/stored-files";
import { selectSubmissions } from "../../support/submission-list";

let base: TestContext;
let subject: { type: "submission"; id: string };
/** Wrote a note about the subject. */
let jordan: Awaited<ReturnType<typeof colleague>>;
let noteId: string;

const nonce = () => crypto.randomUUID();

const notes = () => listNotes(base.db, subject);

/** Creates somebody of staff, with what they do with the note. */
async function colleague(role: "admin" | "moderator", fullName?: string) {
  const person = await makePerson(base, { role, fullName });
  const ctx = as(base, person);
  const actor = { ...signedInAs(person, base.now()), role: person.role, membership: null };
  return {
    ...{ person, ctx, actor },
    add: (note: string, about = subject, key: string = nonce()) =>
      addNote(ctx, actor, { subject: about, note, nonce: key }),
    edit: (note: string) => editNote(ctx, actor, { subject, noteId, note, version: 1, nonce: nonce() }),
    remove: (about = subject, key: string = nonce()) => deleteNote(ctx, actor, { subject: about, noteId, nonce: key }),
  };
}

beforeEach(async () => {
  base = testContext();
  subject = { type: "submission", id: (await makeSubmission(base, { firstName: "Priya" })).id };
  jordan = await colleague("moderator", "Jordan Vale");
  await jordan.add("Call back");
  noteId = (await notes())[0]?.id ?? "";
});

test("a note on nothing is rejected", async () => {
  const nothing = { type: "submission", id: "sub_unknown" } as const;
  expect(await jordan.add("x", nothing)).toEqual(fail("subject_not_found"));
});

test("a new note is not edited, and the others hear of it without its words", async () => {
  expect(await notes()).toMatchObject([{ text: "Call back", author: "Jordan Vale", edited: false }]);
  const [event] = await base.db.select().from(liveEvents).orderBy(desc(liveEvents.seq)).limit(1);
  expect(event).toMatchObject({
    ...{ type: "new_note", subject_type: "submission", subject_id: subject.id },
    ...{ label: "Priya Raman", actor_id: jordan.person.id },
  });
});

test("only the author edits a note, even an admin only reads it", async () => {
  for (const role of ["admin", "moderator"] as const)
    expect(await (await colleague(role)).edit("Mine now")).toEqual(fail("note_not_found"));
});

test("an edit is marked, keeps the text before in the audit, and the slower of two writes nothing", async () => {
  expect(await jordan.edit("Called on Monday")).toEqual(ok(null));
  base.clock.advance(minutes(1));
  expect(await jordan.edit("Never called")).toEqual(fail("note_changed"));
  expect(await notes()).toMatchObject([{ text: "Called on Monday", edited: true, version: 2 }]);
  const events = await base.db.select().from(auditEvents).where(sql`meta_json ->> '$.note' = ${noteId}`);
  expect(events.map(({ action }) => action)).toEqual(["note.added", "note.edited"]);
  expect(JSON.parse(events[1]?.meta_json ?? "")).toEqual({ note: noteId, before: "Call back" });
  expect(events[1]).toMatchObject({
    ...{ subject_type: "submission", subject_id: subject.id, subject_label: "Priya Raman" },
  });
});

test("a note is not found under another submission", async () => {
  const other = await makeSubmission(base);
  expect(await jordan.remove({ type: "submission", id: other.id })).toEqual(fail("note_not_found"));
});

test("a form that arrives twice, of a note or its deletion, succeeds twice and does its work once", async () => {
  const admin = await colleague("admin");
  for (let times = 0; times < 2; times += 1) expect((await jordan.add("Once", subject, "one-form")).ok).toBe(true);
  expect(await notes()).toHaveLength(2);
  for (let times = 0; times < 2; times += 1) expect(await admin.remove(subject, "one-form")).toEqual(ok(null));
  expect(await admin.remove()).toEqual(fail("note_not_found"));
  expect(await notes()).toHaveLength(1);
});

test("an admin deletes any note, a technician only their own", async () => {
  expect(await (await colleague("moderator")).remove()).toEqual(fail("note_not_found"));
  expect(await (await colleague("admin")).remove()).toEqual(ok(null));
  expect(await notes()).toEqual([]);
});

type Work = (by: Pick<typeof jordan, "ctx" | "actor">, fileId: string) => Promise<unknown>;

test.each<[string, Work, unknown]>([
  [
    "a note on it is not stored",
    ({ ctx, actor }) => addNote(ctx, actor, { subject, note: "Too late", nonce: nonce() }),
    fail("subject_not_found"),
  ],
  [
    "a note that is deleted is not found",
    ({ ctx, actor }) => deleteNote(ctx, actor, { subject, noteId, nonce: nonce() }),
    fail("note_not_found"),
  ],
  ["its file is not handed out", ({ ctx, actor }, fileId) => downloadAttachment(ctx, actor, fileId), null],
])("when a submission is deleted meanwhile %s, and its sender's name does not come back", async (_, work, answer) => {
  const bytes = new Uint8Array(Buffer.from("%PDF-1.7"));
  const file = await storeAttachment(base, { name: "plan.pdf", kind: "pdf", bytes }, subject);
  await commit(base.db, [file.statement]);
  const avery = await colleague("admin");
  const deletion = { selection: selectSubmissions([{ ...subject, version: 1 }]), nonce: nonce() };
  const ctx = interruptedBeforeCommit(avery.ctx, () => deleteSubmissions(avery.ctx, deletion));
  expect(await work({ ...avery, ctx }, file.id)).toEqual(answer);
  expect(await notes()).toEqual([]);
  expect(await base.db.select().from(liveEvents).where(eq(liveEvents.subject_id, subject.id))).toEqual([]);
  const audit = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, subject.id));
  expect(audit.filter(({ subject_label }) => subject_label)).toEqual([]);
});
