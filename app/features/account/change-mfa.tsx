import { type ChallengeMethod, type MfaChange, splitCode } from "~/features/auth/model";
import { MFA_PATH, NEW_BACKUP_CODES_PATH, SHOW_BACKUP_CODES_PATH, withParams } from "~/lib/addresses";
import type { ValidationError } from "~/lib/form";
import { Button, ButtonRow, LinkButton } from "~/ui/button";
import { Docket, DocketBody } from "~/ui/docket";
import { Form, SubmitButton, ValidationNotice } from "~/ui/form";
import { IdentityFields } from "./identity-fields";

type BackupCodesCardProps = {
  codes: readonly string[] | null;
  token: string;
  redirectTo: string | null;
  isRenewal: boolean;
};

/** Shows the second step of the set-up: the codes, once. They can be selected and downloaded without scripts. */
export function BackupCodesCard({ codes, ...complete }: BackupCodesCardProps) {
  const { token, isRenewal } = complete;
  if (!codes) {
    return (
      <Docket id="codes" title="Save your backup codes" heading="h2">
        <DocketBody>
          <p>Your codes were shown once. Make new ones if you didn't save them.</p>
          <ButtonRow>
            <LinkButton variant="quiet" to={NEW_BACKUP_CODES_PATH}>
              New backup codes
            </LinkButton>
            <CompleteForm {...complete} />
          </ButtonRow>
        </DocketBody>
      </Docket>
    );
  }
  return (
    <Docket
      id="codes"
      title="Save your backup codes"
      subtitle={`${isRenewal ? "Each" : "Step 2 of 2: each"} code works once, in place of your authenticator app`}
      heading="h2"
    >
      <DocketBody>
        <p>They are shown only this once. Keep them somewhere safe, apart from your phone.</p>
        <ol className="grid grid-cols-[repeat(2,max-content)] gap-x-12 gap-y-2 text-[1.15rem]" id="codes-list">
          {codes.map((code) => (
            <li key={code} className="font-medium font-mono text-[0.9em]/[1.4] [&>span+span]:ml-[0.5ch]">
              <span>{splitCode(code)[0]}</span>
              <span>{splitCode(code)[1]}</span>
            </li>
          ))}
        </ol>
        <ButtonRow>
          <Button variant="quiet" data-copy="codes-list" hidden>
            Copy All
          </Button>
          <Form action="/profile/backup-codes" token={token} reloadDocument data-native="">
            <input type="hidden" name="codes" value={codes.join(" ")} />
            <SubmitButton variant="quiet">Download</SubmitButton>
          </Form>
        </ButtonRow>
        <CompleteForm {...complete} />
      </DocketBody>
    </Docket>
  );
}

function CompleteForm({ token, redirectTo, isRenewal }: Omit<BackupCodesCardProps, "codes">) {
  return (
    <Form action={SHOW_BACKUP_CODES_PATH} token={token} reloadDocument intent="complete">
      {redirectTo ? <input type="hidden" name="redirectTo" value={redirectTo} /> : null}
      {isRenewal ? <input type="hidden" name="renewed" value="1" /> : null}
      <SubmitButton>{isRenewal ? "I saved them" : "Complete Setup"}</SubmitButton>
    </Form>
  );
}

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

export function ConfirmChange({ change, token, email, mfaEnabled, method, validationError }: ConfirmChangeProps) {
  const { title, question, button } = CHANGES[change];
  const page = withParams(MFA_PATH, { do: change });
  const pageWithBackup = withParams(page, { method: "backup" });
  return (
    <Docket id="confirm-change" title={title} heading="h2">
      <DocketBody>
        <ValidationNotice validationError={validationError} />
        <p>{question}</p>
        <Form action={method === "backup" ? pageWithBackup : page} token={token} reloadDocument intent={change}>
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
