import { SETUP_TITLE } from "~/features/auth/copy";
import { TotpSetup, type TotpSetupProps } from "~/features/auth/ui/totp-setup";
import { ValidationNotice } from "~/features/auth/ui/validation-notice";
import type { ValidationError } from "~/lib/form";
import { Docket } from "~/ui/docket";
import { CancelSignIn } from "./cancel-sign-in";

type SetupCardProps = Omit<TotpSetupProps, "errors"> & { validationError: ValidationError | null };

/** The password was right, but the account must have a second factor and has none. There is no way past this card. */
export function SetupCard({ validationError, ...setup }: SetupCardProps) {
  return (
    <Docket
      id="setup"
      title={SETUP_TITLE}
      subtitle="Step 1 of 2: add your account to an authenticator app"
      heading="h1"
    >
      <div className="in">
        <ValidationNotice validationError={validationError} />
        <TotpSetup {...setup} errors={validationError?.errors ?? {}} />
        <div className="pair">
          <CancelSignIn action={setup.action} token={setup.token} />
        </div>
      </div>
    </Docket>
  );
}
