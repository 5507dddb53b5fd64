import * as z from "zod";
import { type AddOnId, addOns } from "~/content/add-ons";
import { type Estimate, estimate, hasChoice, type PriceList, readChoice } from "./estimate";

const ADD_ON_IDS = addOns.map(({ id }) => id);
const cents = z.number().int().nonnegative();

/** What does not fit, such as one of an earlier format, counts as none. */
const Stored = z.object({
  choice: z.object({
    plan: z.enum(["basic", "core", "premium"]),
    users: z.number().int(),
    lab: z.number().int(),
    addOns: z.array(z.enum(ADD_ON_IDS as [AddOnId, ...AddOnId[]])),
  }),
  rate: cents,
  labPercent: z.number(),
  breakdown: z.object({ fullUsers: cents, labDevices: cents, addOns: cents }),
  total: cents,
});

/** Priced now. Null when there was none. */
export function estimateFrom(prices: PriceList, parameters: URLSearchParams): Estimate | null {
  if (!hasChoice(prices, parameters)) return null;
  return estimate(prices, readChoice(prices, parameters));
}

export function readStoredEstimate(text: string | null): Estimate | null {
  if (text === null) return null;
  const parsed = Stored.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
