import { FEW_CODES_LEFT, type MfaRequirementNotice } from "~/features/auth/model";
import { ENABLE_MFA_PATH, MFA_PATH, NEW_BACKUP_CODES_PATH, withParams } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { ButtonRow, LinkButton } from "~/ui/button";
import { CheckCheck, Icon } from "~/ui/icon";
import { FormColumn, Notice } from "~/ui/page";
import { MfaNotice, UnsavedCodes } from "./mfa-notice";

type MfaPanelProps = {
  isEnabled: boolean;
  /** Says how many days are left to set up the factor; null: it is set up, or not required. */
  mfaNotice: MfaRequirementNotice | null;
  mayDisable: boolean;
  codesLeft: number;
  /** Tells whether the panel reminds of codes that are not saved yet, on the one page whose layout does not. */
  codesUnsaved: boolean;
};

export function MfaPanel({ isEnabled, mfaNotice, mayDisable, codesLeft, codesUnsaved }: MfaPanelProps) {
  if (!isEnabled) {
    return (
      <FormColumn>
        {mfaNotice ? <MfaNotice mfaNotice={mfaNotice} withoutLink /> : null}
        <p>A code from an authenticator app at each sign-in keeps others out, even if they know your password.</p>
        <ButtonRow className="print:hidden">
          <LinkButton to={ENABLE_MFA_PATH}>Enable two-step sign-in</LinkButton>
        </ButtonRow>
      </FormColumn>
    );
  }
  return (
    <FormColumn>
      <p>
        <Icon of={CheckCheck} className="inline-block align-[-0.15em] text-success" /> <b>On</b>, with an authenticator
        app.{codesLeft > FEW_CODES_LEFT ? ` ${plural(codesLeft, "backup code")} left.` : null}
      </p>
      {codesUnsaved ? <UnsavedCodes /> : null}
      {!codesUnsaved && codesLeft <= FEW_CODES_LEFT ? (
        <Notice
          kind="warning"
          message={
            codesLeft === 0
              ? "No backup codes left. Create new ones now."
              : `Only ${plural(codesLeft, "backup code")} left. Create new ones soon.`
          }
        />
      ) : null}
      <ButtonRow className="print:hidden">
        <LinkButton variant="quiet" to={withParams(MFA_PATH, { do: "reconfigure" })}>
          Reconfigure
        </LinkButton>
        <LinkButton variant="quiet" to={NEW_BACKUP_CODES_PATH}>
          New backup codes
        </LinkButton>
        {mayDisable ? (
          <LinkButton variant="danger" to={withParams(MFA_PATH, { do: "disable" })}>
            Disable two-step sign-in
          </LinkButton>
        ) : null}
      </ButtonRow>
      {mayDisable ? null : <p>Your organization requires two-step sign-in, so it can't be switched off.</p>}
    </FormColumn>
  );
}
