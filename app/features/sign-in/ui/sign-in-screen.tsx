import { useActionData, useLoaderData } from "@remix-run/react";
import { authScript } from "~/generated/static-scripts";
import { FormScript } from "~/ui/form-script-tag";
import type { SignInFormError, SignInPage } from "../model";
import { ChallengeCard } from "./challenge-card";
import { PasswordUpdateCard, ResetRequestCard } from "./recovery-cards";
import { SetupCard } from "./setup-card";
import { SignInCard } from "./sign-in-card";
import { CheckEmailCard, SignUpCard } from "./sign-up-card";

/** Shows the sign-in screen. Its scripts are optional: every form works without them. */
export function SignInScreen() {
  return (
    <>
      <Card page={useLoaderData() as SignInPage} failed={useActionData() as SignInFormError | undefined} />
      <FormScript />
      <script src={authScript} defer />
    </>
  );
}

/** Shows the card for the state of the sign-in. */
function Card({ page, failed }: { page: SignInPage; failed: SignInFormError | undefined }) {
  const { state, action, home, token, method, enrollment, redirectTo } = page;
  const validationError = failed ?? page.outage;
  const form = { action, token, validationError, redirectTo };
  const values = validationError?.values ?? {};
  const withMode = (mode: string) => `${home}${home.includes("?") ? "&" : "?"}${mode}`;
  if (state.at === "challenge") {
    return (
      <ChallengeCard
        {...{ token, validationError }}
        action={withMode(`method=${method}`)}
        method={method}
        otherMethodTo={method === "totp" ? withMode("method=backup") : home}
      />
    );
  }
  if (state.at === "setup_required" && enrollment) {
    const views = { qrTo: home, keyTo: withMode("view=key"), showsKey: page.showsKey };
    return <SetupCard {...{ action, token, validationError }} {...views} email={state.email} enrollment={enrollment} />;
  }
  if (state.at === "reset_request") {
    return <ResetRequestCard {...form} home={home} values={values} isLinkInvalid={state.isLinkInvalid} />;
  }
  if (state.at === "password_update") {
    return <PasswordUpdateCard {...form} {...state} signOutToken={page.signOutToken} />;
  }
  if (state.at === "sign_up") return <SignUpCard {...form} values={values} policy={state.policy} />;
  if (state.at === "check_email") return <CheckEmailCard {...form} values={values} mailNote={page.mailNote} />;
  return (
    <SignInCard
      {...form}
      area={page.area}
      resetPath={withMode("mode=reset")}
      values={values}
      reason={page.reason}
      confirmation={page.confirmation}
      mailNote={page.mailNote}
      hintDomain={page.hintDomain}
    />
  );
}
