import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { organizations } from "~/db/schema/organizations";
import { waitsForReview } from "~/features/organization-management/model";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.organizations.$organizationId";
import type { TestContext } from "../support/context";
import { makeMember, makePerson } from "../support/factories";
import { organizationAndStaff } from "../support/organizations";
import { args, get, post, thrownBy } from "../support/requests";

const pageOf = async (ctx: TestContext, id: string) =>
  (await loader(args(ctx, get(`/admin/organizations/${id}`), { organizationId: id }))).json();

const send = (ctx: TestContext, id: string, purpose: string, fields: Record<string, string>) => {
  const form_token = issueFormToken(ctx, purpose);
  return action(args(ctx, post(`/admin/organizations/${id}`, { form_token, ...fields }), { organizationId: id }));
};

test("the owner's invitation is sent again and revoked, and then another owner is invited", async () => {
  const { ctx, id } = await organizationAndStaff();
  const invited = await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "first@oak.example" });
  expect(invited.status).toBe(303);
  const again = await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "second@oak.example" });
  expect([again.status, await again.json()]).toMatchObject([
    400,
    { errors: { owner_email: "Failed to invite member" } },
  ]);
  expect((await send(ctx, id, "organization-owner-resend", { intent: "resend" })).status).toBe(303);
  expect((await send(ctx, id, "organization-owner-revoke", { intent: "revoke" })).status).toBe(303);
  expect((await pageOf(ctx, id)).owner).toBeNull();
  expect((await thrownBy(send(ctx, id, "organization-owner-revoke", { intent: "revoke" }))).status).toBe(404);
  await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "second@oak.example" });
  expect((await pageOf(ctx, id)).owner).toMatchObject({ email: "second@oak.example" });
});

test("when the mail to the owner fails, its link is shown once, to an administrator who asks for it", async () => {
  const { ctx, base, technician, id } = await organizationAndStaff();
  const link = (context: TestContext) => send(context, id, "organization-owner-link", { intent: "link" });
  base.outcomes.push({ kind: "permanent", reason: "http_422" });
  await send(ctx, id, "organization-owner", { intent: "owner", owner_email: "boss@fails.example" });
  await base.settle();
  expect((await pageOf(ctx, id)).owner?.invitation).toMatchObject({
    mail: "dead",
    failure: "the mail service did not accept it (http_422)",
  });
  expect((await thrownBy(link(technician))).status).toBe(403);
  const shown = await link(ctx);
  const { intent, values } = await shown.json();
  expect([shown.status, intent]).toEqual([200, "link"]);
  expect(values.url).toMatch(/^http:\/\/localhost:8787\/invite\?token=[\w-]{43}$/);
  expect(JSON.stringify(await pageOf(ctx, id))).not.toContain("/invite");
  const [event] = await ctx.db
    .select({ meta: auditEvents.meta_json })
    .from(auditEvents)
    .where(and(eq(auditEvents.org_id, id), eq(auditEvents.action, "organization.invitation_link_made")));
  expect(event?.meta).not.toContain("token");
  // No mail of the new link can have failed.
  expect((await thrownBy(link(ctx))).status).toBe(404);
});

test("whoever has created an organization and waits for its review is shown so, without buttons of an invitation", async () => {
  const { ctx, base, id } = await organizationAndStaff();
  await ctx.db.update(organizations).set({ needs_review_at: 1 }).where(eq(organizations.id, id));
  const creator = await makePerson(base, { fullName: "Jo Field" });
  await makeMember(base, id, creator, "owner", "pending");
  const { owner } = await pageOf(ctx, id);
  expect(owner).toMatchObject({ name: "Jo Field", status: "pending", invitation: null });
  expect(owner && waitsForReview(owner)).toBe(true);
  await send(ctx, id, "organization-review", { intent: "review" });
  await base.settle();
  expect((await pageOf(ctx, id)).owner).toMatchObject({ status: "active" });
  expect(base.sent.map(({ to, subject }) => `${to}: ${subject}`)).toEqual([`${creator.email}: Oak Dental is open`]);
});
