import type * as z from "zod";
import type { Db } from "~/db/client.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { CHANGED_SINCE } from "~/lib/error-texts";
import type { ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { done, invalid, notFound } from "~/platform/responses.server";
import { moveToOrganization } from "./commands.server";
import { OrganizationForm } from "./forms.server";
import { DETAILS_NOT_SAVED, DETAILS_SAVED, MOVE_REFUSED } from "./labels";
import { asStaff } from "./model";
import { staffTicketPath } from "./paths";
import { findTicketForStaff } from "./queries.server";

export async function readMoving(db: Db, { ref, search }: { ref: string; search: string }) {
  const [ticket, { choices, isMore }] = await Promise.all([
    findTicketForStaff(db, ref),
    findOrganizationChoices(db, { search, chosen: null }),
  ]);
  if (!ticket) return null;
  const { number, title, organization } = ticket;
  return {
    reference: referenceNumber("ticket", number),
    title,
    organization: organization.name,
    organizations: choices.filter(({ id }) => id !== organization.id),
    isMore,
    search,
  };
}

export const movingActions = formActions<StaffActor, { ticket: string }, ValidationError>({ intentField: null })({
  move: {
    failed: DETAILS_NOT_SAVED,
    ability: "ticket.handle",
    purpose: "ticket-organization",
    form: OrganizationForm,
    invalid: invalidForm(DETAILS_NOT_SAVED),
    run: async (ctx, actor, sent) => {
      const { params, nonce } = sent;
      const { organization_id: organizationId }: z.output<typeof OrganizationForm> = sent.input;
      const moved = await moveToOrganization(ctx, asStaff(actor), { ticketId: params.ticket, organizationId, nonce });
      if (moved.ok) return done({ to: staffTicketPath(params.ticket), flash: { kind: "success", ...DETAILS_SAVED } });
      if (moved.code === "ticket_not_found") return notFound();
      const errors = { organization_id: moved.code === "changed_since" ? CHANGED_SINCE : MOVE_REFUSED[moved.code] };
      return invalid({ title: DETAILS_NOT_SAVED, errors, values: {} });
    },
  },
});
