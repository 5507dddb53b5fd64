import type { OrganizationPlan } from "~/features/organizations/model";
import { dayIn, type Instant } from "~/lib/time";

export type AllowanceKind = "after_hours" | "onsite";

export const ALLOWANCE_LABELS: Record<AllowanceKind, string> = {
  after_hours: "After-hours incidents",
  onsite: "Onsite visits",
};

/** Says how often a plan allows something in a contract year; null for as often as needed. */
export const ALLOWANCES: Record<OrganizationPlan, Record<AllowanceKind, number | null>> = {
  none: { after_hours: 0, onsite: 0 },
  basic: { after_hours: 0, onsite: 0 },
  core: { after_hours: 5, onsite: 16 },
  premium: { after_hours: null, onsite: null },
};

type Contract = {
  /** Says when the contract began; null: there is none yet, and years are those of the calendar. */
  contractStartedAt: Instant | null;
  /** Names the time zone of the site, an IANA name. */
  zone: string;
};

/** Returns the first day of the contract year that an instant falls in, `YYYY-MM-DD`. */
export function contractYearOf({ contractStartedAt, zone }: Contract, at: Instant): string {
  const today = dayIn(zone, at);
  const anniversary = contractStartedAt === null ? "01-01" : dayIn(zone, contractStartedAt).slice(5);
  const year = Number(today.slice(0, 4));
  const thisYear = dayOfYear(year, anniversary);
  return thisYear <= today ? thisYear : dayOfYear(year - 1, anniversary);
}

/** Returns a day of a year. A contract of February 29 has its anniversary on March 1 in other years. */
function dayOfYear(year: number, monthAndDay: string): string {
  const [month = 1, day = 1] = monthAndDay.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
