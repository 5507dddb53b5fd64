import * as z from "zod";
import type { SignUpPolicy } from "~/features/settings/model";
import { settingsGroup, tick, ticked } from "../group.server";

/** Lists who may create an account, from everybody to nobody but those who were invited. */
const POLICIES = ["open", "approval", "invite_only"] as const satisfies readonly SignUpPolicy[];

/** Names each policy, and says what it means. */
const POLICY_TEXTS: Record<SignUpPolicy, { label: string; text: string }> = {
  open: {
    label: "Open",
    text: "Anyone can create an account and an organization. New organizations are marked “To review”.",
  },
  approval: {
    label: "Approval",
    text: "Anyone can create an account. A new organization opens once you have reviewed it.",
  },
  invite_only: { label: "Invite only", text: "Only people who were invited can create an account." },
};

/** Groups the settings of how people get in, which count from the next sign-up and the next invitation on. */
export const signUpGroup = settingsGroup({
  fields: [
    {
      name: "sign_up_policy",
      kind: "radio",
      label: "Sign-up policy",
      choices: POLICIES.map((value) => ({ value, ...POLICY_TEXTS[value] })),
    },
    {
      name: "only_existing_accounts",
      kind: "tick",
      label: "Only invite existing accounts",
      hint: "A person who invites an address without an account reads that there is none.",
    },
  ],
  keys: ["signUpPolicy", "onlyInviteExistingAccounts"],
  action: "settings.sign_up_changed",
  schema: z.object({
    sign_up_policy: z.enum(POLICIES, "Choose who may sign up"),
    only_existing_accounts: tick,
  }),
  values: ({ signUpPolicy, onlyInviteExistingAccounts }) => ({
    sign_up_policy: signUpPolicy,
    only_existing_accounts: ticked(onlyInviteExistingAccounts),
  }),
  apply: (input) => ({
    signUpPolicy: input.sign_up_policy,
    onlyInviteExistingAccounts: input.only_existing_accounts,
  }),
});
