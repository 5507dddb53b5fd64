import { useMatches } from "@remix-run/react";
import type { Brand } from "~/content/brand";
import { type PageBrand, rootBrand, siteBrand } from "../root-brand";

/** Returns what every page has of the effective brand: the published settings over the defaults. */
export const useBrand = (): PageBrand => rootBrand(useMatches());

/** Returns all of it, on pages without the framework's scripts: the public site, sign-in and account. */
export const useSiteBrand = (): Brand => siteBrand(useMatches());
