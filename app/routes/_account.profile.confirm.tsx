import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { answerConfirmPage, loadConfirmPage } from "~/features/account/confirm-page.server";
import { requireAccount } from "~/features/auth/guards.server";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { IdentityFields } from "~/features/auth/ui/identity-fields";
import { ValidationNotice } from "~/features/auth/ui/validation-notice";
import { signInHeaders } from "~/features/sign-in/sign-in-page.server";
import { SitePage } from "~/features/site/ui/site-page";
import { Form, SubmitButton } from "~/ui/form";

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
      <div className="account-body">
        <ValidationNotice refusal={refusal} />
        <Form className="account-form" action={to} token={token} reloadDocument>
          <IdentityFields {...identity} errors={refusal?.errors ?? {}} />
          <div className="acts-row">
            <SubmitButton>Confirm</SubmitButton>
          </div>
        </Form>
      </div>
    </SitePage>
  );
}
