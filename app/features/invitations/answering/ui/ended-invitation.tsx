import { useBrand } from "~/features/settings/ui/use-brand";
import { CLIENT_SIGN_IN_PATH, withParams, withRedirectTo } from "~/lib/addresses";
import { ERROR_TEXTS } from "~/lib/error-texts";
import { Docket, DocketBody } from "~/ui/docket";
import { Link } from "~/ui/link";
import { INVITATION_PATH } from "../../model";
import { ENDINGS } from "../copy";
import type { InviteStep } from "../invite-page";
import type { ShownInvitation } from "../load-invite-page.server";
import { AnswerForm, type OpenStep } from "./invite-card";

type EndedInvitationProps = {
  step: Exclude<InviteStep, OpenStep>;
  invitation: ShownInvitation | null;
  reader: string | null;
  token: string;
  blocked: string | null;
};

/** Shows why an invitation asks for nothing, and the way on. */
export function EndedInvitation({ step, invitation, reader, token, blocked }: EndedInvitationProps) {
  const { name } = useBrand();
  const { title, text } = ENDINGS[step];
  const names = {
    inviter: invitation?.inviter ?? "the person who invited you",
    email: invitation?.email ?? "your address",
    place: invitation?.organization ?? name,
  };
  return (
    <Docket alone id="invitation" title={blocked ? ERROR_TEXTS[429].title : title} heading="h1">
      <DocketBody alone>
        <p className="wrap-anywhere">{blocked ?? text(names)}</p>
        {step === "other_account" ? (
          <>
            <p className="wrap-anywhere">
              You are signed in as <strong>{reader}</strong>.
            </p>
            <AnswerForm intent="sign_out" token={token} button="Sign Out" />
          </>
        ) : (
          <NextStep step={step} />
        )}
      </DocketBody>
    </Docket>
  );
}

function NextStep({ step }: Pick<EndedInvitationProps, "step">) {
  if (step === "declined") return null;
  const signUp = withRedirectTo(withParams(CLIENT_SIGN_IN_PATH, { tab: "create" }), INVITATION_PATH);
  return (
    <p>
      {step === "unproved" ? <Link to={signUp}>Create Account</Link> : <Link to={CLIENT_SIGN_IN_PATH}>Sign In</Link>}
    </p>
  );
}
