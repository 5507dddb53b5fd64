import { eq } from "drizzle-orm";
import { auditEvents } from "~/db/schema/audit";
import type { StaffActor } from "~/features/auth/guards.server";
import type { OrganizationDetails } from "~/features/organization-management/model";
import { createClientOrganization } from "~/features/organization-management/new-organization.server";
import { staffMember } from "./admin-area";
import { type TestContext, testContext } from "./context";
import { as, makePerson, signedInAs, together } from "./factories";

export const nonce = (): string => crypto.randomUUID();

/** Returns what a form of an organization holds. */
export const details = (changes: Partial<OrganizationDetails> = {}): OrganizationDetails => ({
  name: "Oak Dental",
  description: "Two clinics",
  phone: "",
  plan: "core",
  addOns: [],
  domains: [],
  reviewsContacts: false,
  ...changes,
});

/** Creates a signed-in administrator, as commands receive them. */
export async function administrator(base: TestContext = testContext()) {
  const person = await together(base, (ctx) => makePerson(ctx, { role: "admin" }));
  const actor: StaffActor = { ...signedInAs(person, base.now()), role: "admin", membership: null };
  return { base, ctx: as(base, person), actor };
}

/** Creates an organization as staff do; returns its id. */
export async function newOrganization(
  ctx: TestContext,
  actor: StaffActor,
  changes: Partial<OrganizationDetails> = {},
  ownerEmail: string | null = null,
): Promise<string> {
  const created = await createClientOrganization(ctx, actor, { details: details(changes), ownerEmail, nonce: nonce() });
  if (!created.ok) throw new Error(created.code);
  return created.id;
}

/** Returns the audit events of an organization, the oldest first. */
export const eventsOf = (ctx: TestContext, id: string) =>
  ctx.db.select().from(auditEvents).where(eq(auditEvents.org_id, id)).orderBy(auditEvents.id);

/** Signs in an administrator and a technician, who both look at one organization. */
export async function organizationAndStaff(changes: Parameters<typeof newOrganization>[2] = {}) {
  const { base, ctx, person } = await staffMember();
  const actor: StaffActor = { ...signedInAs(person, base.now()), role: "admin", membership: null };
  const id = await newOrganization(ctx, actor, changes);
  const technician = (await staffMember("moderator")).ctx;
  return { base, ctx, actor, technician, id, path: `/admin/organizations/${id}` };
}
