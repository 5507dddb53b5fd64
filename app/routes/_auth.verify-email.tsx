import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/ui/account-meta";
import { verifyEmailActions } from "~/features/organizations/actions.server";
import { loadConfirmSignUpPage } from "~/features/organizations/confirm-sign-up-page.server";
import { ConfirmAccountCard } from "~/features/organizations/ui/confirm-account-card";
import { InvalidLinkCard } from "~/features/sign-in/ui/link-card";
import { runFormAction } from "~/platform/form-actions.server";
import { respond, retryHeaders } from "~/platform/respond.server";

const TITLE = "Confirm your email address";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.hasErrors ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, await loadConfirmSignUpPage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, verifyEmailActions, { actor: null, request, params: null });
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export default function VerifyEmailPage() {
  const { isOpen, blocked, token, mark, email, values, policy } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  if (!isOpen)
    return (
      <InvalidLinkCard
        title={TITLE}
        blocked={blocked}
        otherwise={{ label: "Send the link again", to: "/client/auth?tab=check" }}
      />
    );
  return (
    <ConfirmAccountCard
      title={TITLE}
      token={token}
      mark={mark}
      email={email}
      policy={policy}
      values={failed?.values ?? values}
      validationError={failed}
    />
  );
}
