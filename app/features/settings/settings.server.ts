import * as z from "zod";
import { accessSettings } from "./access-settings.server";
import type { ContentGroupId } from "./model";
import type { Setting } from "./setting.server";
import { siteSettings } from "./site-settings.server";
import { ticketSettings } from "./ticket-settings.server";

export const SETTINGS = { ...siteSettings, ...ticketSettings, ...accessSettings };

export type SettingKey = keyof typeof SETTINGS;
export type SiteSettings = { [Key in SettingKey]: (typeof SETTINGS)[Key]["default"] };
export type ShortSettings = Omit<SiteSettings, "termsText" | "privacyText" | Exclude<ContentGroupId, "content-plans">>;

const ENTRIES = Object.entries<Setting<unknown, unknown>>(SETTINGS) as [SettingKey, Setting<unknown, unknown>][];

const keysWith = (isListed: (setting: Setting<unknown, unknown>) => unknown): SettingKey[] =>
  ENTRIES.filter(([, setting]) => isListed(setting)).map(([key]) => key);

export const SETTING_KEYS = keysWith(() => true);
export const PUBLIC_KEYS = keysWith(({ isPublic }) => isPublic);
export const LONG_KEYS = keysWith(({ isLong }) => isLong);

export const DEFAULT_SETTINGS = Object.fromEntries(
  ENTRIES.map(([key, setting]) => [key, setting.default]),
) as SiteSettings;

export const StoredSettings = z.object(
  Object.fromEntries(ENTRIES.map(([key, setting]) => [key, setting.schema.catch(setting.default)])),
) as unknown as z.ZodType<SiteSettings>;
