import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { addNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { bulkChangeStatus, deleteSubmissions, releaseSubmissions } from "~/features/submissions/list/commands.server";
import { findNames } from "~/features/submissions/list/read-list.server";
import { findSubmission } from "~/features/submissions/queries.server";
import { type Selection, selectionOf } from "~/lists/selection.server";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

/*
 * Everybody who opens the list of submissions sees all of it. These tests limit a viewer to one company, as the
 * definition of a list would, and look what each bulk command does then.
 */

async function staffMember() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin" });
  return { ctx: as(base, avery), actor: { ...signedInAs(avery, base.now()), role: "admin" as const } };
}

type Staff = Awaited<ReturnType<typeof staffMember>>;
type Command = (staff: Staff, input: { selection: Selection; nonce: string }) => Promise<unknown>;

const COMMANDS: [name: string, command: Command, held?: { moderationReason: "content" }][] = [
  ["a change of status", ({ ctx, actor }, input) => bulkChangeStatus(ctx, actor, { ...input, status: "resolved" })],
  ["a release", ({ ctx, actor }, input) => releaseSubmissions(ctx, actor, input), { moderationReason: "content" }],
  ["a deletion", ({ ctx }, input) => deleteSubmissions(ctx, input)],
];

const selectIn = (company: string, ids: readonly string[]): Selection => {
  const rows = ids.map((id) => ({ id, version: 1 }));
  return selectionOf(
    rows,
    (id) => sql`EXISTS (SELECT 1 FROM contact_submissions t WHERE t.id = ${id} AND t.company = ${company})`,
  );
};

/** Makes two submissions of a company and one of another, each with a note. */
async function submissions({ ctx, actor }: Staff, options = {}) {
  const company = `Cedar ${crypto.randomUUID()}`;
  const made = [];
  for (const of of [company, company, "Larkspur Row"]) {
    const { id } = await makeSubmission(ctx, { ...options, company: of });
    const subject = { type: "submission" as const, id };
    await addNote(ctx, { ...actor, membership: null }, { subject, note: "Call back", nonce: crypto.randomUUID() });
    made.push(id);
  }
  const [first = "", second = "", foreign = ""] = made;
  return { company, first, second, foreign };
}

test.each(
  COMMANDS,
)("%s finds no row that its viewer does not see, and leaves everything about it", async (_name, run, held) => {
  const staff = await staffMember();
  const { ctx } = staff;
  const { company, first, second, foreign } = await submissions(staff, held);
  const input = { selection: selectIn(company, [foreign, first, second]), nonce: crypto.randomUUID() };
  const before = await findSubmission(ctx.db, foreign);
  expect(await findNames(ctx.db, input.selection, 5)).toHaveLength(2);
  expect(await run(staff, input)).toMatchObject({ changed: 2, skipped: 0 });
  expect(await run(staff, input)).toMatchObject({ changed: 2, skipped: 0 });
  expect(await findSubmission(ctx.db, foreign)).toEqual(before);
  expect(await listNotes(ctx.db, { type: "submission", id: foreign })).toHaveLength(1);
});

test.each(
  COMMANDS,
)("%s leaves a row alone that leaves its viewer's sight just before the commit", async (_name, run, held) => {
  const staff = await staffMember();
  const { ctx } = staff;
  const { company, first, second } = await submissions(staff, held);
  const moved = interruptedBeforeCommit(ctx, () =>
    ctx.db.run(sql`UPDATE contact_submissions SET company = 'Larkspur Row' WHERE id = ${first}`),
  );
  const input = { selection: selectIn(company, [first, second]), nonce: crypto.randomUUID() };
  expect(await run({ ...staff, ctx: moved }, input)).toMatchObject({ changed: 1, skipped: 0 });
  expect(await findSubmission(ctx.db, first)).toMatchObject({
    version: 1,
    status: "new",
    moderationReason: held ? "content" : null,
  });
  expect(await listNotes(ctx.db, { type: "submission", id: first })).toHaveLength(1);
});
