import type { AddOnId, PlanId } from "~/content/plans-and-prices";
import { formatDollars, formatPrice, percentOf } from "~/lib/money";
import type { Estimate, PriceList } from "./estimate";

/** Holds the names of plans and add-ons. Passed in, so that the page's script need not carry all texts of the plans. */
export type PriceNames = { plans: Record<PlanId, string>; addOns: Record<AddOnId, string> };

type EstimateLine = {
  name: keyof Estimate["breakdown"];
  /** Explains how the amount comes about. */
  detail: string;
  cents: number;
};

/** Returns the breakdown in words. Users are always shown; the other lines only where they cost something. */
export function estimateLines({ choice, rate, labPercent, breakdown }: Estimate, names: PriceNames): EstimateLine[] {
  return [
    {
      name: "fullUsers",
      detail: `${choice.users} × ${formatPrice(rate)}`,
      cents: breakdown.fullUsers,
    },
    {
      name: "labDevices",
      detail: `${choice.lab} × ${labPriceText(rate, labPercent)}`,
      cents: breakdown.labDevices,
    },
    {
      name: "addOns",
      detail: choice.addOns.map((id) => names.addOns[id]).join(", "),
      cents: breakdown.addOns,
    },
  ];
}

/** Tells whether a line is shown: full-time users always, everything else if it costs something. */
export const isShown = ({ name, cents }: EstimateLine): boolean => name === "fullUsers" || cents > 0;

/**
 * Returns what one lab computer costs, rounded to read easily: "about $28 (35% of $79)". The total is made of
 * exact cents.
 */
export const labPriceText = (rate: number, labPercent: number): string =>
  `about ${formatDollars(percentOf(rate, labPercent))} (${labPercent}% of ${formatPrice(rate)})`;

/** Returns what an add-on costs on a plan: "+$200", or "Included" where the plan contains it. */
export const addOnPriceText = (prices: PriceList, plan: PlanId, id: AddOnId): string =>
  prices.included[plan].includes(id) ? "Included" : `+${formatPrice(prices.addOns[id])}`;
