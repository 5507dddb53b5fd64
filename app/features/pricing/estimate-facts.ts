import { formatCents } from "~/lib/money";
import { lineLabels, priceNames } from "./current-prices";
import type { Estimate } from "./estimate";
import { estimateLines, isShown } from "./estimate-lines";

/** Returns an estimate as a list of facts in plain text, for staff and for mails. */
export const estimateFacts = (estimate: Estimate): { term: string; detail: string }[] => [
  { term: "Plan", detail: priceNames.plans[estimate.choice.plan] },
  ...estimateLines(estimate, priceNames)
    .filter(isShown)
    .map(({ name, detail, cents }) => ({ term: lineLabels[name], detail: `${formatCents(cents)} · ${detail}` })),
  { term: "Monthly total", detail: formatCents(estimate.total) },
];
