import { Docket } from "~/ui/docket";
import { SETUP_REQUIRED } from "../copy";
import { CancelSignIn } from "./cancel-sign-in";

/** The password was right, but the account must have a second factor and has none. There is no way past this card. */
export function SetupRequiredCard({ action, token }: { action: string; token: string }) {
  return (
    <Docket id="setup-required" title={SETUP_REQUIRED.title} heading="h1">
      <div className="in">
        <p>{SETUP_REQUIRED.sentence}</p>
        <p>{SETUP_REQUIRED.next}</p>
        <div className="pair">
          <CancelSignIn action={action} token={token} />
        </div>
      </div>
    </Docket>
  );
}
