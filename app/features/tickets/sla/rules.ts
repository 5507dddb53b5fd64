import type { OrganizationPlan } from "~/features/organizations/model";
import { DEFAULT_REPLY_TARGETS, type ReplyTarget, type ReplyTargets } from "~/features/settings/model";
import type { Calendar } from "~/lib/calendar";
import { type Duration, hours } from "~/lib/time";
import { ALLOWANCES } from "../model";

export type Target = ReplyTarget;

export type Coverage = "open_hours" | "urgent_after_hours" | "around_the_clock";

export type AfterHours = {
  /** In a contract year; null: as many as needed. */
  perYear: number | null;
  left: number;
  /** Around the clock. */
  response: Duration;
};

export type SlaRules = {
  calendar: Calendar;
  plan: OrganizationPlan;
  targets: ReplyTargets;
  /** Null: not promised. */
  resolutionTargets: ReplyTargets | null;
  afterHours: AfterHours;
};

/** Around the clock. */
const AFTER_HOURS_RESPONSE = hours(4);

const COVERAGE: Record<OrganizationPlan, Coverage> = {
  none: "open_hours",
  basic: "open_hours",
  core: "urgent_after_hours",
  premium: "around_the_clock",
};

export const coverageOf = (plan: OrganizationPlan): Coverage => COVERAGE[plan];

type Covered = {
  calendar: Calendar;
  plan: OrganizationPlan;
  /** Only plans that count incidents ask for it. */
  afterHoursLeft: number;
  targets?: ReplyTargets;
  resolutionTargets?: ReplyTargets | null;
};

export const slaRules = ({
  calendar,
  plan,
  afterHoursLeft,
  targets = DEFAULT_REPLY_TARGETS,
  resolutionTargets = null,
}: Covered): SlaRules => ({
  calendar,
  plan,
  targets,
  resolutionTargets,
  afterHours: { perYear: ALLOWANCES[plan].after_hours, left: afterHoursLeft, response: AFTER_HOURS_RESPONSE },
});
