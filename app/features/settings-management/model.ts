import { SETTINGS_PATH } from "~/features/settings/address";
import { withParams } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import type { Instant } from "~/lib/time";

export const SETTINGS_TABS = ["account", "general", "notifications", "security", "data", "advanced"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Names the groups of settings that are saved together, each by a form of its own. */
export type GroupId =
  | "site"
  | "brand"
  | "look"
  | "hours"
  | "promises"
  | "prices"
  | "terms"
  | "privacy"
  | "tickets"
  | "sign-up"
  | "mail"
  | "sign-in"
  | "retention";

/** Names the tab of each group. The first of a tab is the one it opens with. */
export const GROUP_TABS: Record<GroupId, SettingsTab> = {
  site: "general",
  brand: "general",
  look: "general",
  hours: "general",
  promises: "general",
  prices: "general",
  terms: "general",
  privacy: "general",
  tickets: "general",
  "sign-up": "general",
  mail: "notifications",
  "sign-in": "security",
  retention: "data",
};

export const GROUP_IDS = Object.keys(GROUP_TABS) as GroupId[];

export const tabPath = (tab: SettingsTab): string => withParams(SETTINGS_PATH, { tab });

/** Returns the groups whose forms a tab has, in their order. */
export const groupsOf = (tab: SettingsTab): GroupId[] => GROUP_IDS.filter((id) => GROUP_TABS[id] === tab);

/** Returns the address of the page with a group's form. */
export const groupPath = (id: GroupId): string => withParams(SETTINGS_PATH, { tab: GROUP_TABS[id], part: id });

export const ACCOUNT_PATH = tabPath("account");
export const ADVANCED_PATH = tabPath("advanced");

type Choice = { value: string; label: string; text?: string };

/** Describes a field of a form of settings: all its values are text. */
export type SettingField = {
  name: string;
  label: string;
  hint?: string;
  optional?: true;
} & (
  | { kind: "text" | "email" | "number" | "amount" | "area" | "tick" }
  | { kind: "radio" | "select"; choices: readonly Choice[] }
);

/** Describes a picture of what settings look like. Width and height in pixels. */
export type Preview = { src: string; alt: string; width: number; height: number };

/** Holds a form of settings as its page shows it. */
export type GroupView = {
  id: GroupId;
  label: string;
  /** Holds the address of the page with the form. */
  path: string;
  text: string | null;
  fields: readonly SettingField[];
  values: FormValues;
  preview: Preview | null;
  link: { label: string; to: string } | null;
  /** Grows with every save; 0 when nothing was saved yet. */
  version: number;
  /** Says when it was last saved, and by whom; null: nothing was saved yet. `by` null: the account is gone. */
  lastChange: { at: Instant; by: string | null } | null;
};

/** Asks what must be decided before a change is saved; the value of the choice comes back as `decision`. */
export type Question = { text: string; preview?: Preview; choices: Choice[] };

/**
 * Describes why settings are not saved, or not yet. `stored`: what somebody else has saved meanwhile, by field.
 */
export type SettingsError = ValidationError & { stored?: { label: string; value: string }[]; question?: Question };
