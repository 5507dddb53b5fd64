import { sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Instant } from "~/lib/time";
import { ALLOWANCES, contractYearOf } from "../allowances/model";
import { type PromiseRules, promiseRules } from "./rules";
import { siteCalendar } from "./site-calendar";

/** Holds what promises to an organization are counted by, and the year its incidents are counted in. */
export type OrganizationRules = { rules: PromiseRules; contractYear: string };

/** Reads what promises to an organization are counted by at an instant. Throws if there is no such organization. */
export async function readPromiseRules(db: Db, organizationId: string, at: Instant): Promise<OrganizationRules> {
  const [[organization], { timeZone: zone }] = await Promise.all([
    db.all<{ plan: OrganizationPlan; contractStartedAt: number | null; used: string }>(sql`
      SELECT plan, contract_started_at AS contractStartedAt,
        (SELECT json_group_object(contract_year, used) FROM (
          SELECT contract_year, count(*) AS used FROM allowance_entries
          WHERE organization_id = o.id AND kind = 'after_hours' AND reversed_at IS NULL
          GROUP BY contract_year ORDER BY contract_year DESC LIMIT 3)) AS used
      FROM organizations o WHERE id = ${organizationId}`),
    getSettings(db),
  ]);
  if (!organization) throw new Error("There is no such organization");
  const { plan, contractStartedAt } = organization;
  const contractYear = contractYearOf({ contractStartedAt, zone }, at);
  const used = (JSON.parse(organization.used) as Record<string, number>)[contractYear] ?? 0;
  const left = Math.max(0, (ALLOWANCES[plan].after_hours ?? 0) - used);
  return { rules: promiseRules({ calendar: siteCalendar(zone), plan, afterHoursLeft: left }), contractYear };
}
