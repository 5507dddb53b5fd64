import { LAB_PERCENT } from "./plans-and-prices";

export type FrequentQuestion = { question: string; answer: string };

/**
 * Returns the questions about prices and terms. `coreLabPrice` is what a lab computer costs on Core, such as "$52".
 *
 * The answers on the basic package, on visits and on upgrades are promises beyond the plans' own lines: whoever runs
 * this site must be able to keep them.
 */
export const pricingQuestions = (coreLabPrice: string): readonly FrequentQuestion[] => [
  {
    question: "What does the basic cybersecurity package include?",
    answer:
      "Managed antivirus, automatic updates, email filtering and two-step sign-in for every user. Every plan includes it.",
  },
  {
    question: "How are lab or shared computers billed?",
    answer: `At ${LAB_PERCENT}% of your plan’s per-user rate. On Core that is about ${coreLabPrice} a month for each shared computer.`,
  },
  {
    question: "Is there a minimum term?",
    answer: "Agreements typically run 12 months. We are flexible when your funding year or lease says otherwise.",
  },
  {
    question: "What do onsite visits cover?",
    answer:
      "Hands-on work that can’t be done remotely: new equipment, cabling, printers, network faults and planned check-ups.",
  },
  { question: "Can we upgrade?", answer: "Yes, at any time. The new rate starts the day the plan changes." },
  { question: "Can we downgrade?", answer: "Yes. It takes effect at the end of the billing cycle." },
];
