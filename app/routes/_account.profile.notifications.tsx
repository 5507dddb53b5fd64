import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { ACCOUNT_PURPOSE } from "~/features/account/account-form.server";
import { AccountBody, AccountPage, accountMeta } from "~/features/account/account-page";
import { requireUser } from "~/features/auth/guards.server";
import { preferenceActions } from "~/features/notifications/actions.server";
import { PreferenceForm } from "~/features/notifications/preference-form";
import { readPreferences } from "~/features/notifications/preferences.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ValidationNotice } from "~/ui/form";

const TITLE = "Notification settings";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json({
    ...(await readPreferences(context, signedIn)),
    token: issueFormToken(context, ACCOUNT_PURPOSE),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, preferenceActions, { actor: signedIn, request, params: null });
}

export default function PreferencesPage() {
  const { preferences, quiet, zone, shortcutsOff, token } = useLoaderData<typeof loader>();
  return (
    <AccountPage
      title={TITLE}
      lead="Choose what you are told, and how. You are never told of what you do yourself."
      isBelow
    >
      <AccountBody>
        <ValidationNotice validationError={useActionData<typeof action>() ?? null} />
        <PreferenceForm {...{ preferences, quiet, zone, shortcutsOff, token }} />
      </AccountBody>
    </AccountPage>
  );
}
