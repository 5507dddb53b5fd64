import type { StaffActor } from "~/features/auth/guards.server";
import { monthTitle } from "~/features/letters/compose-letter";
import { listClientLetters } from "~/features/letters/queries.server";
import { MEMBERS_PATH } from "~/features/members/definition";
import { readOrganizationRecord } from "~/features/organization-management/record-page.server";
import { organizationPath } from "~/features/organizations/model";
import { readClientOrigins } from "~/features/submissions/client/make-client.server";
import { countUses, usesInWords } from "~/features/tickets/allowances/ledger.server";
import { contractYearOf } from "~/features/tickets/model";
import { newStaffTicketPath, STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { readActiveTickets } from "~/features/tickets/staff-list/list.server";
import { withParams } from "~/lib/addresses";
import type { Ctx } from "~/platform/context.server";
import { readOrNull } from "./read-or-null.server";

export async function readClient(ctx: Ctx, actor: StaffActor, { id, params }: { id: string; params: URLSearchParams }) {
  const [record, origins, tickets, uses, letters] = await Promise.all([
    readOrganizationRecord(ctx, actor, { id, params }),
    readClientOrigins(ctx, actor, id),
    readOrNull(ctx, "client_tickets_failed", readActiveTickets(ctx, id)),
    countUses(ctx.db, id),
    listClientLetters(ctx.db, id),
  ]);
  if (!record) return null;
  const { organization, zone } = record;
  return {
    ...record,
    ...origins,
    tickets,
    letters: letters.map(({ month, ...letter }) => ({ ...letter, title: monthTitle(month) })),
    allowances: usesInWords(organization, uses, contractYearOf({ ...organization, zone }, ctx.now())),
    isEditing: params.has("edit"),
    path: organizationPath(id),
    ticketsTo: withParams(STAFF_TICKETS_PATH, { organization: id, sort: "newest" }),
    ticketTo: newStaffTicketPath(id),
    membersTo: withParams(MEMBERS_PATH, { organization: id }),
  };
}
