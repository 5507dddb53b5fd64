import { useMatches } from "@remix-run/react";
import type { Brand } from "~/content/brand";
import { routeErrorText } from "~/lib/error-texts";
import { invariant } from "~/lib/errors";
import type { PlanNames, SiteContent } from "./model";

/** What public pages know of the company: its facts, and what they say. */
export type SiteBrand = Brand & { content: SiteContent; planNames: PlanNames };

const PAGE_FACTS = ["name", "phone", "supportEmail", "hours", "color", "initial", "logo", "planNames"] as const;

/** Sent a second time to pages that run scripts, so it is no more than they need. */
type PageBrand = Pick<SiteBrand, (typeof PAGE_FACTS)[number]>;

export const pageBrandOf = (brand: SiteBrand): PageBrand =>
  Object.fromEntries(PAGE_FACTS.map((fact) => [fact, brand[fact]])) as PageBrand;

/** For titles: without the root no page is rendered, so browsers need not load the defaults. */
export function rootBrand(matches: readonly { id: string; data?: unknown }[]): PageBrand {
  const root = matches.find(({ id }) => id === "root")?.data as { brand?: PageBrand } | undefined;
  invariant(root?.brand, "The root has loaded the brand");
  return root.brand;
}

export const siteBrand = (matches: Parameters<typeof rootBrand>[0]): SiteBrand => rootBrand(matches) as SiteBrand;

type TitledPage = { matches: Parameters<typeof rootBrand>[0]; data?: unknown; error?: unknown };

/**
 * The title begins with "Error:" where a form was rejected (`hasErrors`); a page that cannot be shown has its error's
 * name.
 */
export const adminTitle = (page: TitledPage, title: string) => areaTitle(page, title, "Admin");

export const portalTitle = (page: TitledPage, title: string) => areaTitle(page, title, "Portal");

/** Tells whether the loader has said that a form was rejected. */
export const hasErrors = (data: unknown): boolean =>
  Boolean((data as { hasErrors?: boolean } | null | undefined)?.hasErrors);

function areaTitle({ matches, data, error }: TitledPage, title: string, area: "Admin" | "Portal") {
  const shown = error ? routeErrorText(error).title : title;
  return [{ title: `${hasErrors(data) ? "Error: " : ""}${shown} | ${rootBrand(matches).name} ${area}` }];
}

export const useBrand = (): PageBrand => rootBrand(useMatches());

export const useSiteBrand = (): SiteBrand => siteBrand(useMatches());
