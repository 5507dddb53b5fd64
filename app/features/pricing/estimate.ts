import type { AddOnId, PlanId } from "~/content/plans-and-prices";
import { percentOf } from "~/lib/money";

/*
 * Pure arithmetic in whole cents. It runs on the server and, as the same code, in the script of the pricing page, so it
 * imports types and numbers only: texts would double the size of that script.
 */

/** Holds what everything costs in a month, and what a plan contains already. */
export type PriceList = {
  plans: Record<PlanId, number>;
  addOns: Record<AddOnId, number>;
  /** Says which share of the price of a user a lab computer costs. */
  labPercent: number;
  /** Lists the add-ons that the plan contains already. */
  included: Record<PlanId, readonly AddOnId[]>;
};

/** Holds what a visitor chose. Numbers are whole and within the estimator's limits. */
export type Choice = { plan: PlanId; users: number; lab: number; addOns: readonly AddOnId[] };

/**
 * Holds a choice with what it costs in a month, in cents, and the prices it was made with: it can be stored as it is.
 */
export type Estimate = {
  choice: Choice;
  /** Holds the price of one user. */
  rate: number;
  labPercent: number;
  breakdown: { fullUsers: number; labDevices: number; addOns: number };
  total: number;
};

/** Adds up users × rate, lab computers × their share of the rate, and the add-ons. Every chosen add-on is counted. */
export function estimate(prices: PriceList, choice: Choice): Estimate {
  const rate = prices.plans[choice.plan];
  const { labPercent } = prices;
  const fullUsers = choice.users * rate;
  // Rounded once, over all computers: rounded prices of each would add up to something else.
  const labDevices = percentOf(choice.lab * rate, labPercent);
  const addOns = choice.addOns.reduce((sum, id) => sum + prices.addOns[id], 0);
  const total = fullUsers + labDevices + addOns;
  return { choice, rate, labPercent, breakdown: { fullUsers, labDevices, addOns }, total };
}

/** Returns the same choice on another plan, without the add-ons which that plan contains. */
export function withPlan(prices: PriceList, choice: Choice, plan: PlanId): Choice {
  if (plan === choice.plan) return choice;
  return { ...choice, plan, addOns: choice.addOns.filter((id) => !prices.included[plan].includes(id)) };
}
