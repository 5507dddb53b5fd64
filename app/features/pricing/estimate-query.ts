import { type AddOnId, DEFAULT_PLAN, LAB_COMPUTERS, type PlanId, USERS } from "~/content/plans-and-prices";
import type { Choice, PriceList } from "./estimate";

/*
 * The address of the pricing page is the whole state of the estimator: `?plan=core&users=12&lab=4&secureStorage=on`.
 * The same names are the form's fields, so that the page's script reads the form with this code too.
 */

/**
 * Reads a choice from parameters, whoever wrote them. Numbers out of range become the nearest limit, what is no number
 * becomes the starting value; unknown names are ignored, and of a repeated name the first counts.
 */
export function readChoice(prices: PriceList, parameters: URLSearchParams): Choice {
  const plan = parameters.get("plan") ?? "";
  return {
    plan: Object.hasOwn(prices.plans, plan) ? (plan as PlanId) : DEFAULT_PLAN,
    users: readNumber(parameters.get("users"), USERS),
    lab: readNumber(parameters.get("lab"), LAB_COMPUTERS),
    addOns: addOnIds(prices).filter((id) => parameters.get(id) === "on"),
  };
}

const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

function readNumber(text: string | null, range: { min: number; max: number; initial: number }): number {
  const requested = text !== null && NUMBER.test(text) ? Math.trunc(Number(text)) : range.initial;
  return Math.min(range.max, Math.max(range.min, requested));
}

/** Names a given value that was not usable and was replaced by one that is. */
export type Adjusted = "plan" | "users" | "lab";

/** Lists which of the given values `readChoice` had to replace. */
export function adjustedIn(parameters: URLSearchParams, choice: Choice): Adjusted[] {
  const isUsed = {
    plan: parameters.get("plan") === choice.plan,
    users: Number(parameters.get("users")) === choice.users,
    lab: Number(parameters.get("lab")) === choice.lab,
  };
  return (["plan", "users", "lab"] as const).filter((name) => parameters.has(name) && !isUsed[name]);
}

/** Tells whether somebody chose anything, as opposed to parameters that are about something else. */
export const hasChoice = (prices: PriceList, parameters: URLSearchParams): boolean =>
  ["plan", "users", "lab", ...addOnIds(prices)].some((name) => parameters.has(name));

/** Lists the fields of a choice by name: the parameters of an address, or the hidden fields of a form. */
export const choiceFields = ({ plan, users, lab, addOns }: Choice): [name: string, value: string][] => [
  ["plan", plan],
  ["users", String(users)],
  ["lab", String(lab)],
  ...addOns.map((id): [string, string] => [id, "on"]),
];

/** Returns the choice as a query string without the question mark; `readChoice` reads it back unchanged. */
export const choiceQuery = (choice: Choice): string => new URLSearchParams(choiceFields(choice)).toString();

const addOnIds = (prices: PriceList) => Object.keys(prices.addOns) as AddOnId[];
