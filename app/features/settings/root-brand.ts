import type { Brand } from "~/content/brand";
import { invariant } from "~/lib/assert";
import { routeErrorText } from "~/lib/error-texts";

/** Describes what every page has of the brand. To pages that run scripts it is sent a second time, so it is no more. */
export type PageBrand = Pick<Brand, "name" | "phone" | "supportEmail" | "hours" | "color" | "initial" | "logo">;

/** Returns what a page that runs scripts has of the brand. */
export const pageBrandOf = ({ name, phone, supportEmail, hours, color, initial, logo }: Brand): PageBrand => ({
  name,
  phone,
  supportEmail,
  hours,
  color,
  initial,
  logo,
});

/**
 * Returns the brand that the root gave the document, for titles. It is always there: reading it never fails, and
 * without the root no page is rendered. So browsers need not load the defaults.
 */
export function rootBrand(matches: readonly { id: string; data?: unknown }[]): PageBrand {
  const root = matches.find(({ id }) => id === "root")?.data as { brand?: PageBrand } | undefined;
  invariant(root?.brand, "The root has loaded the brand");
  return root.brand;
}

/** Returns all of the brand, of which a page without scripts has everything. */
export const siteBrand = (matches: Parameters<typeof rootBrand>[0]): Brand => rootBrand(matches) as Brand;

/** Describes what the `meta` of a page gets of it. */
type TitledPage = { matches: Parameters<typeof rootBrand>[0]; data?: unknown; error?: unknown };

/**
 * Returns the `meta` of a page of the admin area: its title, which begins with "Error:" where a form of it was rejected
 * (`hasErrors` of its data), and the name of the company. A page that cannot be shown is named by what it says instead.
 */
export const adminTitle = (page: TitledPage, title: string) => areaTitle(page, title, "Admin");

/** Returns the `meta` of a page of the portal, as `adminTitle` does of the admin area. */
export const portalTitle = (page: TitledPage, title: string) => areaTitle(page, title, "Portal");

function areaTitle({ matches, data, error }: TitledPage, title: string, area: "Admin" | "Portal") {
  const hasErrors = (data as { hasErrors?: boolean } | null | undefined)?.hasErrors;
  const shown = error ? routeErrorText(error).title : title;
  return [{ title: `${hasErrors ? "Error: " : ""}${shown} | ${rootBrand(matches).name} ${area}` }];
}
