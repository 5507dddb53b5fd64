import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountBody, AccountPage, accountMeta, SessionList } from "~/features/account/account-page";
import { loadSessionsPage, sessionsActions } from "~/features/account/sessions-page.server";
import { requireUser } from "~/features/auth/guards.server";
import { runFormAction } from "~/platform/form-actions.server";
import { ValidationNotice } from "~/ui/form";

const TITLE = "Sessions";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json(await loadSessionsPage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, sessionsActions, { actor: signedIn, request, params: null });
}

export default function SessionsPage() {
  const { sessions, zone, token } = useLoaderData<typeof loader>();
  return (
    <AccountPage
      title={TITLE}
      lead="Every browser signed in to your account. Up to ten; an eleventh signs out the oldest."
      isBelow
    >
      <AccountBody>
        <ValidationNotice validationError={useActionData<typeof action>() ?? null} />
        <SessionList sessions={sessions} zone={zone} token={token} />
      </AccountBody>
    </AccountPage>
  );
}
