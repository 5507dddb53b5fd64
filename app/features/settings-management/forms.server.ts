import * as z from "zod";
import { absentAsEmpty } from "~/lib/form";
import { CHOOSE_POLICY } from "./copy";
import { SIGN_UP_POLICIES } from "./model";

export const SignUpForm = absentAsEmpty(
  ["sign_up_policy", "only_existing_accounts"],
  z
    .object({
      sign_up_policy: z.enum(SIGN_UP_POLICIES, CHOOSE_POLICY),
      only_existing_accounts: z.enum(["on", ""]),
      version: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    })
    .transform(({ sign_up_policy, only_existing_accounts, version }) => ({
      signUpPolicy: sign_up_policy,
      onlyInviteExistingAccounts: only_existing_accounts === "on",
      version,
    })),
);
