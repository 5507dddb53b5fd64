/** Holds the facts that tell how far the setup is. */
type SetupFacts = {
  mailProvider: "capture" | "cloudflare" | "http";
  hasBotCheck: boolean;
  hasOwnAdminEmail: boolean;
  staff: number;
  hasOrganization: boolean;
};

export type SetupStep = { label: string; hint: string; done: boolean };

/** Returns the steps of the setup, each with whether it is done. Nothing here stops anybody from working. */
export const setupSteps = (facts: SetupFacts): SetupStep[] => [
  {
    label: "Choose how mail leaves",
    hint: "Mail is only captured at the moment, nothing reaches anybody.",
    done: facts.mailProvider !== "capture",
  },
  {
    label: "Say who hears about new submissions",
    hint: "Notices go to the address of the brand until another one is set.",
    done: facts.hasOwnAdminEmail,
  },
  {
    label: "Switch on the bot check",
    hint: "Without its keys the contact form relies on its other layers.",
    done: facts.hasBotCheck,
  },
  {
    label: "Bring in a second member of staff",
    hint: "Somebody has to be able to help when one of you is locked out.",
    done: facts.staff > 1,
  },
  { label: "Add the first client", hint: "Tickets belong to an organization.", done: facts.hasOrganization },
];
