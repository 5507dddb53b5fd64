import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { profileActions } from "~/features/account/profile-actions.server";
import { loadProfilePage } from "~/features/account/profile-page.server";
import { accountMeta } from "~/features/account/ui/account-meta";
import { DetailsForm, PasswordForm } from "~/features/account/ui/profile-forms";
import { requireAccount, requireUser } from "~/features/auth/guards.server";
import { SectionRow } from "~/features/site/ui/section-row";
import { SitePage } from "~/features/site/ui/site-page";
import { runFormAction } from "~/platform/form-actions.server";
import { retryHeaders } from "~/platform/respond.server";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { FormColumn } from "~/ui/form-column";
import { ThemeForm } from "~/ui/theme-form";

const TITLE = "Personal Settings";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.hasErrors ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return json(await loadProfilePage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, profileActions, { actor: signedIn, request, params: null });
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export default function ProfilePage() {
  const { token, fullName, email, pendingEmail, mfaEnabled, mfaNotice } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  const errorOf = (form: "details" | "password") => (failed?.form === form ? failed : null);
  const isClosed = mfaNotice?.daysLeft === 0;
  return (
    <SitePage title={TITLE}>
      {isClosed ? null : (
        <>
          <SectionRow id="details" title="Your details">
            <DetailsForm
              {...{ token, fullName, email, pendingEmail, mfaEnabled }}
              validationError={errorOf("details")}
            />
          </SectionRow>
          <SectionRow id="password" title="Password" text="All other sessions are signed out.">
            <PasswordForm token={token} email={email} validationError={errorOf("password")} />
          </SectionRow>
        </>
      )}
      <SectionRow id="two-step" title="Two-step sign-in">
        <FormColumn>
          <p>{mfaEnabled ? "On, with an authenticator app." : "Off. Your password alone signs you in."}</p>
          <ButtonRow>
            <LinkButton variant="quiet" to="/profile/mfa">
              {mfaEnabled ? "Manage two-step sign-in" : "Set up two-step sign-in"}
            </LinkButton>
          </ButtonRow>
        </FormColumn>
      </SectionRow>
      {isClosed ? null : (
        <SectionRow id="sessions" title="Sessions">
          <FormColumn>
            <p>Every browser that is signed in to your account.</p>
            <ButtonRow>
              <LinkButton variant="quiet" to="/profile/sessions">
                See your sessions
              </LinkButton>
            </ButtonRow>
          </FormColumn>
        </SectionRow>
      )}
      <SectionRow id="theme" title="Theme" text="Kept in this browser only.">
        <FormColumn>
          <ThemeForm id="theme" />
        </FormColumn>
      </SectionRow>
    </SitePage>
  );
}
