import { onboardingTerms, type Prices } from "./plans-and-prices";

/*
 * Why clients choose the provider. The founder's story stands in the settings. The text marked "promise" goes beyond
 * the plans' terms.
 */
export const mission = "To give small organizations an IT department they can understand and afford.";

export const promise = {
  before: "If we say it’s fixed, we’ve ",
  marked: "checked",
  after: " it. If we can’t fix it, we say so and tell you who can.",
};

/**
 * Holds the sentence under the headline, after the tagline. It is true as long as each difference below has its proof.
 */
export const whyUsLead = "Every difference below links to an example you can read.";

export type Difference = {
  title: string;
  text: string;
  /** Says where a reader can check it. */
  proof: { label: string; path: string };
};

export const differences = (prices: Prices, plans: Record<"core" | "premium", string>): readonly Difference[] => [
  {
    title: "We write it down",
    text: "Every ticket, change and visit goes in a record that you can ask for and that you own.",
    proof: { label: "See a ticket", path: "/#ticket" },
  },
  {
    // Promise: who decides that a ticket is closed.
    title: "We check twice",
    text: "A ticket closes when the person who raised it agrees it’s fixed.",
    proof: { label: "See how one is closed", path: "/#ticket" },
  },
  {
    title: "One price per person",
    text: `The rates are public. ${onboardingTerms(prices)}`,
    proof: { label: "Work out your price", path: "/pricing" },
  },
  {
    title: "Rules are part of the job",
    text: "HIPAA, FERPA and the rest are built into how we set things up.",
    proof: { label: "See what each rule asks", path: "/industries#compliance" },
  },
  {
    title: "We come to you",
    text: `${plans.core} includes 16 onsite visits a year; ${plans.premium} has no limit.`,
    proof: { label: "See visits counted", path: "#letter" },
  },
  {
    title: "You can leave",
    text: "Passwords, diagrams and records are yours. Typical terms are 12 months; you can upgrade any time and downgrade at the end of a billing cycle.",
    proof: { label: "See the handover list", path: "#leave" },
  },
];

export const whyUsSections = {
  differences: { title: "What is different", text: "Six things, and where to check each one." },
  papers: { title: "What you get on paper", text: "Filled in as examples. Yours carry your name." },
};
