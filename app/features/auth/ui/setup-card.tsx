import { Docket } from "~/ui/docket";
import { SETUP_TITLE } from "../copy";
import { CancelSignIn } from "./cancel-sign-in";
import { type FormRefusal, RefusalNotice } from "./refusal-notice";
import { TotpSetup, type TotpSetupProps } from "./totp-setup";

type SetupCardProps = Omit<TotpSetupProps, "errors"> & { refusal: FormRefusal | null };

/** The password was right, but the account must have a second factor and has none. There is no way past this card. */
export function SetupCard({ refusal, ...setup }: SetupCardProps) {
  return (
    <Docket
      id="setup"
      title={SETUP_TITLE}
      subtitle="Step 1 of 2: add your account to an authenticator app"
      heading="h1"
    >
      <div className="in">
        <RefusalNotice refusal={refusal} />
        <TotpSetup {...setup} errors={refusal?.errors ?? {}} />
        <div className="pair">
          <CancelSignIn action={setup.action} token={setup.token} />
        </div>
      </div>
    </Docket>
  );
}
