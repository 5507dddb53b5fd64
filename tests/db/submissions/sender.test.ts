import { expect, test } from "vitest";
import { organizationMemberships } from "~/db/schema/organizations";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import { findFirstResponse, findKnownSender } from "~/features/submissions/record/read-record.server";
import { hours } from "~/lib/time";
import { testContext } from "../../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSubmission, signedInAs } from "../../support/factories";

test("an address that is nobody's is nobody's, and one of an account says where its owner belongs", async () => {
  const ctx = testContext();
  const dana = await makePerson(ctx, { fullName: "Dana Whitlock", email: "dana@sender.example" });
  const dental = await makeOrganization(ctx, "Brightsmile Dental");
  await makeMember(ctx, dental.id, dana, "owner");
  const stranger = await makeSubmission(ctx, { email: "nobody@sender.example" });
  const client = await makeSubmission(ctx, { email: "dana@sender.example" });
  expect(await findKnownSender(ctx.db, stranger.id)).toBeNull();
  expect(await findKnownSender(ctx.db, client.id)).toEqual({
    account: { name: "Dana Whitlock", role: "user", status: "active" },
    memberships: [{ organizationId: dental.id, organization: "Brightsmile Dental", role: "owner", status: "active" }],
  });
});

test("somebody who is invited and has no account is known by the invitation", async () => {
  const ctx = testContext();
  const { id: organization_id } = await makeOrganization(ctx, "Harbor House");
  await ctx.db.insert(organizationMemberships).values({
    id: ctx.newId("mem"),
    organization_id,
    role: "member",
    status: "pending",
    invited_email: "invited@sender.example",
    created_at: ctx.now(),
    updated_at: ctx.now(),
  });
  const { id } = await makeSubmission(ctx, { email: "invited@sender.example" });
  expect(await findKnownSender(ctx.db, id)).toEqual({
    account: null,
    memberships: [{ organizationId: organization_id, organization: "Harbor House", role: "member", status: "pending" }],
  });
});

test("the answer is the first move out of new, whatever happens later", async () => {
  const base = testContext();
  const avery = await makePerson(base, { role: "admin" });
  const ctx = as(base, avery);
  const { id } = await makeSubmission(ctx);
  expect(await findFirstResponse(ctx.db, id)).toBeNull();
  const answeredAt = ctx.now();
  for (const status of ["contacted", "new", "resolved"] as const) {
    const actor = signedInAs(avery, ctx.now());
    await changeSubmissionStatus(ctx, actor, { submissionId: id, status, nonce: crypto.randomUUID() });
    base.clock.advance(hours(1));
  }
  expect(await findFirstResponse(ctx.db, id)).toBe(answeredAt);
});
