import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountPage, accountMeta, PROFILE_TITLE } from "~/features/account/account-page";
import { MfaPanel } from "~/features/account/mfa";
import { loadProfilePage, profileActions } from "~/features/account/profile.server";
import { DetailsForm, PasswordForm } from "~/features/account/profile-forms";
import { requireAccount, requireUser } from "~/features/auth/guards.server";
import { PREFERENCES_PATH } from "~/features/notifications/model";
import { OWN_DATA_PATH } from "~/features/privacy/model";
import { LinkRow, SectionRow } from "~/features/site/section-row";
import { PROFILE_PATH } from "~/lib/addresses";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";
import { FormColumn, Notice } from "~/ui/page";
import { ThemeForm } from "~/ui/theme-form";

export { retryHeaders as headers } from "~/ui/form";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, PROFILE_TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return respond(context, await loadProfilePage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, profileActions, { actor: signedIn, request, params: null });
}

export default function ProfilePage() {
  const { state, isStaff, token, fullName, email, mfaEnabled, mfaNotice, mayDisable } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>();
  const errorOf = (form: "details" | "password") => (failed?.form === form ? failed : null);
  const isClosed = mfaNotice?.daysLeft === 0;
  return (
    <AccountPage title={PROFILE_TITLE}>
      {state ? null : <ProfileNotLoaded />}
      {isClosed ? null : (
        <>
          {state ? (
            <SectionRow id="details" title="Your details">
              <DetailsForm
                {...{ token, fullName, email, mfaEnabled }}
                phone={state.phone}
                isStaff={isStaff}
                pendingEmail={state.pendingEmail}
                validationError={errorOf("details")}
              />
            </SectionRow>
          ) : null}
          <SectionRow
            id="password"
            title="Password"
            text="Changing it signs you out everywhere else."
            className="print:hidden"
          >
            <PasswordForm token={token} email={email} validationError={errorOf("password")} />
          </SectionRow>
        </>
      )}
      {state ? (
        <SectionRow id="two-step" title="Two-step sign-in">
          <MfaPanel
            isEnabled={mfaEnabled}
            {...{ mfaNotice, mayDisable }}
            codesLeft={state.codesLeft}
            codesUnsaved={false}
          />
        </SectionRow>
      ) : null}
      {isClosed ? null : (
        <>
          <LinkRow
            id="sessions"
            title="Sessions"
            text="Every browser signed in to your account."
            link={{ label: "See your sessions", to: "/profile/sessions" }}
          />
          <LinkRow
            id="notifications"
            title="Notifications"
            text="What you are told, by mail and on your pages."
            link={{ label: "Notification settings", to: PREFERENCES_PATH }}
          />
          <LinkRow
            id="data"
            title="Your data"
            text="What we store about you, as a file, and how to close your account."
            link={{ label: "See your data", to: OWN_DATA_PATH }}
          />
        </>
      )}
      <SectionRow id="theme" title="Theme" text="Kept in this browser only." className="print:hidden">
        <FormColumn>
          <ThemeForm id="theme" />
        </FormColumn>
      </SectionRow>
    </AccountPage>
  );
}

function ProfileNotLoaded() {
  return (
    <div role="alert" className="mb-8">
      <Notice
        kind="error"
        title="Failed to load profile information"
        message={
          <>
            Nothing was lost. <a href={PROFILE_PATH}>Retry</a>
          </>
        }
      />
    </div>
  );
}
