import type { SignUpPolicy } from "~/features/settings/model";
import type { SettingsTab } from "./model";

export const TAB_LABELS: Record<SettingsTab, string> = { general: "General", advanced: "Advanced" };

export const SETTINGS_SAVED = { title: "Settings Saved", message: "They count from now on." } as const;
export const SETTINGS_UNCHANGED = { title: "Settings Saved", message: "They were like this already." } as const;
export const NOT_SAVED = "Failed to save settings";
export const CHANGED_MEANWHILE =
  "Somebody else has saved these settings since you opened them. Your choice is below; save again to keep it.";
export const CHOOSE_POLICY = "Choose who may sign up";

export const SIGN_UP_POLICY = "Sign-up policy";
export const ONLY_EXISTING_ACCOUNTS = "Only invite existing accounts";

/** Names each policy, and says what it means. */
export const POLICY_TEXTS: Record<SignUpPolicy, { label: string; text: string }> = {
  open: {
    label: "Open",
    text: "Anybody can create an account and an organization. New organizations are marked “New – review”.",
  },
  approval: {
    label: "Approval",
    text: "Anybody can create an account. A new organization opens once you have reviewed it.",
  },
  invite_only: { label: "Invite only", text: "Only people who were invited can create an account." },
};
