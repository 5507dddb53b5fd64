import type { ChallengeMethod } from "~/features/auth/model";
import { MFA_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton } from "~/ui/form";
import { ValidationNotice } from "~/ui/validation-notice";
import type { MfaChange } from "../model";
import { IdentityFields } from "./identity-fields";

/** Holds the confirmation texts of each change. */
const CHANGES: Record<MfaChange, { title: string; question: string; button: string }> = {
  enable: {
    title: "Enable two-step sign-in",
    question: "First confirm that it's you. Then you add your account to an authenticator app.",
    button: "Continue",
  },
  reconfigure: {
    title: "Reconfigure your authenticator",
    question:
      "First confirm that it's you. Your current app works until the new one is set up. Then its codes and your backup codes stop working.",
    button: "Continue",
  },
  codes: {
    title: "New backup codes",
    question: "Regenerating backup codes will invalidate your current codes. Continue?",
    button: "Make new codes",
  },
  disable: {
    title: "Disable two-step sign-in",
    question: "Are you sure you want to disable MFA? This will reduce your account security.",
    button: "Disable two-step sign-in",
  },
};

type ConfirmChangeProps = {
  change: MfaChange;
  token: string;
  email: string;
  mfaEnabled: boolean;
  method: ChallengeMethod;
  validationError: ValidationError | null;
};

/** Asks for confirmation of a change of the second factor, with the proof of identity in the same form. */
export function ConfirmChange({ change, token, email, mfaEnabled, method, validationError }: ConfirmChangeProps) {
  const { title, question, button } = CHANGES[change];
  const page = withParams(MFA_PATH, { do: change });
  const pageWithBackup = withParams(page, { method: "backup" });
  return (
    <Docket id="confirm-change" title={title} heading="h2">
      <DocketBody>
        <ValidationNotice validationError={validationError} />
        <p>{question}</p>
        <Form action={method === "backup" ? pageWithBackup : page} token={token} reloadDocument>
          <input type="hidden" name="intent" value={change} />
          <IdentityFields
            email={email}
            mfaEnabled={mfaEnabled}
            method={method}
            otherMethodTo={method === "backup" ? page : pageWithBackup}
            errors={validationError?.errors ?? {}}
          />
          <ButtonRow>
            <SubmitButton variant={change === "disable" ? "danger" : "primary"}>{button}</SubmitButton>
            <LinkButton variant="ghost" to={MFA_PATH}>
              Cancel
            </LinkButton>
          </ButtonRow>
        </Form>
      </DocketBody>
    </Docket>
  );
}
