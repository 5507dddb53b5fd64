import type { AddOnId } from "~/content/add-ons";
import { DEFAULT_PLAN, LAB_COMPUTERS, type PlanId, USERS } from "~/content/plans-and-prices";
import { formatDollars, formatPrice, percentOfCents } from "~/lib/numbers";

/*
 * Pure arithmetic in whole cents. It runs on the server and, as the same code, in the script of the pricing page, so it
 * imports types and numbers only: texts would double the size of that script.
 */

export type PriceList = {
  plans: Record<PlanId, number>;
  addOns: Record<AddOnId, number>;
  labPercent: number;
  included: Record<PlanId, readonly AddOnId[]>;
};

export type Choice = { plan: PlanId; users: number; lab: number; addOns: readonly AddOnId[] };

/** In a month, in cents, with the prices it was made with: it can be stored as it is. */
export type Estimate = {
  choice: Choice;
  rate: number;
  labPercent: number;
  breakdown: { fullUsers: number; labDevices: number; addOns: number };
  total: number;
};

export function estimate(prices: PriceList, choice: Choice): Estimate {
  const rate = prices.plans[choice.plan];
  const { labPercent } = prices;
  const fullUsers = choice.users * rate;
  // Rounded once, over all computers: rounded prices of each would add up to something else.
  const labDevices = percentOfCents(choice.lab * rate, labPercent);
  const addOns = choice.addOns.reduce((sum, id) => sum + prices.addOns[id], 0);
  const total = fullUsers + labDevices + addOns;
  return { choice, rate, labPercent, breakdown: { fullUsers, labDevices, addOns }, total };
}

/** Without the add-ons which that plan contains. */
export function withPlan(prices: PriceList, choice: Choice, plan: PlanId): Choice {
  if (plan === choice.plan) return choice;
  return { ...choice, plan, addOns: choice.addOns.filter((id) => !prices.included[plan].includes(id)) };
}

/** Passed in, so that the page's script need not carry all texts of the plans. */
export type PriceNames = { plans: Record<PlanId, string>; addOns: Record<AddOnId, string> };

type EstimateLine = {
  name: keyof Estimate["breakdown"];
  detail: string;
  cents: number;
};

/** Users are always shown; the other lines only where they cost something. */
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

export const isShown = ({ name, cents }: EstimateLine): boolean => name === "fullUsers" || cents > 0;

/** Rounded to read easily: "about $28 (35% of $79)". The total is made of exact cents. */
export const labPriceText = (rate: number, labPercent: number): string =>
  `about ${formatDollars(percentOfCents(rate, labPercent))} (${labPercent}% of ${formatPrice(rate)})`;

/** "+$200", or "Included" where the plan contains it */
export const addOnPriceText = (prices: PriceList, plan: PlanId, id: AddOnId): string =>
  prices.included[plan].includes(id) ? "Included" : `+${formatPrice(prices.addOns[id])}`;

/*
 * The address of the pricing page is the whole state of the estimator: `?plan=core&users=12&lab=4&secureStorage=on`.
 * The same names are the form's fields, so that the page's script reads the form with this code too.
 */

/** An add-on that the plan contains is left out: it costs nothing. */
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

/** `initial` counts as long as none is given. */
type NumberRange = { min: number; max: number; initial: number };

export const NUMBER_RANGES = { users: USERS, lab: LAB_COMPUTERS } as const;

const NUMBER = /^\s*[+-]?\d+(\.\d+)?\s*$/;

const isNumber = (text: string | null): text is string => text !== null && NUMBER.test(text);

function readNumber(text: string | null, range: NumberRange): number {
  const requested = isNumber(text) ? Math.trunc(Number(text)) : range.initial;
  return Math.min(range.max, Math.max(range.min, requested));
}

/**
 * Why it cannot be counted as given, and what is counted instead; empty: nothing to say. An emptied field is asked for.
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

export const shownNumber = (text: string | null, counted: number): string =>
  text === null || isNumber(text) ? String(counted) : "";

export type AdjustedField = "plan" | "users" | "lab";

/** A number that is missing is asked for instead. */
export function adjustedIn(parameters: URLSearchParams, choice: Choice): AdjustedField[] {
  const isUsed = {
    plan: parameters.get("plan") === choice.plan,
    users: !isNumber(parameters.get("users")) || Number(parameters.get("users")) === choice.users,
    lab: !isNumber(parameters.get("lab")) || Number(parameters.get("lab")) === choice.lab,
  };
  return (["plan", "users", "lab"] as const).filter((name) => parameters.has(name) && !isUsed[name]);
}

export const hasChoice = (prices: PriceList, parameters: URLSearchParams): boolean =>
  ["plan", "users", "lab", ...addOnIds(prices)].some((name) => parameters.has(name));

export const choiceFields = ({ plan, users, lab, addOns }: Choice): [name: string, value: string][] => [
  ["plan", plan],
  ["users", String(users)],
  ["lab", String(lab)],
  ...addOns.map((id): [string, string] => [id, "on"]),
];

export const choiceQuery = (choice: Choice): string => new URLSearchParams(choiceFields(choice)).toString();

export const estimatePath = (choice: Choice): string => `/pricing?${choiceQuery(choice)}#estimate`;

const addOnIds = (prices: PriceList) => Object.keys(prices.addOns) as AddOnId[];
