import { type AddOnId, addOns, LAB_PERCENT, ONBOARDING, type PlanId, plans } from "~/content/plans-and-prices";
import { formatDollars, percentOf } from "~/lib/money";
import type { Estimate, PriceList } from "./estimate";
import type { PriceNames } from "./estimate-lines";

const byPlan = <Value>(valueOf: (plan: (typeof plans)[number]) => Value) =>
  Object.fromEntries(plans.map((plan) => [plan.id, valueOf(plan)])) as Record<PlanId, Value>;

/** Holds the prices of `content/plans-and-prices.ts` as the estimate calculates with them. */
export const currentPrices: PriceList = {
  plans: byPlan((plan) => plan.monthlyCents),
  addOns: Object.fromEntries(addOns.map(({ id, monthlyCents }) => [id, monthlyCents])) as Record<AddOnId, number>,
  labPercent: LAB_PERCENT,
  included: byPlan((plan) => plan.includes),
};

/** Holds what a lab computer costs on Core, rounded to a dollar; the frequent questions name it. */
export const coreLabPrice = formatDollars(percentOf(currentPrices.plans.core, LAB_PERCENT));

/** Names the lines of the breakdown. */
export const lineLabels: Record<keyof Estimate["breakdown"], string> = {
  fullUsers: "Full-time users",
  labDevices: "Lab devices",
  addOns: "Add-ons",
};

/** Names plans and add-ons. */
export const priceNames: PriceNames = {
  plans: byPlan((plan) => plan.name),
  addOns: Object.fromEntries(addOns.map(({ id, name }) => [id, name])) as Record<AddOnId, string>,
};

/** Says what the one-time work at the start costs at least. */
export const onboardingSentence = `Onboarding, once: from ${formatDollars(ONBOARDING.minimumHours * ONBOARDING.hourlyCents)} (${ONBOARDING.minimumHours} hours at ${formatDollars(ONBOARDING.hourlyCents)})`;
