import type { ChallengeMethod, SignInState } from "~/features/auth/model";
import type { TotpSetupProps } from "~/features/auth/ui/totp-setup";
import { authScript, formScript } from "~/generated/static-scripts";
import type { FieldErrors, FormValues } from "~/lib/form";
import { ChallengeCard } from "./challenge-card";
import { PasswordUpdateCard, ResetRequestCard } from "./recovery-cards";
import { SetupCard } from "./setup-card";
import { SignInCard } from "./sign-in-card";
import { CheckEmailCard, SignUpCard } from "./sign-up-card";

type Refusal = { title: string; errors: FieldErrors; values: FormValues; canResend?: boolean };

export type SignInScreenProps = {
  page: {
    door: "staff" | "client";
    state: SignInState;
    /** Where every form of the screen posts to. */
    action: string;
    /** The address without a mode. */
    home: string;
    token: string;
    signOutToken: string | null;
    /** Which of the two factors is asked for. */
    method: ChallengeMethod;
    /** The secret to set up, while one is asked for. */
    enrollment: TotpSetupProps["enrollment"] | null;
    showsKey: boolean;
    hintDomain: string;
    /** Why the person was sent here. */
    reason?: string;
    /** What was done before. */
    sent?: string;
    /** The form was refused, as the window's title says too. */
    refused: boolean;
    /** The page itself could not be put together. */
    outage: Refusal | null;
  };
  refusal: Refusal | undefined;
};

/** The sign-in screen, with the small scripts that make it more comfortable and that it does not need. */
export function SignInScreen(props: SignInScreenProps) {
  return (
    <>
      <Card {...props} />
      <script src={formScript} defer />
      <script src={authScript} defer />
    </>
  );
}

/** The one card, by how far the person has come. */
function Card({ page, refusal = page.outage ?? undefined }: SignInScreenProps) {
  const { state, action, home, token, method, enrollment } = page;
  const form = { action, token, refusal: refusal ?? null };
  const values = refusal?.values ?? {};
  const withMode = (mode: string) => `${home}${home.includes("?") ? "&" : "?"}${mode}`;
  if (state.at === "challenge") {
    return (
      <ChallengeCard
        {...form}
        action={withMode(`method=${method}`)}
        method={method}
        otherMethodTo={method === "totp" ? withMode("method=backup") : home}
      />
    );
  }
  if (state.at === "setup_required" && enrollment) {
    const views = { qrTo: home, keyTo: withMode("view=key"), showsKey: page.showsKey };
    return <SetupCard {...form} {...views} email={state.email} enrollment={enrollment} />;
  }
  if (state.at === "reset_request") {
    return <ResetRequestCard {...form} values={values} linkIsOver={state.linkIsOver} />;
  }
  if (state.at === "password_update") {
    return <PasswordUpdateCard {...form} {...state} signOutToken={page.signOutToken} />;
  }
  if (state.at === "sign_up") return <SignUpCard {...form} values={values} />;
  if (state.at === "check_email") return <CheckEmailCard {...form} values={values} />;
  return (
    <SignInCard
      {...form}
      door={page.door}
      values={values}
      reason={page.reason}
      done={page.sent}
      hintDomain={page.hintDomain}
    />
  );
}
