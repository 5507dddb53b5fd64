import { expect, test } from "vitest";
import type { Actor } from "~/access/model";
import { addNote } from "~/features/notes/commands.server";
import { listNotes } from "~/features/notes/queries.server";
import { SUBJECT_KINDS, subjectTypeOf } from "~/features/workspace/model";
import { fail } from "~/lib/errors";
import { SUBJECT_TYPES, type Subject } from "~/lib/subject";
import { findVisibleSubject, staffPathOf } from "~/platform/subjects.server";
import { as, makeOrganization, makePerson, makeSubmission, memberOf, signedInAs } from "../../support/factories";
import { worldWithTicket } from "../../support/tickets";

async function oneOfEach() {
  const { base: ctx, here: organization, dana, ticket } = await worldWithTicket();
  const submission = await makeSubmission(ctx, { firstName: "Priya" });
  const subjects: Record<Subject["type"], Subject> = {
    submission: { type: "submission", id: submission.id },
    user: { type: "user", id: dana.id },
    organization: { type: "organization", id: organization.id },
    ticket: { type: "ticket", id: ticket.id },
  };
  const owner: Actor = memberOf(ctx, dana, organization, "owner");
  return { ctx, subjects, submission, ticket, owner };
}

const staff = (role: "admin" | "moderator"): Actor => ({ userId: "usr_staff", role, membership: null });

test("every kind of subject is found by its id and known by what its ids begin with", async () => {
  const { ctx, subjects, submission, ticket } = await oneOfEach();
  const found = await Promise.all(
    SUBJECT_TYPES.map((type) => ctx.subjects[type].find(ctx.db, ["nobody", subjects[type].id])),
  );
  expect(found.map((each) => each.map(({ label, reference }) => [label, reference]))).toEqual([
    [["Priya Raman", `L-${submission.number}`]],
    [["Dana Ortiz", null]],
    [["Larkspur Row", null]],
    [["Printer offline", `T-${ticket.number}`]],
  ]);
  for (const type of SUBJECT_TYPES) expect(subjectTypeOf(subjects[type].id)).toBe(type);
  expect(["", "note_1", "submission", "usr"].map(subjectTypeOf)).toEqual([null, null, null, null]);
});

test.each([
  ["an administrator", staff("admin"), { submission: true, user: true, organization: true, ticket: true }],
  ["a technician", staff("moderator"), { submission: true, user: false, organization: true, ticket: true }],
  ["somebody without an organization", { ...staff("admin"), role: "user" as const }, {}],
])("%s sees what their role allows", async (_, actor, visible) => {
  const { ctx, subjects } = await oneOfEach();
  const seen: Record<string, boolean> = { submission: false, user: false, organization: false, ticket: false };
  for (const type of SUBJECT_TYPES) seen[type] = (await findVisibleSubject(ctx, actor, subjects[type])) !== null;
  expect(seen).toEqual({ submission: false, user: false, organization: false, ticket: false, ...visible });
});

test("a client sees their own organization and no other", async () => {
  const { ctx, subjects, owner } = await oneOfEach();
  const other = await makeOrganization(ctx, "Elsewhere");
  expect(await findVisibleSubject(ctx, owner, subjects.organization)).toMatchObject({ label: "Larkspur Row" });
  expect(await findVisibleSubject(ctx, owner, { type: "organization", id: other.id })).toBeNull();
});

test("a link leads to a page that exists, for those who may open it", async () => {
  const { ctx, subjects, owner } = await oneOfEach();
  const paths = (actor: Actor) => SUBJECT_TYPES.map((type) => staffPathOf(ctx.subjects, actor, subjects[type]));
  const organization = `/admin/organizations/${subjects.organization.id}`;
  expect(paths(staff("moderator"))).toEqual([
    `/admin/submissions/${subjects.submission.id}`,
    null,
    organization,
    `/admin/tickets/${subjects.ticket.id}`,
  ]);
  expect(paths(owner)).toEqual([null, null, null, null]);
  expect(SUBJECT_KINDS.submission.listPath).toBe("/admin/submissions");
});

test("a note stands on whatever its author may see, and on nothing else", async () => {
  const { ctx, subjects } = await oneOfEach();
  const technician = await makePerson(ctx, { role: "moderator" });
  const write = (subject: Subject) => {
    const note = { subject, note: "Call back", nonce: crypto.randomUUID() };
    return addNote(as(ctx, technician), signedInAs(technician, ctx.now()), note);
  };
  expect(await write(subjects.organization)).toMatchObject({ ok: true });
  expect(await write(subjects.user)).toEqual(fail("subject_not_found"));
  expect(await write({ type: "organization", id: subjects.submission.id })).toEqual(fail("subject_not_found"));
  expect(await listNotes(ctx.db, subjects.organization)).toHaveLength(1);
  expect(await listNotes(ctx.db, subjects.user)).toEqual([]);
});
