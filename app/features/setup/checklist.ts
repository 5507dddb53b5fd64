import { NEW_ORGANIZATION_PATH } from "~/features/organization-management/paths";
import { SETTINGS_PATH } from "~/features/settings/paths";
import { NEW_USER_PATH } from "~/features/users/model";

type SetupState = {
  mailProvider: "capture" | "cloudflare" | "http";
  hasBotCheck: boolean;
  hasOwnAdminEmail: boolean;
  hasOwnBrand: boolean;
  hasOwnColors: boolean;
  staff: number;
  hasOrganization: boolean;
};

type SetupStep = OpenStep & { done: boolean };

export type OpenStep = { label: string; hint: string; to: string };

const ADVANCED = `${SETTINGS_PATH}?tab=advanced`;

/** Nothing here stops anyone from working. */
export const openSteps = (state: SetupState): OpenStep[] =>
  setupSteps(state).flatMap(({ label, hint, done, to }) => (done ? [] : [{ label, hint, to }]));

const general = (part: string): string => `${SETTINGS_PATH}?tab=general&part=${part}`;

const setupSteps = (state: SetupState): SetupStep[] => [
  {
    label: "Your company's name and address",
    hint: "Name, address and phone on pages and in mails are still examples.",
    done: state.hasOwnBrand,
    to: general("brand"),
  },
  {
    label: "Choose your color and logo",
    hint: "Pages, mails and icons follow them.",
    done: state.hasOwnColors,
    to: general("look"),
  },
  {
    label: "Choose how mail leaves",
    hint: "Email isn't being sent yet. Connect a mail provider.",
    done: state.mailProvider !== "capture",
    to: ADVANCED,
  },
  {
    label: "Choose who is notified",
    hint: "Notices go to your company address until you set another one.",
    done: state.hasOwnAdminEmail,
    to: general("site"),
  },
  {
    label: "Switch on the bot check",
    hint: "Until then, the contact form uses basic spam filtering only.",
    done: state.hasBotCheck,
    to: ADVANCED,
  },
  {
    label: "Add a second member of staff",
    hint: "A colleague can help when you are locked out.",
    done: state.staff > 1,
    to: NEW_USER_PATH,
  },
  {
    label: "Add the first client",
    hint: "Tickets belong to an organization.",
    done: state.hasOrganization,
    to: NEW_ORGANIZATION_PATH,
  },
];
