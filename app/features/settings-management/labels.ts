import type { ContentGroupId, GroupId, PictureName } from "~/features/settings/model";
import type { SettingsTab } from "./model";

export const SETTINGS_TAB_LABELS: Record<SettingsTab, string> = {
  account: "Account",
  general: "General",
  notifications: "Notifications",
  security: "Security",
  data: "Data",
  advanced: "Advanced",
};

/** A page of its own, reached as a part of General. */
export const CONTENT_LABEL = "Site content";

/** Sending and receiving mail: a part of General that is no group of fields. */
export const MAIL_SETUP_LABEL = "Mail";

export const GROUP_LABELS: Record<GroupId, string> = {
  company: "Company",
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

/** How the parts of General stand, and its pages that are no group of fields. */
export const GENERAL_LIST = [
  ["Your company", ["company", "look", CONTENT_LABEL]],
  ["How you work", ["hours", "promises", "prices", "tickets"]],
  ["Mail and people", [MAIL_SETUP_LABEL, "sign-up"]],
  ["Law", ["terms", "privacy"]],
] as const;

const UNTOLD = "What the file says of place, time and camera is taken out before it is stored.";

/** What pages say of each picture, and the group it belongs to. */
export const PICTURE_WORDS: Record<
  PictureName,
  { group: GroupId | ContentGroupId; label: string; none: string; hint: string; notes: readonly string[] }
> = {
  logo: {
    group: "look",
    label: "Logo",
    none: "No logo. Pages show the default logo, two check marks, beside the name.",
    hint: "PNG or WebP, at most 512 KB, each side 32 to 2,000 pixels.",
    notes: [
      "A logo more than twice as wide as it is high stands alone, any other beside the name.",
      "Mails and PDF files show PNG only.",
      "SVG is not accepted: such a file can hold scripts.",
      UNTOLD,
    ],
  },
  portrait: {
    group: "content-story",
    label: "Founder’s picture",
    none: "No picture. Pages leave the block out until there is one.",
    hint: "JPEG, PNG or WebP, at most 1,024 KB, each side 200 to 3,000 pixels.",
    notes: [
      "Home shows it beside the founder’s words, “Why Choose Us” beside the story, cut to four by five.",
      UNTOLD,
      "Once it is replaced or removed, its address answers no more.",
    ],
  },
};

export const SETTINGS_SAVED = { title: "Settings Saved", message: "They count from now on." } as const;
export const SETTINGS_UNCHANGED = { title: "No changes to save", message: "" } as const;
export const ERROR = "Error";
export const SETTINGS_NOT_SAVED = "Failed to save settings";
export const SETTINGS_CHANGED_MEANWHILE =
  "Someone else has saved these settings since you opened them. Your choice is below; save again to keep it.";
export const ONE_QUESTION = "Before it is saved";
