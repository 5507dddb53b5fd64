import type { GroupId } from "~/features/settings/model";
import type { SettingsTab } from "./model";

export const SETTINGS_TAB_LABELS: Record<SettingsTab, string> = {
  account: "Account",
  general: "General",
  notifications: "Notifications",
  security: "Security",
  data: "Data",
  advanced: "Advanced",
};

/** Sending and receiving mail: a part of General that is no group of fields. */
export const MAIL_SETUP_LABEL = "Mail";

export const GROUP_LABELS: Record<GroupId, string> = {
  site: "Site",
  brand: "Company",
  look: "Color and logo",
  hours: "Hours",
  promises: "Promises",
  prices: "Prices",
  terms: "Terms",
  privacy: "Privacy",
  tickets: "Reminders and auto-close",
  "sign-up": "Sign-up",
  mail: "Staff mail",
  "sign-in": "Signing in",
  retention: "Retention",
};

export const SETTINGS_SAVED = { title: "Settings Saved", message: "They count from now on." } as const;
export const SETTINGS_UNCHANGED = { title: "No changes to save", message: "" } as const;
export const ERROR = "Error";
export const SETTINGS_NOT_SAVED = "Failed to save settings";
export const SETTINGS_CHANGED_MEANWHILE =
  "Someone else has saved these settings since you opened them. Your choice is below; save again to keep it.";
export const ONE_QUESTION = "Before it is saved";
