import { retentionGroup } from "./data/retention.server";
import { brandGroup } from "./general/brand.server";
import { hoursGroup } from "./general/hours.server";
import { privacyGroup, termsGroup } from "./general/legal.server";
import { lookGroup } from "./general/look.server";
import { pricesGroup } from "./general/prices.server";
import { promisesGroup } from "./general/promises.server";
import { quietTicketsGroup } from "./general/quiet-tickets.server";
import { signUpGroup } from "./general/sign-up.server";
import { siteGroup } from "./general/site.server";
import type { SettingsGroup } from "./group.server";
import type { GroupId } from "./model";
import { signInRulesGroup } from "./sign-in-rules.server";
import { staffMailGroup } from "./staff-mail.server";

/** Holds all groups of settings. */
export const GROUPS: Record<GroupId, SettingsGroup<unknown>> = {
  site: siteGroup,
  brand: brandGroup,
  look: lookGroup,
  hours: hoursGroup,
  promises: promisesGroup,
  prices: pricesGroup,
  terms: termsGroup,
  privacy: privacyGroup,
  tickets: quietTicketsGroup,
  "sign-up": signUpGroup,
  mail: staffMailGroup,
  "sign-in": signInRulesGroup,
  retention: retentionGroup,
};
