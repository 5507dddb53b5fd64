import { expect, test } from "vitest";
import { addNote } from "~/features/notes/commands.server";
import { replyToSubmission, saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { conversationView, readSubmissionEntries } from "~/features/submissions/record/read-record.server";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";

async function conversation() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  const ctx = as(base, avery);
  const actor = signedInAs(avery, base.now());
  const { id } = await makeSubmission(base, { email: "priya@talk.example" });
  const nonce = () => crypto.randomUUID();
  const read = (query = "") =>
    readSubmissionEntries(ctx.db, actor, { submissionId: id, ...conversationView(new URLSearchParams(query)) });
  return {
    base,
    read,
    note: (note: string) => addNote(ctx, actor, { subject: { type: "submission", id }, note, nonce: nonce() }),
    reply: (message: string) =>
      replyToSubmission(ctx, actor, { submissionId: id, message, contacted: false, nonce: nonce() }),
    take: () => saveSubmissionProperties(ctx, actor, { submissionId: id, ownerId: avery.id, nonce: nonce() }),
  };
}

test("what was written and what has happened stands in one row, oldest first, or only mail or notes", async () => {
  const { base, read, note, reply, take } = await conversation();
  for (const step of [() => take(), () => note("Red light"), () => reply("Monday works.")]) {
    await step();
    base.clock.advance(minutes(1));
  }
  const kinds = async (query?: string) => (await read(query)).entries.map(({ kind }) => kind);
  expect(await kinds()).toEqual(["assignment", "note", "reply"]);
  expect(await kinds("show=mail")).toEqual(["reply"]);
  expect(await kinds("show=notes")).toEqual(["note"]);
  expect(await kinds("show=nonsense&until=-1")).toHaveLength(3);
  expect((await read()).counts).toEqual({ mail: { count: 2, isMore: false }, notes: { count: 1, isMore: false } });
});

test("of the notes alone the newest stands first, on each part of them", async () => {
  const { base, read, note } = await conversation();
  for (let place = 0; place < 60; place += 1) {
    await note(`Note ${place}`);
    base.clock.advance(minutes(1));
  }
  const texts = async (query: string) => {
    const { entries, earlier } = await read(query);
    return { texts: entries.map((entry) => (entry.kind === "note" ? entry.text : "")), earlier };
  };
  const latest = await texts("show=notes");
  expect([latest.texts.length, latest.texts[0], latest.texts.at(-1)]).toEqual([50, "Note 59", "Note 10"]);
  const rest = await texts(`show=notes&until=${latest.earlier}`);
  expect([rest.texts.length, rest.texts[0], rest.texts.at(-1)]).toEqual([10, "Note 9", "Note 0"]);
});

test("a reply tells whether its mail has left", async () => {
  const { base, read, reply } = await conversation();
  await reply("Monday works.");
  expect((await read()).entries).toMatchObject([{ kind: "reply", delivery: { at: null } }]);
  await base.settle();
  expect((await read()).entries).toMatchObject([
    { kind: "reply", delivery: { status: "sent", at: expect.any(Number), reason: null } },
  ]);
});

test("a long conversation is read in parts that neither repeat nor lose an entry", async () => {
  const { base, read, note } = await conversation();
  const written = Array.from({ length: 120 }, (_, place) => `Note ${place}`);
  for (const text of written) {
    await note(text);
    base.clock.advance(minutes(1));
  }
  const parts: string[][] = [];
  for (let query = ""; ; ) {
    const { entries, earlier, counts } = await read(query);
    parts.unshift(entries.map((entry) => (entry.kind === "note" ? entry.text : "")));
    expect(counts.notes).toEqual({ count: 99, isMore: true });
    if (earlier === null) break;
    query = `until=${earlier}`;
  }
  expect(parts.map(({ length }) => length)).toEqual([20, 50, 50]);
  expect(parts.flat()).toEqual(written);
});
