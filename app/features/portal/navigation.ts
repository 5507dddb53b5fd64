import type { Ability } from "~/access/policy";
import { PORTAL_HOME_PATH } from "~/lib/addresses";

/** Describes an entry of the portal's navigation. `ability` is what a person must hold to see it; null: everybody. */
type PortalNavigationItem = { label: string; path: string; ability: Ability | null };

/**
 * Lists the pages of the portal in the order of its navigation. Each person is shown the entries they may open, and an
 * entry is listed only once its page exists.
 */
export const portalNavigation: readonly PortalNavigationItem[] = [
  { label: "Dashboard", path: PORTAL_HOME_PATH, ability: null },
];
