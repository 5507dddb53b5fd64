import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { getSettings } from "~/features/settings/queries.server";
import { referenceNumber } from "~/lib/reference-number";
import type { Instant } from "~/lib/time";
import { findTicketForStaff } from "../queries.server";
import type { AllowanceKind } from "./model";

/** Holds one use of an allowance. */
type AllowanceEntry = { id: string; kind: AllowanceKind; actorName: string; at: Instant };

/** Limits the entries of a ticket that are shown. */
const ENTRIES_SHOWN = 20;

/** Lists what a ticket has used that was not taken back, the newest first, of its present organization. */
export const listAllowanceEntries = (
  db: Db,
  { organizationId, ticketId }: { organizationId: string; ticketId: string },
): Promise<AllowanceEntry[]> =>
  db.all(sql`
    SELECT id, kind, actor_name AS actorName, at FROM allowance_entries
    WHERE organization_id = ${organizationId} AND kind IN ('after_hours', 'onsite') AND ticket_id = ${ticketId}
      AND reversed_at IS NULL
    ORDER BY at DESC LIMIT ${ENTRIES_SHOWN}`);

/** Reads what a ticket has used, for its page of allowances. Null when there is no such ticket. */
export async function readTicketAllowances(db: Db, ref: string) {
  const [ticket, { timeZone: zone }] = await Promise.all([findTicketForStaff(db, ref), getSettings(db)]);
  if (!ticket) return null;
  const { id, number, organization } = ticket;
  const entries = await listAllowanceEntries(db, { organizationId: organization.id, ticketId: id });
  return { reference: referenceNumber("ticket", number), entries, zone };
}
