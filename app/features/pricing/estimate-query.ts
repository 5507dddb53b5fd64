import { type AddOnFlag, DEFAULT_PLAN, LAB_COMPUTERS, type PlanId, USERS } from "~/content/plans";
import type { Choice, PriceList } from "./estimate";

/*
 * The address of the pricing page is the whole state of the estimator: `?plan=core&users=12&lab=4&secureStorage=on`.
 * The same names are the form's fields, so that the page's script reads the form with this code too.
 */

/** A value that was not usable and was replaced by the nearest one that is. */
export type Adjusted = "plan" | "users" | "lab";

export type ReadChoice = { choice: Choice; adjusted: Adjusted[] };

/**
 * Reads a choice from parameters, whoever wrote them. Numbers out of range become the nearest limit, what is no number
 * becomes the starting value; unknown names are ignored, and of a repeated name the first counts.
 */
export function readChoice(prices: PriceList, parameters: URLSearchParams): ReadChoice {
  const plan = readPlan(prices, parameters.get("plan"));
  const users = readNumber(parameters.get("users"), USERS);
  const lab = readNumber(parameters.get("lab"), LAB_COMPUTERS);
  const addOns = flags(prices).filter((flag) => parameters.get(flag) === "on");
  const adjusted = Object.entries({ plan, users, lab }).flatMap(([name, read]) => (read.isAdjusted ? [name] : []));
  return {
    choice: { plan: plan.value, users: users.value, lab: lab.value, addOns },
    adjusted: adjusted as Adjusted[],
  };
}

/** Whether somebody chose anything, as opposed to parameters that are about something else. */
export const hasChoice = (prices: PriceList, parameters: URLSearchParams): boolean =>
  ["plan", "users", "lab", ...flags(prices)].some((name) => parameters.has(name));

/** Fields of a choice by name: the parameters of an address, or the hidden fields of a form. */
export const choiceFields = ({ plan, users, lab, addOns }: Choice): [name: string, value: string][] => [
  ["plan", plan],
  ["users", String(users)],
  ["lab", String(lab)],
  ...addOns.map((flag): [string, string] => [flag, "on"]),
];

/** The choice as a query string without the question mark; `readChoice` reads it back unchanged. */
export const choiceQuery = (choice: Choice): string => new URLSearchParams(choiceFields(choice)).toString();

const flags = (prices: PriceList) => Object.keys(prices.addOns) as AddOnFlag[];

type Read<Value> = { value: Value; isAdjusted: boolean };

function readPlan(prices: PriceList, text: string | null): Read<PlanId> {
  if (text === null) return { value: DEFAULT_PLAN, isAdjusted: false };
  const isKnown = Object.hasOwn(prices.plans, text);
  return { value: isKnown ? (text as PlanId) : DEFAULT_PLAN, isAdjusted: !isKnown };
}

const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

function readNumber(text: string | null, range: { least: number; most: number; start: number }): Read<number> {
  if (text === null) return { value: range.start, isAdjusted: false };
  const wanted = NUMBER.test(text) ? Math.trunc(Number(text)) : range.start;
  const value = Math.min(range.most, Math.max(range.least, wanted));
  return { value, isAdjusted: Number(text) !== value };
}
