import { type MemberActor, requireStepUp } from "~/features/auth/guards.server";
import { NOT_TRANSFERRED, TRANSFER_FAILURES } from "~/features/members/copy";
import { CANDIDATES_LISTED, findMembership, listCandidates } from "~/features/members/queries.server";
import { transferOwnership } from "~/features/members/transfer-ownership.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import type { ValidationError } from "~/lib/form";
import { asShown } from "~/lib/text";
import { done, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { nameMismatch, ownershipTransferred } from "./copy";
import { TransferForm } from "./forms.server";
import { ORGANIZATION_PATH } from "./model";

const TRANSFER_PURPOSE = "transfer-ownership";

/** Loads the page, for somebody who has just proved who they are; the others are asked for it first. */
export async function loadTransferPage(ctx: Ctx, { membership }: MemberActor) {
  await requireStepUp(ctx);
  const { organizationId: id, organizationName: name } = membership;
  const candidates = await listCandidates(ctx.db, id);
  return {
    candidates,
    /** Tells whether there may be more active members than the page lists. */
    isCut: candidates.length === CANDIDATES_LISTED,
    organization: { id, name },
    token: issueFormToken(ctx, TRANSFER_PURPOSE),
  };
}

/** Passes the ownership of the organization on, once its name is typed and the identity proved. */
export const transferActions = formActions<MemberActor, null, ValidationError>({
  intentField: null,
  conflict: otherOrganization,
})({
  transfer: {
    ability: "organization.transfer",
    purpose: TRANSFER_PURPOSE,
    form: TransferForm,
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
        flash: { kind: "success", ...ownershipTransferred(next?.name ?? "The new owner") },
      });
    },
  },
});
