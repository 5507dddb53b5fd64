import * as z from "zod";
import { type AddOnId, addOns, ONBOARDING_HOURS, type PlanId, plans } from "~/content/plans-and-prices";
import { PRICE_MAX } from "~/features/settings/prices.server";
import { formatPrice } from "~/lib/money";
import { orNothing, settingsGroup } from "../group.server";

const PRICE = /^\$?\s*(\d{1,3}(?:,?\d{3})*|\d+)(?:\.(\d+))?$/;

/** Reads an amount in dollars, as whole cents. */
const price = (label: string) => z.string().transform(amountReader(label));

/** Returns what turns a text into cents, or says what is wrong with it. */
function amountReader(label: string) {
  return (text: string, issues: z.RefinementCtx): number => {
    const [, dollars = "", cents = ""] = PRICE.exec(text.trim()) ?? [];
    const amount = Number(dollars.replaceAll(",", "")) * 100 + Number(cents.padEnd(2, "0"));
    const reject = (message: string) => {
      issues.addIssue({ code: "custom", message: `${label}: ${message}` });
      return z.NEVER;
    };
    if (dollars === "") return reject("enter an amount in dollars, such as 79 or 79.50");
    if (cents.length > 2)
      return reject(`prices are whole cents, with at most two decimals; ${text.trim()} has ${cents.length}`);
    if (amount < 1 || amount > PRICE_MAX) return reject(`enter an amount from $0.01 to ${formatPrice(PRICE_MAX)}`);
    return amount;
  };
}

const priceText = (cents: number) => formatPrice(cents).replace(/[$,]/g, "");
const RATE = "Onboarding, per hour";

const priced = [
  ...plans.map(({ id, name }) => ({ name: `plan_${id}`, label: `${name}, per user and month` })),
  ...addOns.map(({ id, name }) => ({ name: `addon_${id}`, label: `${name}, per month` })),
];

/** Groups the settings of what things cost. Estimates and quotes keep the prices of the day they were made. */
export const pricesGroup = settingsGroup({
  text: "In US dollars. The pricing page, the estimator and the texts that name a price follow within a minute; estimates that were sent keep theirs.",
  fields: [
    ...priced.map((field) => ({ ...field, kind: "amount" as const })),
    {
      name: "onboarding_rate",
      kind: "amount",
      label: RATE,
      hint: `At least ${ONBOARDING_HOURS} hours. Empty: pages say that the rate is in the proposal.`,
      optional: true,
    },
  ],
  keys: ["prices"],
  schema: z
    .object({
      ...Object.fromEntries(priced.map(({ name, label }) => [name, price(label)])),
      onboarding_rate: orNothing(amountReader(RATE)),
    })
    .transform((input) => ({
      plans: byId<PlanId>(plans, input, "plan"),
      addOns: byId<AddOnId>(addOns, input, "addon"),
      onboardingHourly: input.onboarding_rate,
    })),
  values: ({ prices }) => ({
    ...Object.fromEntries(plans.map(({ id }) => [`plan_${id}`, priceText(prices.plans[id])])),
    ...Object.fromEntries(addOns.map(({ id }) => [`addon_${id}`, priceText(prices.addOns[id])])),
    onboarding_rate: prices.onboardingHourly === null ? "" : priceText(prices.onboardingHourly),
  }),
  apply: (prices) => ({ prices }),
});

function byId<Id extends string>(priced: readonly { id: Id }[], input: object, prefix: string): Record<Id, number> {
  const read = input as Record<string, number>;
  return Object.fromEntries(priced.map(({ id }) => [id, read[`${prefix}_${id}`]])) as Record<Id, number>;
}
