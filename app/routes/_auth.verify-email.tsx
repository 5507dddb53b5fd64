import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { EMAIL_CONFIRMED } from "~/features/auth/copy";
import { loadLinkPage, pressedLink } from "~/features/auth/link-page.server";
import { LinkCard } from "~/features/auth/ui/link-card";
import { accountMeta } from "~/features/auth/ui/sign-in-meta";
import { confirmSignUp } from "~/features/organizations/confirm-sign-up.server";
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
