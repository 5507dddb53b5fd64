import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/ui/account-meta";
import { verifyEmailActions } from "~/features/organizations/actions.server";
import { loadLinkPage } from "~/features/sign-in/link-page.server";
import { LinkCard } from "~/features/sign-in/ui/link-card";
import { runFormAction } from "~/platform/form-actions.server";

const TITLE = "Confirm your email address";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.hasErrors ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  return json(await loadLinkPage(context, "verify_email"));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, verifyEmailActions, { actor: null, request, params: null });
}

export default function VerifyEmailPage() {
  return (
    <LinkCard
      title={TITLE}
      text="One press, and your account is open. Then you can sign in."
      button="Confirm email"
      action="/verify-email"
      page={useLoaderData<typeof loader>()}
      otherwise={{ label: "Send the link again", to: "/client/auth?tab=check" }}
    />
  );
}
