import { brandGroup } from "./general/brand.server";
import { quietTicketsGroup } from "./general/quiet-tickets.server";
import { signUpGroup } from "./general/sign-up.server";
import { siteGroup } from "./general/site.server";
import type { SettingsGroup } from "./group.server";
import type { GroupId } from "./model";
import { staffMailGroup } from "./staff-mail.server";

/** Holds all groups of settings. */
export const GROUPS: Record<GroupId, SettingsGroup<unknown>> = {
  site: siteGroup,
  brand: brandGroup,
  tickets: quietTicketsGroup,
  "sign-up": signUpGroup,
  mail: staffMailGroup,
};
