import { expect, test } from "vitest";
import { findSubmission } from "~/features/submissions/queries.server";
import { saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { listTimeline } from "~/features/submissions/record/read-record.server";
import { fail, ok } from "~/lib/errors";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.submissions.$submissionId";
import { readFeed } from "../../support/activity";
import { flash } from "../../support/admin-area";
import { testContext } from "../../support/context";
import { as, makePerson, makeSubmission, signedInAs } from "../../support/factories";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";
import { args, post } from "../../support/requests";

async function twoColleagues() {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin", fullName: "Avery Quinn" });
  const jordan = await makePerson(base, { role: "moderator", fullName: "Jordan Vale" });
  const submission = await makeSubmission(base);
  const save =
    (person: typeof avery) =>
    (change: Omit<Parameters<typeof saveSubmissionProperties>[2], "submissionId" | "nonce"> & { nonce?: string }) =>
      saveSubmissionProperties(as(base, person), signedInAs(person, base.now()), {
        submissionId: submission.id,
        nonce: crypto.randomUUID(),
        ...change,
      });
  return { base, avery, jordan, submission, byAvery: save(avery), byJordan: save(jordan) };
}

test("status, owner and date are saved at once, and each change stands in the history", async () => {
  const { base, jordan, submission, byAvery } = await twoColleagues();
  const change = { status: "contacted", ownerId: jordan.id, followUpOn: "2026-12-01" } as const;
  expect(await byAvery(change)).toEqual(ok({ status: true, assignment: true }));
  expect(await byAvery(change)).toEqual(ok({ status: false, assignment: false }));
  expect(await findSubmission(base.db, submission.id)).toMatchObject({
    status: "contacted",
    owner: { id: jordan.id },
    followUpOn: "2026-12-01",
  });
  const timeline = await listTimeline(base.db, submission.id);
  expect(timeline).toMatchObject([
    { kind: "status", to: "contacted" },
    { kind: "assignment", owner: "Jordan Vale", followUpOn: "2026-12-01", ownerChanged: true, followUpChanged: true },
  ]);
});

test("what a colleague has changed since is not taken back by a late post, which says so; chosen anew, it is", async () => {
  const { base, avery, jordan, submission, byAvery, byJordan } = await twoColleagues();
  const nonce = crypto.randomUUID();
  const first = { status: "contacted", ownerId: avery.id, nonce } as const;
  expect([await byAvery(first), await byAvery(first)]).toEqual([
    ok({ status: true, assignment: true }),
    ok({ status: false, assignment: false }),
  ]);
  await byJordan({ ownerId: jordan.id });
  expect(await byAvery(first)).toEqual(fail("changed_since"));
  expect(await findSubmission(base.db, submission.id)).toMatchObject({ status: "contacted", owner: { id: jordan.id } });
  expect(await byAvery({ ownerId: avery.id, nonce })).toEqual(ok({ status: false, assignment: true }));
});

test("a colleague's change between read and commit stays where the other one changed something else", async () => {
  const { base, avery, jordan, submission, byJordan } = await twoColleagues();
  const late = interruptedBeforeCommit(as(base, avery), async () => {
    await byJordan({ ownerId: jordan.id });
  });
  await saveSubmissionProperties(late, signedInAs(avery, base.now()), {
    submissionId: submission.id,
    followUpOn: "2026-12-01",
    nonce: crypto.randomUUID(),
  });
  expect(await findSubmission(base.db, submission.id)).toMatchObject({
    owner: { id: jordan.id },
    followUpOn: "2026-12-01",
  });
});

test("the activity says only what was changed: a date set by the owner does not tell that they took it", async () => {
  const { base, avery, byAvery } = await twoColleagues();
  const newest = async () => (await readFeed(base.db, "type=submission")).entries[0];
  await byAvery({ ownerId: avery.id });
  expect((await newest())?.sentence).toBe("Avery Quinn took this");
  await byAvery({ ownerId: avery.id, followUpOn: "2026-12-01" });
  expect(await newest()).toMatchObject({
    sentence: "Avery Quinn set the follow-up",
    details: expect.stringMatching(/: follow up Dec 1$/),
  });
  await byAvery({ ownerId: avery.id, followUpOn: null });
  expect((await newest())?.sentence).toBe("Avery Quinn removed the follow-up");
});

test("the form saves only what was changed in it, and says so when nothing was", async () => {
  const { base, avery, jordan, submission, byJordan } = await twoColleagues();
  const ctx = as(base, avery);
  const had = { had_status: "new", had_owner: "", had_follow_up_on: "" };
  const send = (fields: Record<string, string>) => {
    const form_token = issueFormToken(ctx, "submission-handling");
    const sent = post(`/admin/submissions/${submission.id}?status=new`, {
      form_token,
      intent: "handling",
      ...had,
      ...fields,
    });
    return action(args(ctx, sent, { submissionId: submission.id }));
  };
  await byJordan({ ownerId: jordan.id, status: "contacted" });
  base.cookiesSet.length = 0;
  const unchanged = await send({ status: "new", owner: "", follow_up_on: "" });
  expect(unchanged.headers.get("Location")).toBe(`/admin/submissions/${submission.id}?status=new`);
  expect(flash(base)).toBe("Nothing changed: Status, owner and follow-up date are as they were.");
  await send({ status: "new", owner: "", follow_up_on: "2026-12-01" });
  expect(await findSubmission(base.db, submission.id)).toMatchObject({
    status: "contacted",
    owner: { id: jordan.id },
    followUpOn: "2026-12-01",
  });
});
