import type { Brand } from "~/content/brand";
import { weekInWords } from "~/lib/opening-hours";
import type { Ctx } from "~/platform/context.server";
import { mergedBrand } from "./brand-settings";
import { logoImage } from "./logo/model";
import type { SiteSettings } from "./model";
import { settingsOf } from "./queries.server";

const brands = new WeakMap<object, Brand>();

/**
 * Returns what pages and mails say about the provider: the published settings over the defaults. It costs no database
 * read and never fails.
 */
export async function effectiveBrand({ publishedSettings }: Pick<Ctx, "publishedSettings">): Promise<Brand> {
  const settings = await publishedSettings();
  // Every isolate keeps the settings it has read for a while, and each page asks for the brand several times.
  const known = brands.get(settings) ?? brandOf(settingsOf({ ...settings.values, brand: settings.brand }));
  brands.set(settings, known);
  return known;
}

/** Returns what the site says about the provider by these settings. */
export const brandOf = ({ brand, siteDescription, openTimes, prices, ...settings }: SiteSettings): Brand => ({
  ...mergedBrand(brand),
  description: siteDescription,
  color: settings.brandColor,
  logo: settings.logo && logoImage(settings.logo),
  prices,
  countsViews: settings.enableAnalytics,
  keepsRequests: settings.retention.never ? null : settings.retention.days,
  domain: settings.companyDomain,
  hours: brand.hours ?? weekInWords(openTimes.week),
});
