import { useMatches } from "@remix-run/react";
import type { Brand, LogoImage } from "~/content/brand";
import { routeErrorText } from "~/lib/error-texts";
import { invariant } from "~/lib/errors";
import { type PlanNames, type SiteContent, saysName } from "./model";

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

function areaTitle({ matches, data, error }: TitledPage, title: string, area: "Admin" | "Portal") {
  const hasErrors = (data as { hasErrors?: boolean } | null | undefined)?.hasErrors;
  const shown = error ? routeErrorText(error).title : title;
  return [{ title: `${hasErrors ? "Error: " : ""}${shown} | ${rootBrand(matches).name} ${area}` }];
}

export const useBrand = (): PageBrand => rootBrand(useMatches());

export const useSiteBrand = (): SiteBrand => siteBrand(useMatches());

const HEIGHT = 2;
const MAX_WIDTH = 9;

/** On white where the page is dark, because nobody knows its colours. It holds nothing that HTML would escape. */
export function logoStyle(logo: LogoImage | null): string {
  if (!logo) return "";
  const width = Math.round(Math.min(MAX_WIDTH, HEIGHT * (logo.width / logo.height)) * 1000) / 1000;
  const plate = "background-color:#fff;outline:3px solid #fff;border-radius:2px";
  const mark = "[data-logo] svg";
  return [
    `${mark}{width:${width}rem;height:${HEIGHT}rem;background:url(${logo.src}) left center/contain no-repeat;print-color-adjust:exact}`,
    `${mark} path{display:none}`,
    `.on-deep ${mark},[data-theme=dark] ${mark}{${plate}}`,
    `@media screen and (prefers-color-scheme:dark){:root:not([data-theme]) ${mark}{${plate}}}`,
    saysName(logo) ? "[data-logo] span{position:absolute;width:1px;overflow:hidden;clip-path:inset(50%)}" : "",
  ].join("");
}
