import { LAB_PERCENT } from "./plans-and-prices";
import type { Feature } from "./services";

/**
 * Lists the questions about prices and terms. `{lab price}` stands for what a lab computer costs on Core: "$52".
 *
 * The answers on the basic package, on visits and on upgrades are promises beyond the plans' own lines: whoever runs
 * this site must be able to keep them.
 */
export const pricingQuestions: readonly Feature[] = [
  {
    title: "What does the basic cybersecurity package include?",
    text: "Managed antivirus, automatic updates, email filtering and two-step sign-in for every user. Every plan includes it.",
  },
  {
    title: "How are lab or shared computers billed?",
    text: `At ${LAB_PERCENT}% of your plan’s per-user rate. On {core} that is about {lab price} a month for each shared computer.`,
  },
  {
    title: "Is there a minimum term?",
    text: "Agreements typically run 12 months. We are flexible when your funding year or lease says otherwise.",
  },
  {
    title: "What do onsite visits cover?",
    text: "Hands-on work that can’t be done remotely: new equipment, cabling, printers, network faults and planned check-ups.",
  },
  { title: "Can we upgrade?", text: "Yes, at any time. The new rate starts the day the plan changes." },
  { title: "Can we downgrade?", text: "Yes. It takes effect at the end of the billing cycle." },
];
