import { formatPrice } from "~/lib/numbers";
import { type AddOnId, addOns } from "./add-ons";

/*
 * The plans with their price per user, and the terms that go with them. All prices are in whole cents.
 */
export type PlanId = "basic" | "core" | "premium";

export type Plan = {
  id: PlanId;
  name: string;
  /** Holds one line on who it suits. */
  suits: string;
  /** Holds the price per full-time user. */
  monthlyCents: number;
  features: readonly string[];
  /** Holds the words above the name of the one plan that stands out. */
  highlight?: string;
  /** Lists the add-ons that the plan contains already. */
  includes: readonly AddOnId[];
};

export const plans: readonly Plan[] = [
  {
    id: "basic",
    name: "Basic",
    suits: "For offices that mostly need someone to call.",
    monthlyCents: 7_900,
    features: [
      "Essential cybersecurity",
      "Business-hours helpdesk",
      "Support for up to 5 security camera devices",
      "Network support",
    ],
    includes: [],
  },
  {
    id: "core",
    name: "Core",
    suits: "The whole IT department.",
    monthlyCents: 14_900,
    features: [
      "Full managed IT",
      "Compliance and backups",
      "Endpoint and printer support",
      "16 onsite visits a year",
      "5 after-hours incidents a year, 4-hour response",
      "24/7 emergency coverage",
    ],
    highlight: "Our usual starting point",
    includes: [],
  },
  {
    id: "premium",
    name: "Premium",
    suits: "{core}, plus the web and a plan for next year.",
    monthlyCents: 22_900,
    features: [
      "Everything in {core}",
      "Website and digital services",
      "Custom workflows",
      "Unlimited onsite visits",
      "Strategic consulting",
      "Full 24/7 support",
    ],
    includes: ["webServices", "extraOnsiteVisits", "extraAfterHoursSupport"],
  },
];

/**
 * Holds what the settings may change of all this, in whole cents. `onboardingHourly` null: named in the proposal only.
 */
export type Prices = {
  plans: Record<PlanId, number>;
  addOns: Record<AddOnId, number>;
  onboardingHourly: number | null;
};

const centsOf = <Id extends string>(priced: readonly { id: Id; monthlyCents: number }[]) =>
  Object.fromEntries(priced.map(({ id, monthlyCents }) => [id, monthlyCents])) as Record<Id, number>;

/** Sets the share of a user's price that a lab or shared computer costs. */
export const LAB_PERCENT = 35;

export const DEFAULT_PLAN: PlanId = "core";
export const USERS = { min: 1, max: 50, initial: 5 } as const;
export const LAB_COMPUTERS = { min: 0, max: 30, initial: 0 } as const;

/** Sets how long the one-time work at the start takes at least. Its rate is named wherever this is. */
export const ONBOARDING_HOURS = 20;

export const defaultPrices = (): Prices => ({
  plans: centsOf(plans),
  addOns: centsOf(addOns),
  onboardingHourly: 9_500,
});

/*
 * Terms that go with every plan, worded once for all pages that state them. Functions, so that the script of the
 * pricing page, which needs only the numbers of this file, is built without them.
 */
export const networkGearTerms = (networkBrand: string): string =>
  `managed-service clients move their network gear to ${networkBrand} within 90 days of onboarding.`;
export const onboardingTerms = ({ onboardingHourly }: Prices): string =>
  `There are no setup fees. Onboarding is billed hourly with a ${ONBOARDING_HOURS}-hour minimum${
    onboardingHourly === null ? "; the rate is in your proposal." : `, at ${formatPrice(onboardingHourly)} an hour.`
  }`;

export const pricingNote = (networkBrand: string, prices: Prices) => ({
  title: "Before you sign:",
  text: `${networkBrand ? `New ${networkGearTerms(networkBrand)} ` : ""}${onboardingTerms(prices)}`,
});
