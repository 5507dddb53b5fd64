import { SETTINGS_PATH } from "~/features/settings/address";

/** Holds the facts that tell how far the setup is. */
type SetupFacts = {
  mailProvider: "capture" | "cloudflare" | "http";
  hasBotCheck: boolean;
  hasOwnAdminEmail: boolean;
  staff: number;
  hasOrganization: boolean;
};

/** Describes one step. `to` is the page of the setting; `null` while the product has none. */
type SetupStep = { label: string; hint: string; done: boolean; to: string | null };

/** Describes a step that is still open, with the page on which it is done. */
export type OpenStep = { label: string; hint: string; to: string };

const ADVANCED = `${SETTINGS_PATH}?tab=advanced`;

/** Returns the open steps that have a page to lead to. Nothing here stops anyone from working. */
export const openSteps = (facts: SetupFacts): OpenStep[] =>
  setupSteps(facts).flatMap(({ label, hint, done, to }) => (done || to === null ? [] : [{ label, hint, to }]));

const setupSteps = (facts: SetupFacts): SetupStep[] => [
  {
    label: "Choose how mail leaves",
    hint: "Email isn't being sent yet. Connect a mail provider.",
    done: facts.mailProvider !== "capture",
    to: ADVANCED,
  },
  {
    label: "Choose who is notified",
    hint: "Notices go to your company address until you set another one.",
    done: facts.hasOwnAdminEmail,
    to: null,
  },
  {
    label: "Switch on the bot check",
    hint: "Until then, the contact form uses basic spam filtering only.",
    done: facts.hasBotCheck,
    to: ADVANCED,
  },
  {
    label: "Add a second member of staff",
    hint: "A colleague can help when you are locked out.",
    done: facts.staff > 1,
    to: null,
  },
  { label: "Add the first client", hint: "Tickets belong to an organization.", done: facts.hasOrganization, to: null },
];
