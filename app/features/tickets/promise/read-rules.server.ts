import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { OrganizationPlan } from "~/features/organizations/model";
import { type SiteSettings, siteCalendar } from "~/features/settings/model";
import { getSettings } from "~/features/settings/queries.server";
import type { Calendar } from "~/lib/calendar";
import type { Instant } from "~/lib/time";
import { ALLOWANCES, contractYearOf } from "../allowances/model";
import { type PromiseRules, promiseRules } from "./rules";

/** Holds what promises to an organization are counted by, and the year its incidents are counted in. */
export type OrganizationRules = { rules: PromiseRules; contractYear: string };

/** Holds what is read of an organization `o` for its rules. */
export type RulesRow = { plan: OrganizationPlan; contractStartedAt: number | null; used: string };

/**
 * Selects the columns of a `RulesRow`. Of contract years the last three are enough: nothing is counted in older ones.
 */
export const rulesColumns: SQL = sql`o.plan, o.contract_started_at AS contractStartedAt,
  (SELECT json_group_object(contract_year, used) FROM (
    SELECT contract_year, count(*) AS used FROM allowance_entries
    WHERE organization_id = o.id AND kind = 'after_hours' AND reversed_at IS NULL
    GROUP BY contract_year ORDER BY contract_year DESC LIMIT 3)) AS used`;

type Site = { calendar: Calendar } & Pick<SiteSettings, "replyTargets" | "resolutionTargets">;

/** Returns what promises to an organization are counted by at an instant. */
export function rulesOf(
  { plan, contractStartedAt, used }: RulesRow,
  { calendar, replyTargets: targets, resolutionTargets }: Site,
  at: Instant,
): OrganizationRules {
  const contractYear = contractYearOf({ contractStartedAt, zone: calendar.zone }, at);
  const usedThisYear = (JSON.parse(used) as Record<string, number>)[contractYear] ?? 0;
  const afterHoursLeft = Math.max(0, (ALLOWANCES[plan].after_hours ?? 0) - usedThisYear);
  return { rules: promiseRules({ calendar, plan, afterHoursLeft, targets, resolutionTargets }), contractYear };
}

/** Stands for an organization that was deleted a moment ago: a batch that would use its rules expects it to exist. */
const DELETED: RulesRow = { plan: "none", contractStartedAt: null, used: "{}" };

/**
 * Reads what promises to an organization are counted by at an instant: what begins now is counted by the hours and
 * targets of the settings.
 */
export async function readPromiseRules(db: Db, organizationId: string, at: Instant): Promise<OrganizationRules> {
  const [[organization], settings] = await Promise.all([
    db.all<RulesRow>(sql`SELECT ${rulesColumns} FROM organizations o WHERE id = ${organizationId}`),
    getSettings(db),
  ]);
  return rulesOf(organization ?? DELETED, { ...settings, calendar: siteCalendar(settings) }, at);
}
