import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { commit, expectChange, expectThat } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { recordAudit } from "~/features/audit/record-audit.server";
import { nameField } from "~/features/auth/forms.server";
import { type MemberActor, requireStepUp } from "~/features/auth/guards.server";
import { stillAllowed } from "~/features/auth/queries.server";
import { leaveOrganization, RoleChoice, transferOwnership } from "~/features/members/commands.server";
import { CHOOSE_OWNER, NOT_TRANSFERRED, TRANSFER_FAILED, TRANSFER_FAILURES } from "~/features/members/labels";
import { CANDIDATES_LISTED, findMembership, listCandidates } from "~/features/members/queries.server";
import {
  ORGANIZATION_DESCRIPTION_MAX,
  ORGANIZATION_NAME_MAX,
  ORGANIZATION_UNCHANGED,
  organizationSubject,
  organizationTexts,
  otherOrganization,
} from "~/features/organizations/model";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { fail, ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { isId } from "~/lib/ids";
import { asShown } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm, reasonOf } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, conflict, done, invalid, notFound } from "~/platform/responses.server";
import {
  LEAVE_ORGANIZATION,
  leftOrganization,
  MFA_OPTIONAL,
  MFA_REQUIRED,
  NAME_REQUIRED,
  NAME_TOO_LONG,
  nameMismatch,
  ORGANIZATION_DESCRIPTION_TOO_LONG,
  ORGANIZATION_NOT_SAVED,
  ORGANIZATION_SAVED,
  OWN_ORGANIZATION_CHANGED,
  OWNER_CANNOT_LEAVE,
  ownershipGiven,
} from "./labels";
import { LEAVE_PATH, ORGANIZATION_PATH, type OrganizationSettings, VISIBILITIES } from "./model";
import { findOrganizationSettings } from "./queries.server";

export const OwnOrganizationForm = absentAsEmpty(
  ["name", "description", "visibility", "default_role", "allows_copies", "version"],
  z
    .object({
      name: nameField(ORGANIZATION_NAME_MAX, { missing: NAME_REQUIRED, tooLong: NAME_TOO_LONG }),
      description: z.string().trim().max(ORGANIZATION_DESCRIPTION_MAX, ORGANIZATION_DESCRIPTION_TOO_LONG),
      visibility: z.enum(VISIBILITIES),
      default_role: RoleChoice,
      allows_copies: z.enum(["on", ""]),
      version: z.coerce.number().int().positive(),
    })
    .transform(({ default_role: defaultRole, allows_copies, ...rest }) => {
      return { ...rest, defaultRole, allowsCopies: allows_copies === "on" };
    }),
);

const MfaForm = absentAsEmpty(
  ["require_mfa"],
  z.object({ require_mfa: z.enum(["on", ""]) }).transform(({ require_mfa }) => ({ isRequired: require_mfa === "on" })),
);

const TransferForm = absentAsEmpty(
  ["membership_id", "confirm_name"],
  z.object({
    membership_id: z.string().refine((id) => isId("mem", id), CHOOSE_OWNER),
    confirm_name: z.string().trim(),
  }),
);

export const SETTINGS_PURPOSE = "organization-settings";

const rejected = (error: ValidationError): ActionResult<ValidationError> => invalid(error);
const failed = () => rejected({ title: "Error", errors: { form: ORGANIZATION_NOT_SAVED }, values: {} });

export const organizationSettingsActions = formActions<MemberActor, null, ValidationError>({
  failed: ORGANIZATION_NOT_SAVED,
  conflict: otherOrganization,
})({
  save: {
    ability: "organization.edit",
    purpose: SETTINGS_PURPOSE,
    form: OwnOrganizationForm,
    invalid: (problem) =>
      problem.code === "token"
        ? failed()
        : rejected({ title: ORGANIZATION_NOT_SAVED, errors: problem.errors, values: problem.values }),
    run: async (ctx, actor, { input, fields }) => {
      const saved = await saveOrganizationSettings(ctx, actor, input);
      if (saved.ok) {
        return saved.value.changed
          ? done({ to: ORGANIZATION_PATH, flash: { kind: "success", ...ORGANIZATION_SAVED } })
          : done({ to: ORGANIZATION_PATH, flash: { kind: "info", ...ORGANIZATION_UNCHANGED }, unchanged: true });
      }
      const stored = await findOrganizationSettings(ctx.db, actor.membership.organizationId);
      if (saved.code === "not_found" || !stored) return notFound();
      // Saved again, the form has the version that is stored now.
      const values = { ...fields, version: String(stored.version) };
      return conflict({ title: ORGANIZATION_NOT_SAVED, errors: { form: OWN_ORGANIZATION_CHANGED }, values });
    },
  },
  "require-mfa": {
    ability: "organization.require_mfa",
    purpose: SETTINGS_PURPOSE,
    form: MfaForm,
    invalid: failed,
    run: async (ctx, actor, { input }) => {
      if (!(await requireMfa(ctx, actor, input))) {
        const stored = await findOrganizationSettings(ctx.db, actor.membership.organizationId);
        const wasSo = stored !== null && (stored.mfaRequiredAt !== null) === input.isRequired;
        return wasSo ? done({ to: ORGANIZATION_PATH }) : failed();
      }
      return done({
        to: ORGANIZATION_PATH,
        flash: { kind: "success", ...(input.isRequired ? MFA_REQUIRED : MFA_OPTIONAL) },
      });
    },
  },
});

