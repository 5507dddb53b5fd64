import {
  type AddOnId,
  addOns,
  defaultPrices,
  LAB_PERCENT,
  ONBOARDING_HOURS,
  type PlanId,
  type Prices,
  plans,
} from "~/content/plans-and-prices";
import { formatDollars, formatPrice, percentOf } from "~/lib/money";
import type { Estimate, PriceList } from "./estimate";
import type { PriceNames } from "./estimate-lines";

const byPlan = <Value>(valueOf: (plan: (typeof plans)[number]) => Value) =>
  Object.fromEntries(plans.map((plan) => [plan.id, valueOf(plan)])) as Record<PlanId, Value>;

/** Returns the prices as the estimate calculates with them. */
export const priceList = ({ plans, addOns }: Prices): PriceList => ({
  plans,
  addOns,
  labPercent: LAB_PERCENT,
  included: byPlan((plan) => plan.includes),
});

/** Holds the prices of `content/plans-and-prices.ts`, which count until the settings have others. */
export const defaultPriceList = priceList(defaultPrices());

/** Returns what a lab computer costs on Core, rounded to a dollar; the frequent questions name it. */
export const coreLabPrice = ({ plans }: Prices): string => formatDollars(percentOf(plans.core, LAB_PERCENT));

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
export const onboardingSentence = ({ onboardingHourly: rate }: Prices): string =>
  rate === null
    ? `Onboarding is billed hourly with a ${ONBOARDING_HOURS}-hour minimum; the rate is in your proposal`
    : `Onboarding, once: from ${formatPrice(ONBOARDING_HOURS * rate)} (${ONBOARDING_HOURS} hours at ${formatPrice(rate)})`;
