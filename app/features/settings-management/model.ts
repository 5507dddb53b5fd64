import { SETTINGS_PATH, type SignUpPolicy } from "~/features/settings/model";
import type { Instant } from "~/lib/time";

export const GENERAL_PATH = `${SETTINGS_PATH}?tab=general`;
export const ADVANCED_PATH = `${SETTINGS_PATH}?tab=advanced`;

export const SETTINGS_TABS = ["general", "advanced"] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

/** Lists who may create an account, from everybody to nobody but those who were invited. */
export const SIGN_UP_POLICIES = ["open", "approval", "invite_only"] as const satisfies readonly SignUpPolicy[];

/** Holds the settings that decide how people get in. */
export type SignUpSettings = { signUpPolicy: SignUpPolicy; onlyInviteExistingAccounts: boolean };

export type StoredSignUpSettings = SignUpSettings & {
  /** Grows with every save; 0 when nothing was saved yet. */
  version: number;
  /** Null: nothing was saved yet. `by` null: the account is gone. */
  lastChange: { at: Instant; by: string | null } | null;
};
