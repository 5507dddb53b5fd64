import * as z from "zod";
import type { Prices } from "~/content/plans-and-prices";

/** Limits a price, in cents. */
export const PRICE_MAX = 10_000_000;

const cents = z.int().min(1).max(PRICE_MAX);

/** Reads saved prices. */
export const StoredPrices: z.ZodType<Prices> = z.object({
  plans: z.object({ basic: cents, core: cents, premium: cents }),
  addOns: z.object({
    webServices: cents,
    extraOnsiteVisits: cents,
    extraAfterHoursSupport: cents,
    additionalCameraSupport: cents,
    secureStorage: cents,
  }),
  onboardingHourly: cents.nullable(),
});
