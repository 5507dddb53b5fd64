import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { confirmActions, loadConfirmPage } from "~/features/account/account-form.server";
import { AccountBody, AccountPage, accountMeta } from "~/features/account/account-page";
import { IdentityFields } from "~/features/account/identity-fields";
import { requireAccount } from "~/features/auth/guards.server";
import { runFormAction } from "~/platform/form-actions.server";
import { ButtonRow } from "~/ui/button";
import { Form, SubmitButton, ValidationNotice } from "~/ui/form";
import { FormColumn } from "~/ui/page";

export { retryHeaders as headers } from "~/ui/form";

const TITLE = "Confirm it's you";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return json(loadConfirmPage(context, signedIn));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireAccount(context);
  return runFormAction(context, confirmActions, { actor: signedIn, request, params: null });
}

export default function ConfirmPage() {
  const { token, action: to, hasErrors: _, ...identity } = useLoaderData<typeof loader>();
  const validationError = useActionData<typeof action>() ?? null;
  return (
    <AccountPage
      title={TITLE}
      lead={`To continue, enter your password${identity.mfaEnabled ? " and a code" : ""}. We won't ask again for 10 minutes.`}
    >
      <AccountBody>
        <ValidationNotice validationError={validationError} />
        <FormColumn>
          <Form action={to} token={token} reloadDocument>
            <IdentityFields {...identity} errors={validationError?.errors ?? {}} />
            <ButtonRow>
              <SubmitButton>Confirm</SubmitButton>
            </ButtonRow>
          </Form>
        </FormColumn>
      </AccountBody>
    </AccountPage>
  );
}
