import type { Db } from "~/db/client.server";
import { findOrganizationChoices } from "~/features/organizations/queries.server";
import { referenceNumber } from "~/lib/reference-number";
import { findTicketForStaff } from "../queries.server";

/** Reads which organizations a ticket can be moved to: the first by name, or those that a search finds. */
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
