import type { IdentityRequest } from "~/features/auth/model";
import type {
  ContentFormat,
  ContentGroupId,
  ContentSectionId,
  GroupId,
  SettingChoice,
  SettingField,
} from "~/features/settings/model";
import { CONTENT_PATH, SETTINGS_PATH } from "~/features/settings/paths";
import { withParams } from "~/lib/addresses";
import type { FormValues, ValidationError } from "~/lib/form";
import { excerpt } from "~/lib/text";
import type { Instant } from "~/lib/time";

export const SETTINGS_TABS = ["account", "general", "notifications", "security", "data", "advanced"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Names the tab of each group. The first of a tab is the one it opens with. */
export const GROUP_TABS: Record<GroupId, SettingsTab> = {
  company: "general",
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

export const groupsOf = (tab: SettingsTab): GroupId[] => GROUP_IDS.filter((id) => GROUP_TABS[id] === tab);

export const isContentGroup = (id: GroupId | ContentGroupId): id is ContentGroupId => id.startsWith("content-");

export const contentSection = (id: ContentGroupId): ContentSectionId => id.slice("content-".length) as ContentSectionId;

export const groupPath = (id: GroupId | ContentGroupId): string =>
  isContentGroup(id)
    ? withParams(CONTENT_PATH, { part: contentSection(id) })
    : withParams(SETTINGS_PATH, { tab: GROUP_TABS[id], part: id });

export const ACCOUNT_PATH = tabPath("account");
export const ADVANCED_PATH = tabPath("advanced");

/** Describes a picture of what settings look like. Width and height in pixels. */
export type Preview = { src: string; alt: string; width: number; height: number };

export type GroupView = {
  id: GroupId | ContentGroupId;
  label: string;
  path: string;
  text: string | null;
  fields: readonly SettingField[];
  values: FormValues;
  preview: Preview | null;
  presets: DayPresets | null;
  link: { label: string; to: string } | null;
  /** Grows with every save; 0 when nothing was saved yet. */
  version: number;
  /** Says when it was last saved, and by whom; null: nothing was saved yet. `by` null: the account is gone. */
  lastChange: { at: Instant; by: string | null } | null;
};

/** Describes a field of the site's content. `standard`: what pages say while it is empty. */
export type ContentControl = SettingField & { format: ContentFormat; standard: string; isHeadline: boolean };

/** Asks what must be decided before a change is saved; the value of the choice comes back as `decision`. */
export type SettingQuestion = { text: string; preview?: Preview; choices: SettingChoice[] };

/**
 * Describes why settings are not saved, or not yet. `stored`: what somebody else has saved meanwhile, by field.
 * `identity`: the last proof of identity is too old.
 */
export type SettingsError = ValidationError & {
  stored?: { label: string; value: string }[];
  question?: SettingQuestion;
  identity?: IdentityRequest;
  /** Nothing was saved: a button has filled fields, or asked how it would look. Differs each time. */
  filled?: string;
  preview?: Preview | null;
};

/** What its button adds to the days off. */
export type DayPresets = { countries: readonly SettingChoice[]; years: readonly SettingChoice[] };

const SHOWN = 60;

export function valueText(field: SettingField, value: string): string {
  if (field.kind === "tick") return value === "on" ? "on" : "off";
  if ("choices" in field) return field.choices.find((choice) => choice.value === value)?.label ?? value;
  return excerpt(value.replace(/\s+/g, " "), SHOWN) || "nothing";
}

export const changedFields = (fields: readonly SettingField[], before: FormValues, after: FormValues): SettingField[] =>
  fields.filter(({ name }) => (before[name] ?? "") !== (after[name] ?? ""));

export const changeTexts = (fields: readonly SettingField[], before: FormValues, after: FormValues): string[] =>
  changedFields(fields, before, after).map((field) => {
    const text = (values: FormValues) => valueText(field, values[field.name] ?? "");
    return field.kind === "tick"
      ? `${field.label}: ${text(after)}`
      : `${field.label}: ${text(before)} to ${text(after)}`;
  });
