import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import type { AllowanceKind } from "./model";

/** Holds one use of an allowance. */
export type AllowanceEntry = { id: string; kind: AllowanceKind; actorName: string; at: Instant };

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
