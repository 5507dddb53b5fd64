import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { EMAIL_CONFIRMED } from "~/features/auth/copy";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { confirmSignUp } from "~/features/organizations/confirm-sign-up.server";
import { loadLinkPage, pressedLink } from "~/features/sign-in/link-page.server";
import { LinkCard } from "~/features/sign-in/ui/link-card";
import { redirectWithFlash } from "~/platform/responses.server";

const TITLE = "Confirm your email address";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, TITLE, data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  return loadLinkPage(context, "verify_email");
}

export async function action({ context, request }: ActionFunctionArgs) {
  const link = await pressedLink(context, request, "verify_email");
  if (!link || !(await confirmSignUp(context, link))) return json(null, { status: 400 });
  return redirectWithFlash(context, "/client/auth", { kind: "success", ...EMAIL_CONFIRMED });
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
