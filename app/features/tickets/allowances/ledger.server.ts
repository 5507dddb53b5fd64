import { type SQL, sql } from "drizzle-orm";
import { type Db, expectChange, type Statement } from "~/db/client.server";
import { allowanceEntries } from "~/db/schema/ticket-work";
import type { OrganizationPlan } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import { referenceNumber } from "~/lib/ids";
import { addDays, dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { type TicketViewer, visibleToClient } from "../access.server";
import { ALLOWANCE_LABELS } from "../labels";
import { ALLOWANCES, type AllowanceKind, contractYearOf } from "../model";
import { findTicketForStaff } from "../queries.server";

type Person = { userId: string | null; fullName: string };

type Use = {
  organizationId: string;
  kind: AllowanceKind;
  contractYear: string;
  /** Null: as often as needed. */
  perYear: number | null;
  ticketId: string | null;
  by: Person;
};

/** The batch fails if another has used the last one meanwhile: what was promised has to be decided again. */
export function spendAllowance(ctx: Pick<Ctx, "db" | "newId" | "now">, use: Use): Statement[] {
  const { organizationId, kind, contractYear, perYear, ticketId, by } = use;
  const isLeft =
    perYear === null
      ? sql`1`
      : sql`(SELECT count(*) FROM allowance_entries WHERE organization_id = ${organizationId} AND kind = ${kind}
          AND contract_year = ${contractYear} AND reversed_at IS NULL) < ${perYear}`;
  return [
    // Every column in its order, as an insert from a query has them.
    ctx.db.insert(allowanceEntries).select(sql`
      SELECT ${ctx.newId("alw")}, ${organizationId}, ${kind}, ${contractYear}, ${ticketId},
        (SELECT number FROM support_tickets WHERE id = ${ticketId}), ${by.userId}, ${by.fullName}, ${ctx.now()}, NULL, NULL, NULL
      WHERE ${isLeft}`),
    expectChange(ctx.db),
  ];
}

/** Gives back those that still count of the ones that a condition selects. */
export const giveBack = (
  ctx: Pick<Ctx, "db" | "now">,
  { by, reason }: { by: Person; reason: string },
  condition: SQL,
): Statement =>
  ctx.db
    .update(allowanceEntries)
    .set({ reversed_at: ctx.now(), reversed_by_name: by.fullName, reversal_reason: reason })
    .where(sql`${condition} AND reversed_at IS NULL`);

type Uses = { kind: AllowanceKind; contractYear: string; used: number };

/** What was taken back does not count. `until`: only what was used before. */
export const countUses = (db: Db, organizationId: string, until = Number.MAX_SAFE_INTEGER): Promise<Uses[]> =>
  db.all(sql`
    SELECT kind, contract_year AS contractYear, count(*) AS used FROM allowance_entries
    WHERE organization_id = ${organizationId} AND reversed_at IS NULL AND at < ${until}
    GROUP BY kind, contract_year ORDER BY contract_year DESC LIMIT 8`);

/** "1 of 5". Only what the plan limits is told. */
export function usesInWords(
  { plan }: { plan: OrganizationPlan },
  uses: readonly Uses[],
  contractYear: string,
): { label: string; used: string }[] {
  const kinds = Object.keys(ALLOWANCE_LABELS) as AllowanceKind[];
  return kinds.flatMap((kind) => {
    const perYear = ALLOWANCES[plan][kind];
    if (!perYear) return [];
    const used = uses.find((use) => use.kind === kind && use.contractYear === contractYear)?.used ?? 0;
    return [{ label: ALLOWANCE_LABELS[kind], used: `${used} of ${perYear} used` }];
  });
}

/** `ticket` and `person` are null for a ticket that the client may not see. */
export type AllowanceUse = {
  id: string;
  at: Instant;
  ticket: number | null;
  person: string | null;
  /** Empty for a ticket that they may not see; null: it counts. */
  reversal: string | null;
};

export type AllowanceYear = { label: string; used: number; perYear: number; uses: AllowanceUse[] };

type Row = AllowanceUse & { kind: AllowanceKind; contractYear: string };

/** More than a year of any plan has. */
const USES_READ = 60;

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

export function allowanceYears(
  { plan, contractStartedAt }: { plan: OrganizationPlan; contractStartedAt: Instant | null },
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

const ENTRIES_SHOWN = 20;

/** Of the ticket's present organization; what was taken back is left out. */
export const listAllowanceEntries = (
  db: Db,
  { organizationId, ticketId }: { organizationId: string; ticketId: string },
): Promise<{ id: string; kind: AllowanceKind; actorName: string; at: Instant }[]> =>
  db.all(sql`
    SELECT id, kind, actor_name AS actorName, at FROM allowance_entries
    WHERE organization_id = ${organizationId} AND kind IN ('after_hours', 'onsite') AND ticket_id = ${ticketId}
      AND reversed_at IS NULL
    ORDER BY at DESC LIMIT ${ENTRIES_SHOWN}`);

export async function readTicketAllowances(db: Db, ref: string) {
  const [ticket, { timeZone: zone }] = await Promise.all([findTicketForStaff(db, ref), getSettings(db)]);
  if (!ticket) return null;
  const { id, number, organization } = ticket;
  const entries = await listAllowanceEntries(db, { organizationId: organization.id, ticketId: id });
  return { reference: referenceNumber("ticket", number), entries, zone };
}
