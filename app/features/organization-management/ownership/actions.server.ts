import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { NOT_TRANSFERRED, TRANSFER_FAILURES } from "~/features/members/copy";
import { findMembership } from "~/features/members/queries.server";
import { transferOwnership } from "~/features/members/transfer-ownership.server";
import { organizationPath } from "~/features/organizations/subject";
import type { ValidationError } from "~/lib/form";
import { done, invalid } from "~/platform/action-result";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { ownershipTransferred } from "../copy";
import { OwnershipForm } from "../forms.server";

type Params = { organizationId: string };

/**
 * Handles the form that passes the ownership of an organization on: it takes a reason, and password and code if the
 * last proof of identity is older than ten minutes.
 */
export const ownershipActions = formActions<StaffActor, Params, ValidationError>({
  intentField: null,
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  transfer: {
    ability: "organization.transfer",
    purpose: "organization-ownership",
    form: OwnershipForm,
    invalid: invalidForm(NOT_TRANSFERRED),
    run: async (ctx, actor, { input, fields, params: { organizationId } }) => {
      const { membership_id: membershipId, reason } = input;
      const values = { membership_id: membershipId, reason };
      const unproven = await missingProof(ctx, actor, { fields, values });
      if (unproven) return unproven;
      const target = { membershipId, organizationId };
      const next = await findMembership(ctx.db, target);
      const transferred = await transferOwnership(ctx, actor, target, { reason });
      if (!transferred.ok) {
        return invalid({
          title: NOT_TRANSFERRED,
          errors: { membership_id: TRANSFER_FAILURES[transferred.code] },
          values,
        });
      }
      const message = ownershipTransferred(next?.name ?? "The new owner");
      return done({ to: organizationPath(organizationId), flash: { kind: "success", ...message } });
    },
  },
});
