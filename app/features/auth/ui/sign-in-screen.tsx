import type { FieldErrors, FormValues } from "~/lib/form";
import type { SignInState } from "../model";
import { ChallengeCard } from "./challenge-card";
import { SetupRequiredCard } from "./setup-required-card";
import { SignInCard } from "./sign-in-card";

type Refusal = { title: string; errors: FieldErrors; values: FormValues };

export type SignInScreenProps = {
  page: {
    state: SignInState;
    /** Where every form of the screen posts to. */
    action: string;
    token: string;
    /** Why the person was sent here. */
    reason?: string;
    /** The page itself could not be put together. */
    outage: Refusal | null;
  };
  refusal: Refusal | undefined;
};

/** The one card of the sign-in screen, by how far the person has come. */
export function SignInScreen({ page, refusal = page.outage ?? undefined }: SignInScreenProps) {
  const { state, action, token, reason } = page;
  if (state.at === "challenge") {
    return <ChallengeCard action={action} token={token} method="totp" refusal={refusal ?? null} />;
  }
  if (state.at === "setup_required") return <SetupRequiredCard action={action} token={token} />;
  return (
    <SignInCard
      action={action}
      token={token}
      values={refusal?.values ?? {}}
      refusal={refusal ?? null}
      reason={reason}
    />
  );
}
