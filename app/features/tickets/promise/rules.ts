import type { OrganizationPlan } from "~/features/organizations/model";
import { DEFAULT_REPLY_TARGETS, type ReplyTarget, type ReplyTargets } from "~/features/settings/model";
import type { Calendar } from "~/lib/calendar";
import { type Duration, hours } from "~/lib/time";
import { ALLOWANCES } from "../allowances/model";

export type Target = ReplyTarget;

/** Says when a plan's promises count: in open hours; also at night, for what is urgent; always. */
export type Coverage = "open_hours" | "urgent_after_hours" | "around_the_clock";

/** Holds what a plan promises of after-hours incidents. */
export type AfterHours = {
  /** Counts the incidents in a contract year; null: as many as needed. */
  perYear: number | null;
  /** Counts the incidents that the organization has left in this contract year. */
  left: number;
  /** Says how soon a reply is promised, around the clock. */
  response: Duration;
};

/** Holds what promises to an organization are counted by, now. */
export type PromiseRules = {
  calendar: Calendar;
  plan: OrganizationPlan;
  targets: ReplyTargets;
  /** Says how soon tickets are resolved; null: that is not promised. */
  resolutionTargets: ReplyTargets | null;
  afterHours: AfterHours;
};

/** Says how soon after-hours incidents are promised a reply, around the clock. */
const AFTER_HOURS_RESPONSE = hours(4);

const COVERAGE: Record<OrganizationPlan, Coverage> = {
  none: "open_hours",
  basic: "open_hours",
  core: "urgent_after_hours",
  premium: "around_the_clock",
};

/** Returns when a plan's promises count. */
export const coverageOf = (plan: OrganizationPlan): Coverage => COVERAGE[plan];

type Covered = {
  calendar: Calendar;
  plan: OrganizationPlan;
  /** Counts the after-hours incidents of this contract year that are left; only plans that count them ask for it. */
  afterHoursLeft: number;
  targets?: ReplyTargets;
  resolutionTargets?: ReplyTargets | null;
};

/** Returns what promises to an organization are counted by. */
export const promiseRules = ({
  calendar,
  plan,
  afterHoursLeft,
  targets = DEFAULT_REPLY_TARGETS,
  resolutionTargets = null,
}: Covered): PromiseRules => ({
  calendar,
  plan,
  targets,
  resolutionTargets,
  afterHours: { perYear: ALLOWANCES[plan].after_hours, left: afterHoursLeft, response: AFTER_HOURS_RESPONSE },
});