export const LEAVE_PURPOSE = "leave-organization";

const notLeft = (message: string): ActionResult<null> =>
  done({ to: LEAVE_PATH, flash: { kind: "error", title: LEAVE_ORGANIZATION, message } });

export const leaveActions = formActions<MemberActor, null, null>({
  intentField: null,
  conflict: otherOrganization,
})({
  leave: {
    purpose: LEAVE_PURPOSE,
    failed: "Failed to leave the organization",
    invalid: (problem) => notLeft(reasonOf(problem, "You have not left. Please try again.")),
    run: async (ctx, actor) => {
      const left = await leaveOrganization(ctx, actor);
      if (!left.ok && left.code === "owner") return notLeft(OWNER_CANNOT_LEAVE);
      const message = leftOrganization(actor.membership.organizationName);
      return done({ to: PORTAL_HOME_PATH, flash: { kind: "success", ...message }, newDocument: true });
    },
  },
});

const TRANSFER_PURPOSE = "transfer-ownership";

export async function loadTransferPage(ctx: Ctx, { membership }: MemberActor) {
  await requireStepUp(ctx);
  const { organizationId: id, organizationName: name } = membership;
  const candidates = await listCandidates(ctx.db, id);
  return {
    candidates,
    isCut: candidates.length === CANDIDATES_LISTED,
    organization: { id, name },
    token: issueFormToken(ctx, TRANSFER_PURPOSE),
  };
}

export const transferActions = formActions<MemberActor, null, ValidationError>({
  intentField: null,
  conflict: otherOrganization,
})({
  transfer: {
    ability: "organization.transfer",
    purpose: TRANSFER_PURPOSE,
    form: TransferForm,
    failed: TRANSFER_FAILED,
    invalid: invalidForm(NOT_TRANSFERRED),
    run: async (ctx, actor, { input, fields: values }) => {
      await requireStepUp(ctx);
      const { organizationId, organizationName } = actor.membership;
      const reject = (errors: Record<string, string>) => invalid({ title: NOT_TRANSFERRED, errors, values });
      if (asShown(input.confirm_name) !== asShown(organizationName)) {
        return reject({ confirm_name: nameMismatch(organizationName) });
      }
      const target = { membershipId: input.membership_id, organizationId };
      const next = await findMembership(ctx.db, target);
      const transferred = await transferOwnership(ctx, actor, target);
      if (!transferred.ok) return reject({ membership_id: TRANSFER_FAILURES[transferred.code] });
      return done({
        to: ORGANIZATION_PATH,
        flash: { kind: "success", ...ownershipGiven(next?.name ?? "The new owner") },
      });
    },
  },
});

/** Members without it keep their access for seven days, counted from now or from when they join. */
async function requireMfa(ctx: Ctx, actor: MemberActor, { isRequired }: { isRequired: boolean }): Promise<boolean> {
  const { organizationId, organizationName } = actor.membership;
  const now = ctx.now();
  const { mfa_required_at } = organizations;
  return commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.require_mfa", organizationId)),
    ctx.db
      .update(organizations)
      .set({ mfa_required_at: isRequired ? now : null, updated_at: now })
      .where(
        and(eq(organizations.id, organizationId), isRequired ? isNull(mfa_required_at) : isNotNull(mfa_required_at)),
      ),
    expectChange(ctx.db),
    recordAudit(ctx, isRequired ? "organization.mfa_required" : "organization.mfa_optional", {
      subject: organizationSubject({ id: organizationId, name: organizationName }),
      orgId: organizationId,
    }),
  ]);
}

/**
 * Saves what the admins of an organization may change of it, unless somebody has saved since the form was shown. Saving
 * what is stored already changes nothing and leaves no trace.
 */
async function saveOrganizationSettings(
  ctx: Ctx,
  actor: MemberActor,
  { version, ...settings }: OrganizationSettings & { version: number },
): Promise<Result<{ changed: boolean }, "changed" | "not_found">> {
  const { organizationId } = actor.membership;
  const stored = await findOrganizationSettings(ctx.db, organizationId);
  if (!stored) return fail("not_found");
  const changedFields = (Object.keys(settings) as (keyof OrganizationSettings)[]).filter(
    (field) => settings[field] !== stored[field],
  );
  if (changedFields.length === 0) return ok({ changed: false });
  const written = await commit(ctx.db, [
    expectThat(ctx.db, stillAllowed(actor, "organization.edit", organizationId)),
    ctx.db
      .update(organizations)
      .set({
        ...organizationTexts(settings),
        visibility: settings.visibility,
        default_role: settings.defaultRole,
        allows_copies: settings.allowsCopies,
        updated_at: ctx.now(),
        version: sql`${organizations.version} + 1`,
      })
      .where(and(eq(organizations.id, organizationId), eq(organizations.version, version))),
    expectChange(ctx.db),
    recordAudit(ctx, "organization.updated", {
      subject: organizationSubject({ id: organizationId, name: settings.name }),
      orgId: organizationId,
      meta: { fields: changedFields },
    }),
  ]);
  return written ? ok({ changed: true }) : fail("changed");
}
