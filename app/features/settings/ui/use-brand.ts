import { useMatches } from "@remix-run/react";
import type { Brand } from "~/content/brand";
import { brandIn } from "../brand";

/** Returns the effective brand, on every page: the published settings over the defaults. */
export const useBrand = (): Brand => brandIn(useMatches());
