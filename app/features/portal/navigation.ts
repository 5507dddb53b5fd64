import type { Ability } from "~/access/policy";
import { CLIENT_LETTERS_PATH } from "~/features/letters/model";
import { TEAM_PATH } from "~/features/members/definition";
import { ORGANIZATION_PATH } from "~/features/organization-settings/model";
import { CLIENT_TICKETS_PATH } from "~/features/tickets/paths";
import { PORTAL_HOME_PATH } from "~/lib/addresses";

/**
 * Describes an entry of the portal's navigation. `ability` is what a person must hold to see it; null: everybody.
 * `cardLabel`: how the organization's card on the dashboard calls it; absent: it does not lead there.
 */
type PortalNavigationItem = { label: string; path: string; ability: Ability | null; cardLabel?: string };

/**
 * Lists the pages of the portal in the order of its navigation. Each person is shown the entries they may open, and an
 * entry is listed only once its page exists.
 */
export const portalNavigation: readonly PortalNavigationItem[] = [
  { label: "Dashboard", path: PORTAL_HOME_PATH, ability: null },
  { label: "Tickets", path: CLIENT_TICKETS_PATH, ability: "ticket.view" },
  { label: "Team", path: TEAM_PATH, ability: "member.list", cardLabel: "Manage Team" },
  { label: "Letters", path: CLIENT_LETTERS_PATH, ability: "letter.read" },
  { label: "Organization", path: ORGANIZATION_PATH, ability: "organization.edit", cardLabel: "Organization Settings" },
];
