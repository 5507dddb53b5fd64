import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { AccountBody, AccountPage, accountMeta } from "~/features/account/account-page";
import { requireUser } from "~/features/auth/guards.server";
import { CloseAccount, OwnData } from "~/features/privacy/own-data";
import { ownDataActions, readOwnData } from "~/features/privacy/own-data.server";
import { runFormAction } from "~/platform/form-actions.server";
import { ValidationNotice } from "~/ui/form";

const TITLE = "Your data";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireUser(context);
  return json(await readOwnData(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireUser(context);
  return runFormAction(context, ownDataActions, { actor: signedIn, request, params: null });
}

export default function OwnDataPage() {
  const { hasProof, ...closing } = useLoaderData<typeof loader>();
  return (
    <AccountPage title={TITLE} isBelow>
      <AccountBody>
        <ValidationNotice validationError={useActionData<typeof action>() ?? null} />
        <OwnData hasProof={hasProof} />
        <CloseAccount {...closing} />
      </AccountBody>
    </AccountPage>
  );
}
