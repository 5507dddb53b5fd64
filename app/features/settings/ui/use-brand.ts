import { useMatches } from "@remix-run/react";
import type { Brand } from "~/content/brand";
import { rootBrand } from "../root-brand";

/** Returns the effective brand, on every page: the published settings over the defaults. */
export const useBrand = (): Brand => rootBrand(useMatches());
