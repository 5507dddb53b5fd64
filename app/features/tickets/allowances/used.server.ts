import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { ALLOWANCE_LABELS, ALLOWANCES, type AllowanceKind } from "./model";

type Uses = { kind: AllowanceKind; contractYear: string; used: number };

/**
 * Counts what an organization has used of its allowances, by contract year; what was taken back does not count.
 * `until`: only what was used before.
 */
export const countUses = (db: Db, organizationId: string, until = Number.MAX_SAFE_INTEGER): Promise<Uses[]> =>
  db.all(sql`
    SELECT kind, contract_year AS contractYear, count(*) AS used FROM allowance_entries
    WHERE organization_id = ${organizationId} AND reversed_at IS NULL AND at < ${until}
    GROUP BY kind, contract_year ORDER BY contract_year DESC LIMIT 8`);

/** Says what of a contract year is used: "1 of 5". Only what the plan limits is told. */
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
