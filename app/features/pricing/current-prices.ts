import { type AddOnId, addOns } from "~/content/add-ons";
import {
  defaultPrices,
  LAB_PERCENT,
  ONBOARDING_HOURS,
  type PlanId,
  type Prices,
  plans,
} from "~/content/plans-and-prices";
import { useSiteBrand } from "~/features/settings/brand";
import type { PlanNames } from "~/features/settings/model";
import { formatCents, formatPrice } from "~/lib/numbers";
import { type Estimate, estimateLines, isShown, type PriceList, type PriceNames } from "./estimate";

const byPlan = <Value>(valueOf: (plan: (typeof plans)[number]) => Value) =>
  Object.fromEntries(plans.map((plan) => [plan.id, valueOf(plan)])) as Record<PlanId, Value>;

export const priceList = ({ plans, addOns }: Prices): PriceList => ({
  plans,
  addOns,
  labPercent: LAB_PERCENT,
  included: byPlan((plan) => plan.includes),
});

/** They count until the settings have others. */
export const defaultPriceList = priceList(defaultPrices());

export const lineLabels: Record<keyof Estimate["breakdown"], string> = {
  fullUsers: "Full-time users",
  labDevices: "Lab devices",
  addOns: "Add-ons",
};

const addOnNames = Object.fromEntries(addOns.map(({ id, name }) => [id, name])) as Record<AddOnId, string>;

export const priceNames = (plans: PlanNames): PriceNames => ({ plans, addOns: addOnNames });

export const useSitePriceNames = (): PriceNames => priceNames(useSiteBrand().planNames);

export const onboardingSentence = ({ onboardingHourly: rate }: Prices): string =>
  rate === null
    ? `Onboarding is billed hourly with a ${ONBOARDING_HOURS}-hour minimum; the rate is in your proposal`
    : `Onboarding, once: from ${formatPrice(ONBOARDING_HOURS * rate)} (${ONBOARDING_HOURS} hours at ${formatPrice(rate)})`;

export const estimateFacts = (estimate: Estimate, names: PlanNames): { term: string; detail: string }[] => [
  { term: "Plan", detail: names[estimate.choice.plan] },
  ...estimateLines(estimate, priceNames(names))
    .filter(isShown)
    .map(({ name, detail, cents }) => ({ term: lineLabels[name], detail: `${formatCents(cents)} · ${detail}` })),
  { term: "Monthly total", detail: formatCents(estimate.total) },
];
