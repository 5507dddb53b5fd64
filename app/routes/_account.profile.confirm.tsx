import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerConfirmPage, loadConfirmPage } from "~/features/account/confirm-page.server";
import { AccountBody } from "~/features/account/ui/account-body";
import { requireAccount } from "~/features/auth/guards.server";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { IdentityFields } from "~/features/auth/ui/identity-fields";
import { ValidationNotice } from "~/features/auth/ui/validation-notice";
import { signInHeaders } from "~/features/sign-in/sign-in-page.server";
import { SitePage } from "~/features/site/ui/site-page";
import { Actions } from "~/ui/actions";
import { Form, SubmitButton } from "~/ui/form";
import { FormColumn } from "~/ui/form-column";

const TITLE = "Confirm it's you";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  const signedIn = await requireAccount(context);
  return loadConfirmPage(context, signedIn);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const signedIn = await requireAccount(context);
  return answerConfirmPage(context, signedIn, request);
}

export function headers(args: HeadersArgs) {
  return signInHeaders(args);
}

export default function ConfirmPage() {
  const { token, action: to, refused: _, ...identity } = useLoaderData<typeof loader>();
  const refusal = useActionData<typeof action>() ?? null;
  return (
    <SitePage title={TITLE} lead="What you want to do needs a fresh proof. It counts for ten minutes.">
      <AccountBody>
        <ValidationNotice refusal={refusal} />
        <FormColumn>
          <Form action={to} token={token} reloadDocument>
            <IdentityFields {...identity} errors={refusal?.errors ?? {}} />
            <Actions>
              <SubmitButton>Confirm</SubmitButton>
            </Actions>
          </Form>
        </FormColumn>
      </AccountBody>
    </SitePage>
  );
}
