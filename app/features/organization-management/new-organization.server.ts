import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { memberInvitation, senderOf, takeInvitation } from "~/features/invitations/sending.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { organizationPath } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import { fail, ok } from "~/lib/errors";
import type { FieldErrors, ValidationError } from "~/lib/form";
import type { Ctx } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { done, invalid } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { organizationStatements, takenDomain } from "./commands.server";
import { NewOrganizationForm } from "./forms.server";
import { CREATED, DOMAIN_TAKEN, INVITE_FAILURES, NOT_CREATED } from "./labels";
import type { OrganizationDetails } from "./model";

type CreationError = "own_address" | "no_account" | "limited" | "denied";

/**
 * Creates an organization for a client and invites its owner, in one batch: whoever has the address, with an account or
 * without one, owns it once they accept. The same form posted again returns the organization it has created.
 */
export async function createClientOrganization(
  ctx: Ctx,
  actor: StaffActor,
  { details, ownerEmail, nonce }: { details: OrganizationDetails; ownerEmail: string | null; nonce: string },
): Promise<
  { ok: true; id: string } | { ok: false; code: CreationError } | { ok: false; code: "domain_taken"; domain: string }
> {
  const { db } = ctx;
  // Where the answer was lost, the same token may come with another organization.
  const form = { scope: "organization-new", key: `${nonce}:${fingerprintOf(JSON.stringify([details, ownerEmail]))}` };
  const organization = { id: ctx.newId("org"), name: details.name, isNew: false };
  const { domains } = details;
  const sender = senderOf(actor, organization);
  let giveBack = null as (() => Promise<void>) | null;
  try {
    const created = await runCommand(ctx, form, {
      read: () => Promise.all([getSettings(db), ownerEmail !== null && hasAccount(db, ownerEmail)]),
      plan: async ([{ timeZone, onlyInviteExistingAccounts }, isKnown]): Promise<Planned<CreationError>> => {
        if (ownerEmail === actor.email) return fail("own_address");
        if (ownerEmail !== null && onlyInviteExistingAccounts && !isKnown) return fail("no_account");
        if (ownerEmail) giveBack ??= await takeInvitation(ctx, { email: ownerEmail, timeZone, sender });
        if (ownerEmail && !giveBack) return fail("limited");
        const invitation = { inviter: actor, organization, role: "owner", timeZone } as const;
        return ok({
          resultId: organization.id,
          expects: [{ that: stillAllowed(actor, "organization.manage", organization.id), otherwise: "denied" }],
          statements: [
            ...organizationStatements(ctx, { id: organization.id, details }),
            ...(ownerEmail ? memberInvitation(ctx, { ...invitation, email: ownerEmail }) : []),
          ],
          after: () => {
            giveBack = null;
            if (ownerEmail) ctx.after(deliverOutbox(ctx));
          },
        });
      },
    });
    return created.ok ? { ok: true, id: created.value } : created;
  } catch (error) {
    const domain = await takenDomain(db, error, { organizationId: organization.id, domains });
    if (domain === null) throw error;
    return { ok: false, code: "domain_taken", domain };
  } finally {
    await giveBack?.();
  }
}

async function hasAccount(db: Db, email: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM users WHERE email = ${email} AND status = 'active'`);
  return rows.length > 0;
}

export const creationActions = formActions<StaffActor, null, ValidationError>({ intentField: null })({
  create: {
    purpose: "organization-new",
    form: NewOrganizationForm,
    failed: NOT_CREATED,
    invalid: invalidForm(NOT_CREATED),
    run: async (ctx, actor, { input: { ownerEmail, ...details }, nonce, fields: values }) => {
      const created = await createClientOrganization(ctx, actor, { details, ownerEmail, nonce });
      if (created.ok) return done({ to: organizationPath(created.id), flash: { kind: "success", ...CREATED } });
      const errors: FieldErrors =
        created.code === "domain_taken"
          ? { domains: DOMAIN_TAKEN(created.domain) }
          : created.code === "denied"
            ? { form: NOT_CREATED }
            : { owner_email: INVITE_FAILURES[created.code] };
      return invalid({ title: NOT_CREATED, errors, values });
    },
  },
});
