import { useMatches } from "@remix-run/react";
import type { Brand } from "~/content/brand";
import { brandIn } from "../brand";

/** Returns the brand in force, on every page: what the settings say over the defaults. */
export const useBrand = (): Brand => brandIn(useMatches());
