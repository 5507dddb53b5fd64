import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { commit, type Db, expectChange, expectThat, isDuplicate, type Statement } from "~/db/client.server";
import { organizationDomains, organizationMemberships, organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import { organizationSubject, organizationTexts, slugOf } from "~/features/organizations/model";
import { freeSlug } from "~/features/organizations/queries.server";
import { fail, ok, type Result } from "~/lib/errors";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import type { OrganizationDetails } from "./model";
import { findDetails, findWaitingCreator } from "./queries.server";

type Domains = { organizationId: string; domains: readonly string[]; at: Instant };

const listOf = (domains: readonly string[]): SQL => sql`SELECT value FROM json_each(${JSON.stringify(domains)})`;

/**
 * Returns the statements that give an organization exactly these domains. The batch fails with a duplicate when one of
 * them belongs to another: see `takenDomain`.
 */
const setDomains = (db: Db, { organizationId, domains, at }: Domains): Statement[] => [
  db.delete(organizationDomains).where(sql`${organizationDomains.organization_id} = ${organizationId}
      AND ${organizationDomains.domain} NOT IN (${listOf(domains)})`),
  db.insert(organizationDomains).select(sql`
    SELECT typed.value, ${organizationId}, ${at} FROM json_each(${JSON.stringify(domains)}) typed
    WHERE NOT EXISTS (SELECT 1 FROM organization_domains d
      WHERE d.domain = typed.value AND d.organization_id = ${organizationId})`),
];

/** Returns the domain for which a batch failed, because another organization has it; null if it failed otherwise. */
export async function takenDomain(
  db: Db,
  error: unknown,
  { organizationId, domains }: Omit<Domains, "at">,
): Promise<string | null> {
  if (!isDuplicate(error, "organization_domains.domain")) return null;
  const [row] = await db.all<{ domain: string }>(sql`
    SELECT domain FROM organization_domains
    WHERE domain IN (${listOf(domains)}) AND organization_id <> ${organizationId} LIMIT 1`);
  // It may have been given up in the meantime; then the form simply works the next time.
  return row?.domain ?? domains[0] ?? null;
}

type NewOrganization = {
  id: string;
  details: OrganizationDetails;
  /** When the contract begins; missing: now, where there is a plan. */
  contractStartedAt?: Instant;
};

export const organizationStatements = (
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  { id, details, contractStartedAt = ctx.now() }: NewOrganization,
): Statement[] => {
  const { db } = ctx;
  const at = ctx.now();
  const { name, plan, phone, addOns, domains } = details;
  return [
    db.insert(organizations).values({
      id,
      ...organizationTexts(details),
      slug: freeSlug(slugOf(name)),
      plan,
      phone,
      add_ons: addOns.join(),
      reviews_contacts: details.reviewsContacts,
      contract_started_at: plan === "none" ? null : contractStartedAt,
      created_at: at,
      updated_at: at,
    }),
    ...setDomains(db, { organizationId: id, domains, at }),
    recordAudit(ctx, "organization.created", { subject: organizationSubject({ id, name }), orgId: id }),
  ];
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
  {
    organizationId,
    details,
    version,
    nonce,
  }: { organizationId: string; details: OrganizationDetails; version: number; nonce: string },
): Promise<Updated> {
  const { db } = ctx;
  const { plan, domains } = details;
  const at = ctx.now();
  let changed = true;
  // Where the answer to a form was lost, its token comes again, perhaps with something else, or with the same later.
  const key = `${nonce}:${fingerprintOf(JSON.stringify([details, version]))}`;
  const form = { scope: "organization-edit", key };
  const unchangedRow = and(eq(organizations.id, organizationId), eq(organizations.version, version));
  try {
    const updated = await runCommand(ctx, form, {
      read: () => findDetails(db, organizationId),
      plan: (before): Planned<"organization_not_found" | "organization_changed"> => {
        if (!before) return fail("organization_not_found");
        const meta = changesOf(before, details);
        changed = meta.changed.length > 0;
        if (!changed) return ok({ resultId: organizationId });
        const exists = (condition: SQL | undefined) => sql`EXISTS (SELECT 1 FROM ${organizations} WHERE ${condition})`;
        return ok({
          resultId: organizationId,
          expects: [
            { that: exists(eq(organizations.id, organizationId)), otherwise: "organization_not_found" },
            { that: exists(unchangedRow), otherwise: "organization_changed" },
            { that: stillAllowed(actor, "organization.manage", organizationId), otherwise: "organization_changed" },
          ],
          statements: [
            db
              .update(organizations)
              .set({
                ...organizationTexts(details),
                plan,
                phone: details.phone,
                add_ons: details.addOns.join(),
                reviews_contacts: details.reviewsContacts,
                // A contract starts with the first plan and ends with the last one.
                contract_started_at:
                  plan === "none" ? null : sql`coalesce(${organizations.contract_started_at}, ${at})`,
                updated_at: at,
                version: sql`${organizations.version} + 1`,
              })
              .where(unchangedRow),
            ...setDomains(db, { organizationId, domains, at }),
            recordAudit(ctx, "organization.updated", {
              subject: organizationSubject({ id: organizationId, name: details.name }),
              orgId: organizationId,
              meta,
            }),
          ],
        });
      },
    });
    return updated.ok ? { ok: true, changed } : updated;
  } catch (error) {
    const domain = await takenDomain(db, error, { organizationId, domains });
    if (domain === null) throw error;
    return { ok: false, code: "domain_taken", domain };
  }
}

function changesOf(before: OrganizationDetails, after: OrganizationDetails) {
  const fields = Object.keys(after) as (keyof OrganizationDetails)[];
  const changed = fields.filter((field) => String(before[field]) !== String(after[field]));
  const valuesOf = (details: OrganizationDetails) =>
    Object.fromEntries(changed.map((field) => [field, details[field]]));
  return { changed, before: valuesOf(before), after: valuesOf(after) };
}

/**
 * Returns the statement that lets the person in who created an organization and waited for approval: the only pending
 * membership with a person.
 */
const approveOwner = ({ db, now }: Pick<Ctx, "db" | "now">, organizationId: string): Statement =>
  db
    .update(organizationMemberships)
    .set({ status: "active", joined_at: now(), updated_at: now() })
    .where(
      and(
        eq(organizationMemberships.organization_id, organizationId),
        eq(organizationMemberships.status, "pending"),
        isNotNull(organizationMemberships.user_id),
      ),
    );

/**
 * Records that staff have looked at an organization that a client has created, and opens it to its creator, who waited
 * for that and gets a mail. Once is enough: a second time does nothing. `denied`: who does it has lost the right to.
 */
export async function reviewOrganization(
  ctx: Ctx,
  actor: StaffActor,
  organizationId: string,
): Promise<Result<null, "organization_not_found" | "denied">> {
  const { db } = ctx;
  const [found, creator] = await Promise.all([findDetails(db, organizationId), findWaitingCreator(db, organizationId)]);
  if (!found) return fail("organization_not_found");
  const reviewed = await commit(db, [
    expectThat(db, stillAllowed(actor, "organization.manage", organizationId)),
    ctx.db
      .update(organizations)
      .set({ needs_review_at: null })
      .where(and(eq(organizations.id, organizationId), isNotNull(organizations.needs_review_at))),
    expectChange(ctx.db),
    approveOwner(ctx, organizationId),
    recordAudit(ctx, "organization.reviewed", {
      subject: organizationSubject({ id: organizationId, name: found.name }),
      orgId: organizationId,
    }),
    ...(creator
      ? [
          enqueueMail(ctx, "membership-changed", {
            to: creator.email,
            about: { type: "user", id: creator.userId },
            data: { organization: found.name, change: "approved" },
          }),
        ]
      : []),
  ]);
  if (!reviewed) return whyNot(db, organizationId);
  if (creator) ctx.after(deliverOutbox(ctx));
  return ok(null);
}

async function whyNot(db: Db, organizationId: string): Promise<Result<null, "organization_not_found" | "denied">> {
  const [row] = await db
    .select({ waitsSince: organizations.needs_review_at })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .limit(1);
  if (!row) return fail("organization_not_found");
  return row.waitsSince === null ? ok(null) : fail("denied");
}
