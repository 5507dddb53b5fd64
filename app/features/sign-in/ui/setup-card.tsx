import { TotpSetup, type TotpSetupProps } from "~/features/account/ui/totp-setup";
import { ENROLLMENT_TITLE } from "~/features/auth/copy";
import type { ValidationError } from "~/lib/form";
import { Docket, DocketBody } from "~/ui/docket";
import { ValidationNotice } from "~/ui/validation-notice";
import { CancelSignIn } from "./cancel-sign-in";

type SetupCardProps = Omit<TotpSetupProps, "errors"> & { validationError: ValidationError | null };

/** Shows the set-up of a required second factor after the right password. The sign-in cannot continue without it. */
export function SetupCard({ validationError, ...setup }: SetupCardProps) {
  return (
    <Docket
      alone
      id="setup"
      title={ENROLLMENT_TITLE}
      subtitle="Step 1 of 2: add your account to an authenticator app"
      heading="h1"
    >
      <DocketBody alone>
        <ValidationNotice validationError={validationError} />
        <TotpSetup {...setup} errors={validationError?.errors ?? {}} />
        <div className="-mx-3 flex flex-wrap justify-between [--btn-x:0.75rem]">
          <CancelSignIn action={setup.action} token={setup.token} />
        </div>
      </DocketBody>
    </Docket>
  );
}
