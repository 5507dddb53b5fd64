import { type AddOnId, DEFAULT_PLAN, LAB_COMPUTERS, type PlanId, USERS } from "~/content/plans-and-prices";
import type { Choice, PriceList } from "./estimate";

/*
 * The address of the pricing page is the whole state of the estimator: `?plan=core&users=12&lab=4&secureStorage=on`.
 * The same names are the form's fields, so that the page's script reads the form with this code too.
 */

/**
 * Reads a choice from parameters, whoever wrote them. Numbers out of range become the nearest limit, what is no number
 * becomes the starting value; unknown names are ignored, and of a repeated name the first counts. An add-on that the
 * plan contains is left out, because it costs nothing.
 */
export function readChoice(prices: PriceList, parameters: URLSearchParams): Choice {
  const given = parameters.get("plan") ?? "";
  const plan = Object.hasOwn(prices.plans, given) ? (given as PlanId) : DEFAULT_PLAN;
  return {
    plan,
    users: readNumber(parameters.get("users"), USERS),
    lab: readNumber(parameters.get("lab"), LAB_COMPUTERS),
    addOns: addOnIds(prices).filter((id) => parameters.get(id) === "on" && !prices.included[plan].includes(id)),
  };
}

/** Limits a number of the estimator. `initial` counts as long as none is given. */
type NumberRange = { min: number; max: number; initial: number };

/** Holds the numbers of the estimator by the name of their field. */
export const NUMBER_RANGES = { users: USERS, lab: LAB_COMPUTERS } as const;

const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

const isNumber = (text: string | null): text is string => text !== null && NUMBER.test(text);

function readNumber(text: string | null, range: NumberRange): number {
  const requested = isNumber(text) ? Math.trunc(Number(text)) : range.initial;
  return Math.min(range.max, Math.max(range.min, requested));
}

/**
 * Returns what to say beside a number that cannot be counted as it was given: why, and what is counted instead. Empty
 * when there is nothing to say. An emptied field is asked for.
 */
export function numberNote(text: string | null, range: NumberRange): string {
  if (text === null) return "";
  const counted = readNumber(text, range);
  if (!isNumber(text)) return `Enter a number from ${range.min} to ${range.max}. Until then we count ${counted}.`;
  if (Number(text) === counted) return "";
  const reason =
    Number(text) > range.max
      ? `${range.max} is the most`
      : Number(text) < range.min
        ? `${range.min} is the fewest`
        : "Whole numbers only";
  return `${reason}: we count ${counted}.`;
}

/** Returns what the field of a number shows: the number that counts, or nothing where none was given. */
export const shownNumber = (text: string | null, counted: number): string =>
  text === null || isNumber(text) ? String(counted) : "";

/** Names a given value that was out of range and was replaced by one that is not. */
export type AdjustedField = "plan" | "users" | "lab";

/** Lists which of the given values `readChoice` had to replace. A number that is missing is asked for instead. */
export function adjustedIn(parameters: URLSearchParams, choice: Choice): AdjustedField[] {
  const isUsed = {
    plan: parameters.get("plan") === choice.plan,
    users: !isNumber(parameters.get("users")) || Number(parameters.get("users")) === choice.users,
    lab: !isNumber(parameters.get("lab")) || Number(parameters.get("lab")) === choice.lab,
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

/** Returns the address at which a choice is estimated again, at the prices of that day. */
export const estimatePath = (choice: Choice): string => `/pricing?${choiceQuery(choice)}#estimate`;

const addOnIds = (prices: PriceList) => Object.keys(prices.addOns) as AddOnId[];
