import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { AccountBody, AccountPage, accountMeta, UnsentForm } from "~/features/account/account-page";
import { loadUnsentPage, unsentActions } from "~/features/account/unsent-form.server";
import { requireUser } from "~/features/auth/guards.server";
import { runFormAction } from "~/platform/form-actions.server";

const TITLE = "Your text is still here";

export const meta: MetaFunction = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json(await loadUnsentPage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, unsentActions, { actor: signedIn, request, params: null });
}

export default function UnsentPage() {
  return (
    <AccountPage title={TITLE} lead="Your session ended before it could be sent. Nothing has been sent yet.">
      <AccountBody>
        <UnsentForm {...useLoaderData<typeof loader>()} />
      </AccountBody>
    </AccountPage>
  );
}
