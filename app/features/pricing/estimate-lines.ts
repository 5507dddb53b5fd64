import type { AddOnFlag, PlanId } from "~/content/plans";
import { formatDollars, percentOf } from "~/lib/money";
import type { Estimate } from "./estimate";

/** What plans and add-ons are called. Passed in, so that the page's script need not carry all texts of the plans. */
export type Names = { plans: Record<PlanId, string>; addOns: Record<AddOnFlag, string> };

type EstimateLine = {
  name: keyof Estimate["breakdown"];
  /** How the amount comes about. */
  detail: string;
  cents: number;
};

/** The breakdown in words. Users are always shown; the other lines only where they cost something. */
export function estimateLines({ choice, rate, labPercent, breakdown }: Estimate, names: Names): EstimateLine[] {
  return [
    {
      name: "fullUsers",
      detail: `${choice.users} × ${formatDollars(rate)}`,
      cents: breakdown.fullUsers,
    },
    {
      name: "labDevices",
      detail: `${choice.lab} × ${labPriceText(rate, labPercent)}`,
      cents: breakdown.labDevices,
    },
    {
      name: "addOns",
      detail: choice.addOns.map((flag) => names.addOns[flag]).join(", "),
      cents: breakdown.addOns,
    },
  ];
}

export const isShown = ({ name, cents }: EstimateLine): boolean => name === "fullUsers" || cents > 0;

/** What one lab computer costs, rounded for the eye: "about $28 (35% of $79)". The total is made of exact cents. */
export const labPriceText = (rate: number, labPercent: number): string =>
  `about ${formatDollars(percentOf(rate, labPercent))} (${labPercent}% of ${formatDollars(rate)})`;
