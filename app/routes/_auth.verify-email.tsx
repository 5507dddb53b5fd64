import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { ConfirmAccountCard } from "~/features/organizations/confirm-account-card";
import { loadConfirmSignUpPage, verifyEmailActions } from "~/features/organizations/confirm-sign-up.server";
import { InvalidLinkCard } from "~/features/sign-in/link-card";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export { retryHeaders as headers } from "~/ui/form";

const TITLE = "Confirm your email address";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, await loadConfirmSignUpPage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, verifyEmailActions, { actor: null, request, params: null });
}

export default function VerifyEmailPage() {
  const { isOpen, blocked, ...page } = useLoaderData<typeof loader>();
  const failed = useActionData<typeof action>() ?? null;
  if (isOpen) return <ConfirmAccountCard title={TITLE} {...page} validationError={failed} />;
  return (
    <InvalidLinkCard
      title={TITLE}
      blocked={blocked}
      error="Links in our mails work once, and for a limited time. If you have confirmed your address already, sign in."
      otherwise={
        page.reader
          ? { label: "Open the client portal", to: PORTAL_HOME_PATH }
          : { label: "Send the link again", to: "/client/auth?tab=check" }
      }
    />
  );
}
