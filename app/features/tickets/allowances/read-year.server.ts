import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { addDays, dayIn, type Instant } from "~/lib/time";
import { type TicketViewer, visibleToClient } from "../visible-ticket.server";
import { ALLOWANCE_LABELS, ALLOWANCES, type AllowanceKind, contractYearOf } from "./model";

/** Holds one use of an allowance as a client reads it. `ticket` and `person` are null for a ticket they may not see. */
export type AllowanceUse = {
  id: string;
  at: Instant;
  ticket: number | null;
  person: string | null;
  /** Says why it was taken back, which is empty for a ticket that they may not see; null: it counts. */
  reversal: string | null;
};

/** Holds what of an allowance is used in the contract year, the newest first. */
export type AllowanceYear = { label: string; used: number; perYear: number; uses: AllowanceUse[] };

type Row = AllowanceUse & { kind: AllowanceKind; contractYear: string };

/** Limits the uses that are read, which is more than a year of any plan has. */
const USES_READ = 60;

/** Reads what an organization has used in the last contract years, for `allowanceYears`. */
export function readUses(db: Db, viewer: TicketViewer, { zone, now }: { zone: string; now: Instant }): Promise<Row[]> {
  // Of the present contract year, whenever it began.
  const first = addDays(dayIn(zone, now), -366);
  return db.all<Row>(sql`
    SELECT e.id, e.kind, e.contract_year AS contractYear, e.at, t.number AS ticket,
      iif(t.id IS NULL, NULL, e.actor_name) AS person,
      iif(e.reversed_at IS NULL, NULL, iif(t.id IS NULL, '', e.reversal_reason)) AS reversal
    FROM allowance_entries e LEFT JOIN support_tickets t ON t.id = e.ticket_id AND ${visibleToClient(viewer)}
    WHERE e.organization_id = ${viewer.organizationId} AND e.kind IN ('after_hours', 'onsite')
      AND e.contract_year >= ${first}
    ORDER BY e.at DESC LIMIT ${USES_READ}`);
}

type Contract = { plan: OrganizationPlan; contractStartedAt: Instant | null };

/** Returns what of the present contract year is used, for each allowance that the plan limits. */
export function allowanceYears(
  { plan, contractStartedAt }: Contract,
  rows: readonly Row[],
  { zone, now }: { zone: string; now: Instant },
): AllowanceYear[] {
  const year = contractYearOf({ contractStartedAt, zone }, now);
  return (Object.keys(ALLOWANCE_LABELS) as AllowanceKind[]).flatMap((kind) => {
    const perYear = ALLOWANCES[plan][kind];
    if (!perYear) return [];
    const uses = rows
      .filter((row) => row.kind === kind && row.contractYear === year)
      .map(({ kind: _, contractYear: __, ...use }) => use);
    const used = uses.filter(({ reversal }) => reversal === null).length;
    return [{ label: ALLOWANCE_LABELS[kind], used, perYear, uses }];
  });
}
