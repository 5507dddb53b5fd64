import { type AddOnFlag, addOns, LAB_PERCENT, ONBOARDING, type PlanId, plans } from "~/content/plans";
import { formatCents } from "~/lib/money";
import type { PriceList } from "./estimate";

const byPlan = <Value>(valueOf: (plan: (typeof plans)[number]) => Value) =>
  Object.fromEntries(plans.map((plan) => [plan.id, valueOf(plan)])) as Record<PlanId, Value>;

/** The prices of the content folder. */
export const defaultPrices: PriceList = {
  plans: byPlan((plan) => plan.monthlyCents),
  addOns: Object.fromEntries(addOns.map(({ flag, monthlyCents }) => [flag, monthlyCents])) as Record<AddOnFlag, number>,
  labPercent: LAB_PERCENT,
  included: byPlan((plan) => plan.includes),
};

/** The one-time work at the start, in a sentence: with its price where an hourly rate is known. */
export function onboardingSentence({ minimumHours, hourlyCents } = ONBOARDING): string {
  return hourlyCents === null
    ? `Onboarding is billed hourly with a ${minimumHours}-hour minimum; the rate is in your proposal`
    : `Onboarding, once: from ${formatCents(minimumHours * hourlyCents)} (${minimumHours} hours at ${formatCents(hourlyCents)})`;
}

/** Names of the chosen add-ons, in the order of the list. */
export const addOnNames = (flags: readonly AddOnFlag[]): string =>
  addOns
    .filter(({ flag }) => flags.includes(flag))
    .map(({ name }) => name)
    .join(", ");

export const planName = (id: PlanId): string => plans.find((plan) => plan.id === id)?.name ?? id;
