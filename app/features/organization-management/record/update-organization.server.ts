import { and, eq, sql } from "drizzle-orm";
import { claimKey, commit, expectRow, expectThat, findClaim } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/still-allowed.server";
import { organizationTexts } from "~/features/organizations/model";
import { organizationSubject } from "~/features/organizations/subject";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { setDomains, takenDomain } from "../domain-rows.server";
import type { OrganizationDetails } from "../model";
import { findDetails } from "./queries.server";

type Update = {
  organizationId: string;
  details: OrganizationDetails;
  /** Holds the version the form was filled in against. */
  version: number;
  nonce: string;
};

type Updated =
  | { ok: true; changed: boolean }
  | { ok: false; code: "organization_not_found" | "organization_changed" }
  | { ok: false; code: "domain_taken"; domain: string };

/**
 * Changes name, description, plan and domains of an organization; its slug stays. If somebody else has saved meanwhile,
 * nothing is written and the caller gets `organization_changed`.
 */
export async function updateOrganization(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  actor: StaffActor,
  { organizationId, details, version, nonce }: Update,
): Promise<Updated> {
  const { db } = ctx;
  const before = await findDetails(db, organizationId);
  if (!before) return { ok: false, code: "organization_not_found" };
  const { plan, domains } = details;
  const at = ctx.now();
  // Where the answer to a form was lost, its token comes again, perhaps with something else, or with the same later.
  const key = `${nonce}:${fingerprintOf(JSON.stringify([details, version]))}`;
  if (changesOf(before, details).changed.length === 0) {
    return { ok: true, changed: (await findClaim(db, key, "organization-edit")) !== null };
  }
  const unchangedRow = and(eq(organizations.id, organizationId), eq(organizations.version, version));
  try {
    const written = await commit(db, [
      ...claimKey(db, { key, scope: "organization-edit", resultLocation: organizationId, at }),
      expectThat(db, stillAllowed(actor, "organization.manage", organizationId)),
      expectRow(db, organizations, unchangedRow),
      db
        .update(organizations)
        .set({
          ...organizationTexts(details),
          plan,
          // A contract starts with the first plan and ends with the last one.
          contract_started_at: plan === "none" ? null : sql`coalesce(${organizations.contract_started_at}, ${at})`,
          updated_at: at,
          version: sql`${organizations.version} + 1`,
        })
        .where(unchangedRow),
      ...setDomains(db, { organizationId, domains, at }),
      recordAudit(ctx, "organization.updated", {
        subject: organizationSubject({ id: organizationId, name: details.name }),
        orgId: organizationId,
        meta: changesOf(before, details),
      }),
    ]);
    if (written || (await findClaim(db, key, "organization-edit"))) return { ok: true, changed: true };
  } catch (error) {
    const domain = await takenDomain(db, error, { organizationId, domains });
    if (domain === null) throw error;
    return { ok: false, code: "domain_taken", domain };
  }
  const isGone = (await findDetails(db, organizationId)) === null;
  return { ok: false, code: isGone ? "organization_not_found" : "organization_changed" };
}

/** Returns which fields have changed, with their values before and after. */
function changesOf(before: OrganizationDetails, after: OrganizationDetails) {
  const fields = Object.keys(after) as (keyof OrganizationDetails)[];
  const changed = fields.filter((field) => String(before[field]) !== String(after[field]));
  const valuesOf = (details: OrganizationDetails) =>
    Object.fromEntries(changed.map((field) => [field, details[field]]));
  return { changed, before: valuesOf(before), after: valuesOf(after) };
}
